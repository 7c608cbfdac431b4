#include "harness/inject/faults/plan.h"

#include <errno.h>
#include <string.h>

#include "harness/inject/faults/errors.h"
#include "harness/inject/faults/text.h"
#include "harness/trace/kind_traits.h"

namespace everycrash::faults {

namespace {

using format::Kind;

constexpr uint16_t kRead = preload::FaultQuery::kRead;
constexpr uint16_t kReceive = preload::FaultQuery::kReceive;
static_assert(kRead >= kKindsEnd && kReceive >= kKindsEnd && kAnyCall >= kKindsEnd);

/// What CALL can be beside the words of kinds.
struct CallName {
  uint16_t call;
  const char* name;
};
constexpr CallName kCalls[] = {
    {kAnyCall, "any"}, {kSyncCalls, "syncs"}, {kStart, "start"},
    {kRead, "read"},   {kReceive, "receive"}, {kNetworkCalls, "network"},
};

KindTraits traits_of_call(uint16_t call) {
  return traits_of(static_cast<Kind>(call));
}

const char* name_of_call(uint16_t call) {
  for (const CallName& known : kCalls) {
    if (known.call == call) return known.name;
  }
  return traits_of_call(call).word;
}

uint16_t call_named(Word name) {
  for (const CallName& known : kCalls) {
    if (name.is(known.name)) return known.call;
  }
  for (uint16_t kind = 0; kind < kKindsEnd; ++kind) {
    const KindTraits traits = traits_of_call(kind);
    if (traits.has(kMeetsFaults) && name.is(traits.word)) return kind;
  }
  return 0;
}

bool is_sync(uint16_t call) {
  return call == kSyncCalls || traits_of_call(call).has(kSyncsFile | kSyncsAll);
}

bool moves_bytes(uint16_t call) {
  return call == kRead || call == kReceive || traits_of_call(call).has(kMovesBytes);
}

const char* parse_call(Word& line, Fault& fault) {
  const Word word = take_word(line);
  const auto* open = static_cast<const char*>(memchr(word.begin, '(', word.size()));
  if (open == nullptr || word.end[-1] != ')') return "a fault begins with CALL(GLOB)";
  fault.call = call_named({word.begin, open});
  if (fault.call == 0)
    return "there is no such call; there are open, read, write, rename, fsync, any, connect ...";
  if (!unescape({open + 1, word.end - 1}, fault.path, sizeof fault.path)) {
    return "the glob is too long, or has a % that is no %XX";
  }
  const bool nameless = fault.call == kStart || fault.call == static_cast<uint16_t>(Kind::kPrint);
  if (nameless != (fault.path[0] == 0)) {
    return nameless ? "start() and print() have no path" : "a glob is missing; * is every file";
  }
  return nullptr;
}

const char* parse_clock(Word word, Fault& fault) {
  const bool back = word.take("-");
  if (!back && !word.take("+")) return "clock= needs a sign and a unit, as in clock=+2h";
  if (!word.take_time(fault.value) || !word.empty()) return "clock= needs a time, as in clock=+2h";
  if (back) fault.value = -fault.value;
  return nullptr;
}

const char* parse_delay(Word word, Fault& fault) {
  constexpr const char* kWrong = "delay= needs a time, as in delay=50ms or delay=50ms..500ms";
  if (!word.take_time(fault.value)) return kWrong;
  fault.longest = fault.value;
  if (word.take("..") && !word.take_time(fault.longest)) return kWrong;
  return word.empty() && fault.longest >= fault.value ? nullptr : kWrong;
}

const char* parse_hang(Word word, Fault& fault) {
  const bool good = word.take_time(fault.value) && word.empty() && fault.value > 0;
  return good ? nullptr : "hang= needs a time, as in hang=200ms";
}

const char* parse_bytes(Word word, bool zero_allowed, Fault& fault) {
  uint64_t bytes = 0;
  const bool good =
      word.take_number(bytes) && word.empty() && bytes <= INT64_MAX && (zero_allowed || bytes > 0);
  fault.value = static_cast<int64_t>(bytes);
  return good ? nullptr : "a number of bytes is missing";
}

struct ActionName {
  Action action;
  const char* name;           // in a fault
  const char* point;          // in libfiu
  const char* network_point;  // the same, on sockets
};
constexpr ActionName kActions[] = {
    {Action::kError, "", "everycrash/call/error", "everycrash/net/error"},
    {Action::kShort, "short", "everycrash/call/short", "everycrash/net/short"},
    {Action::kFull, "full", "everycrash/disk/full", ""},
    {Action::kLost, "lost", "everycrash/sync/lost", ""},
    {Action::kKillBefore, "kill-before", "everycrash/kill/before", "everycrash/kill/before"},
    {Action::kKillAfter, "kill-after", "everycrash/kill/after", ""},
    {Action::kDelay, "delay", "everycrash/call/delay", "everycrash/net/delay"},
    {Action::kClock, "clock", "everycrash/clock/set", "everycrash/clock/set"},
    {Action::kHang, "hang", "", "everycrash/net/hang"},
};

const ActionName* action_of(Action action) {
  for (const ActionName& known : kActions) {
    if (known.action == action) return &known;
  }
  return nullptr;
}

/// Reads "NAME" or "NAME=VALUE"; the value goes to REST.
Action action_named(Word word, Word& rest, bool& has_value) {
  const auto* equals = static_cast<const char*>(memchr(word.begin, '=', word.size()));
  has_value = equals != nullptr;
  const Word name = {word.begin, has_value ? equals : word.end};
  rest = {has_value ? equals + 1 : word.end, word.end};
  for (const ActionName& known : kActions) {
    if (known.name[0] != 0 && name.is(known.name)) return known.action;
  }
  return Action::kNone;
}

const char* parse_action(Word& line, Fault& fault) {
  const Word word = take_word(line);
  fault.error = error_named(word.begin, word.size());
  if (fault.error != 0) {
    fault.action = Action::kError;
    return nullptr;
  }
  Word value = word;
  bool has_value = false;
  fault.action = action_named(word, value, has_value);
  switch (fault.action) {
    case Action::kNone:
      return "there is no such fault; there are an errno (EIO), short, full=BYTES, lost, "
             "kill-before, kill-after, delay=TIME, clock=+TIME, hang[=TIME]";
    case Action::kShort:
      return has_value ? parse_bytes(value, false, fault) : nullptr;
    case Action::kFull:
      return parse_bytes(value, true, fault);
    case Action::kDelay:
      return parse_delay(value, fault);
    case Action::kClock:
      return parse_clock(value, fault);
    case Action::kHang:
      return has_value ? parse_hang(value, fault) : nullptr;
    default:
      return has_value ? "this fault takes no value" : nullptr;
  }
}

const char* check_combination(const Fault& fault) {
  const uint16_t call = fault.call;
  switch (fault.action) {
    case Action::kLost:
      return is_sync(call) ? nullptr : "only syncs can be lost";
    case Action::kShort:
      return moves_bytes(call) ? nullptr : "only read, write, print, send, receive can be short";
    case Action::kFull:
      return call == static_cast<uint16_t>(Kind::kWrite) ? nullptr : "full= goes with write(GLOB)";
    case Action::kHang:
      return is_network(fault) ? nullptr : "only connect, send, receive and network can hang";
    case Action::kKillAfter:
      if (is_network(fault) || call == kRead) return "here only kill-before is possible";
      [[fallthrough]];
    default:
      return call == kStart && fault.action != Action::kClock ? "start() goes with clock="
                                                              : nullptr;
  }
}

const char* parse_when(Word word, Fault& fault) {
  constexpr const char* kWrong = "when= needs FIRST[..[LAST]][+STEP], as in 3, 2.., 1..9+2";
  if (!word.take_number(fault.first) || fault.first == 0) return kWrong;
  fault.last = fault.first;
  if (word.take("..")) {
    fault.last = Fault::kForever;
    if (!word.empty() && *word.begin != '+' && !word.take_number(fault.last)) return kWrong;
  }
  if (word.take("+") && (!word.take_number(fault.step) || fault.step == 0)) return kWrong;
  return word.empty() && fault.last >= fault.first ? nullptr : kWrong;
}

const char* parse_chance(Word word, Fault& fault) {
  uint64_t chance = 0;
  const bool good =
      word.take_number(chance) && word.take("%") && word.empty() && chance >= 1 && chance <= 100;
  fault.chance = static_cast<uint32_t>(chance);
  return good ? nullptr : "chance= needs a number of per cent, as in chance=10%";
}

const char* parse_after_send(Word word, Fault& fault) {
  if (fault.call != kReceive) return "after-send= goes with receive(GLOB)";
  const bool good = word.take_number(fault.after_send) && word.empty() && fault.after_send > 0;
  return good ? nullptr : "after-send= needs the number of a send, as in after-send=3";
}

const char* parse_line(Word line, Fault& fault) {
  if (const char* wrong = parse_call(line, fault); wrong != nullptr) return wrong;
  if (const char* wrong = parse_action(line, fault); wrong != nullptr) return wrong;
  for (Word word = take_word(line); !word.empty(); word = take_word(line)) {
    const char* wrong = "behind the fault only when=, after-send= and chance= can stand";
    if (word.take("when=")) {
      wrong = parse_when(word, fault);
    } else if (word.take("after-send=")) {
      wrong = parse_after_send(word, fault);
    } else if (word.take("chance=")) {
      wrong = parse_chance(word, fault);
    }
    if (wrong != nullptr) return wrong;
  }
  return check_combination(fault);
}

const char* parse_plan_line(Word line, Plan& plan) {
  Word rest = line;
  const Word name = take_word(rest);
  if (name.empty()) return nullptr;
  if (name.is("control")) {
    Word word = take_word(rest);
    const bool good = word.take("fifo=") && unescape(word, plan.fifo, sizeof plan.fifo);
    return good ? nullptr : "control needs fifo=PREFIX";
  }
  if (name.is("seed")) {
    Word word = take_word(rest);
    return word.take_number(plan.seed) && word.empty() ? nullptr : "seed needs a number";
  }
  if (plan.count == Plan::kFaultsMax) return "too many faults";
  Fault fault;
  if (const char* wrong = parse_line(line, fault); wrong != nullptr) return wrong;
  plan.faults[plan.count++] = fault;
  return nullptr;
}

void add_value(const Fault& fault, Writer& writer) {
  switch (fault.action) {
    case Action::kShort:
      if (fault.value == 0) return;
      [[fallthrough]];
    case Action::kFull:
      writer.add('=');
      writer.add_number(static_cast<uint64_t>(fault.value));
      return;
    case Action::kDelay:
      writer.add('=');
      writer.add_time(fault.value);
      if (fault.longest == fault.value) return;
      writer.add("..");
      writer.add_time(fault.longest);
      return;
    case Action::kHang:
      if (fault.value == 0) return;
      writer.add('=');
      writer.add_time(fault.value);
      return;
    case Action::kClock:
      writer.add(fault.value < 0 ? "=-" : "=+");
      writer.add_time(fault.value < 0 ? -fault.value : fault.value);
      return;
    default:
      return;
  }
}

void add_when(const Fault& fault, Writer& writer) {
  if (fault.first == 1 && fault.last == Fault::kForever && fault.step == 1) return;
  writer.add(" when=");
  writer.add_number(fault.first);
  if (fault.last != fault.first) {
    writer.add("..");
    if (fault.last != Fault::kForever) writer.add_number(fault.last);
  }
  if (fault.step == 1) return;
  writer.add('+');
  writer.add_number(fault.step);
}

void add_fault(const Fault& fault, Writer& writer) {
  writer.add(name_of_call(fault.call));
  writer.add('(');
  writer.add_escaped(fault.path);
  writer.add(") ");
  const ActionName* known = action_of(fault.action);
  writer.add(fault.action == Action::kError ? name_of_error(fault.error) : known->name);
  add_value(fault, writer);
  add_when(fault, writer);
  if (fault.after_send != 0) {
    writer.add(" after-send=");
    writer.add_number(fault.after_send);
  }
  if (fault.chance == 100) return;
  writer.add(" chance=");
  writer.add_number(fault.chance);
  writer.add('%');
}

}  // namespace

bool is_network(const Fault& fault) {
  const uint16_t call = fault.call;
  return call == kReceive || call == kNetworkCalls || traits_of_call(call).has(kTalks);
}

const char* name_of(const Fault& fault) {
  const ActionName* known = action_of(fault.action);
  if (known == nullptr) return nullptr;
  return is_network(fault) ? known->network_point : known->point;
}

const char* parse_fault(const char* text, Fault& fault) {
  fault = {};
  return parse_line({text, text + strlen(text)}, fault);
}

size_t write_fault(const Fault& fault, char* text, size_t size) {
  Writer writer{text, size};
  add_fault(fault, writer);
  return writer.finish();
}

const char* parse_plan(const char* text, Plan& plan) {
  while (*text != 0) {
    const char* end = strchr(text, '\n');
    if (end == nullptr) end = text + strlen(text);
    if (const char* wrong = parse_plan_line({text, end}, plan); wrong != nullptr) return wrong;
    text = *end == 0 ? end : end + 1;
  }
  return nullptr;
}

size_t write_plan(const Plan& plan, char* text, size_t size) {
  Writer writer{text, size};
  if (plan.fifo[0] != 0) {
    writer.add("control fifo=");
    writer.add_escaped(plan.fifo);
    writer.add('\n');
  }
  if (plan.seed != 1) {
    writer.add("seed ");
    writer.add_number(plan.seed);
    writer.add('\n');
  }
  for (size_t i = 0; i < plan.count; ++i) {
    add_fault(plan.faults[i], writer);
    writer.add('\n');
  }
  return writer.finish();
}

}  // namespace everycrash::faults
