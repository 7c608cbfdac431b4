// Unwinding costs about a microsecond a frame, far more than the call itself, and programs make the
// same call from the same place over and over. So a stack that was unwound is kept with the places
// where its return addresses lie; if the instruction and stack pointers are the same again, and all
// those places still hold the same addresses, it is the same stack. The comparison begins at the
// innermost frame and ends at the first difference, so that it never reads beyond a stack that is
// not the one it knows. The place in a script that an interpreter executes (script_frames.h) is
// part of the stack: to the same C stack belong many lines of it.
//
// Some compilers write no tables for the unwinder (Go, tcc). Their functions chain their frames by
// %rbp instead, which is followed from where the tables end, as long as it leads from one function
// of a program or library to the next.

#include "harness/record/preload/stacks/stack.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unwind.h>

#include "harness/record/preload/core/caches.h"
#include "harness/record/preload/core/plan.h"
#include "harness/record/preload/core/session.h"
#include "harness/record/preload/stacks/script_frames.h"

namespace everycrash::preload {

namespace {

constexpr size_t kFramesMax = 48;
constexpr size_t kStacks = 256;  // kept with their places
constexpr size_t kSeen = 1024;   // kept by their hash, so that none is recorded twice
constexpr size_t kRangesMax = 512;
constexpr int kMappingsMax = 64;  // a just-in-time compiler makes new code all the time

struct Frames {
  size_t count;
  bool repeatable;  // every return address was found where the stack says
  uint64_t address[kFramesMax];
  const uint64_t* place[kFramesMax];
};

struct Kept {
  uint64_t instruction, stack, script;
  uint64_t sequence;
  Frames frames;
};
Kept kept[kStacks];

struct Seen {
  uint64_t hash, mappings, sequence;
};
Seen seen[kSeen];

struct Range {
  uint64_t begin, end;
  bool has_file;  // is no code that was made while the program runs
};
Range ranges[kRangesMax];
size_t range_count = 0;
uint64_t mappings_sequence = 0;
int mappings_taken = 0;
char mappings_text[128 * 1024];

struct Walk {
  uint64_t instruction, stack;
  bool jumped;
  bool in_program;
  bool complete;  // the tables led to the outermost frame
  Frames* frames;
  uint64_t frame_pointer, frame_begin;  // of the last frame that they led to
};

_Unwind_Reason_Code on_frame(_Unwind_Context* context, void* argument) {
  auto* walk = static_cast<Walk*>(argument);
  uint64_t address = _Unwind_GetIP(context);
  uint64_t frame = _Unwind_GetCFA(context);
  if (!walk->in_program) {
    // Our own frames, then the one that the signal interrupted; or, by the short way, the caller of
    // the one that jumped.
    bool reached = walk->jumped ? frame == walk->stack + sizeof(uint64_t)
                                : address == walk->instruction && frame == walk->stack;
    if (!reached) return _URC_NO_REASON;
    walk->in_program = true;
  }
  Frames& frames = *walk->frames;
  walk->complete = address == 0 || frames.count == kFramesMax;
  if (walk->complete) return _URC_END_OF_STACK;
  constexpr int kFramePointer = 6;  // %rbp, as DWARF numbers it
  walk->frame_pointer = _Unwind_GetGR(context, kFramePointer);
  walk->frame_begin = frame;
  const uint64_t* place = nullptr;
  if (frames.count > 0) {
    place = reinterpret_cast<const uint64_t*>(frame - sizeof(uint64_t));
    if (*place != address) frames.repeatable = false;
  }
  frames.address[frames.count] = address;
  frames.place[frames.count] = place;
  ++frames.count;
  return _URC_NO_REASON;
}

bool still_there(const Frames& frames) {
  for (size_t i = 1; i < frames.count; ++i) {
    if (*frames.place[i] != frames.address[i]) return false;
  }
  return true;
}

const Range* range_of(uint64_t address) {
  for (size_t i = 0; i < range_count; ++i) {
    if (address >= ranges[i].begin && address < ranges[i].end) return &ranges[i];
  }
  return nullptr;
}

uint64_t read_hexadecimal(const char*& at) {
  uint64_t value = 0;
  for (;; ++at) {
    if (*at >= '0' && *at <= '9') {
      value = value * 16 + static_cast<uint64_t>(*at - '0');
    } else if (*at >= 'a' && *at <= 'f') {
      value = value * 16 + static_cast<uint64_t>(*at - 'a') + 10;
    } else {
      return value;
    }
  }
}

bool has_path(const char* line, const char* end) {
  while (line < end && *line != '/') ++line;
  return line < end;
}

// Keeps the lines of executable mappings, in place, and notes their ranges. Returns their size.
size_t keep_executable(char* text, size_t size) {
  size_t used = 0;
  range_count = 0;
  for (size_t at = 0; at < size;) {
    size_t end = at;
    while (end < size && text[end] != '\n') ++end;
    if (end == size) break;  // cut short
    const char* line = text + at;
    uint64_t begin = read_hexadecimal(line);
    ++line;
    uint64_t finish = read_hexadecimal(line);
    bool executable = line + 3 < text + end && line[3] == 'x';  // " r-xp"
    if (executable && range_count < kRangesMax) {
      ranges[range_count++] = {begin, finish, has_path(line, text + end)};
      memmove(text + used, text + at, end + 1 - at);
      used += end + 1 - at;
    }
    at = end + 1;
  }
  return used;
}

void take_mappings() {
  long file = raw_call(SYS_openat, AT_FDCWD, to_long("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  // What does not fit is left out; its addresses stay without a file name.
  size_t used = 0;
  for (;;) {
    long got = raw_call(SYS_read, file, to_long(mappings_text + used),
                        static_cast<long>(sizeof mappings_text - used));
    if (got <= 0) break;
    used += static_cast<size_t>(got);
    if (used == sizeof mappings_text) break;
  }
  raw_call(SYS_close, file);
  used = keep_executable(mappings_text, used);
  iovec piece = {mappings_text, used};
  format::RecordHeader record = {};
  record.kind = static_cast<uint16_t>(format::Kind::kMappings);
  record.call = format::kNoCall;
  mappings_sequence = append(record, Text{}, Text{}, Payload{&piece, 1, used});
  ++mappings_taken;
}

uint64_t hash_of(const Frames& frames) {
  uint64_t hash = frames.count;
  for (size_t i = 0; i < frames.count; ++i) {
    hash = (hash ^ frames.address[i]) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash;
}

void know_ranges_of(const Frames& frames) {
  for (size_t i = 0; i < frames.count && mappings_taken < kMappingsMax; ++i) {
    if (range_of(frames.address[i]) != nullptr) continue;
    take_mappings();
    return;
  }
}

// Where a function uses %rbp for something else, its value may be no address at all. The kernel
// reads the signal set before it refuses to do what nobody can do with it: sigprocmask(2).
bool read_word(uint64_t from, uint64_t& word) {
  constexpr long kNothing = -1;
  if (raw_call(SYS_rt_sigprocmask, kNothing, static_cast<long>(from), 0, sizeof word) != -EINVAL) {
    return false;
  }
  word = *reinterpret_cast<const uint64_t*>(from);
  return true;
}

void follow_frame_pointers(const Walk& walk) {
  Frames& frames = *walk.frames;
  know_ranges_of(frames);
  uint64_t begin = walk.frame_begin;
  uint64_t pointer = walk.frame_pointer;
  while (frames.count < kFramesMax && pointer >= begin && pointer % sizeof(uint64_t) == 0) {
    const uint64_t place = pointer + sizeof(uint64_t);
    uint64_t callers = 0;
    uint64_t address = 0;
    if (!read_word(pointer, callers) || !read_word(place, address)) return;
    const Range* code = range_of(address);
    if (code == nullptr || !code->has_file) return;
    frames.address[frames.count] = address;
    frames.place[frames.count] = reinterpret_cast<const uint64_t*>(place);
    ++frames.count;
    begin = place + sizeof(uint64_t);
    pointer = callers;
  }
}

// SCRIPT is what script_position() has just told.
uint64_t record_stack(const Frames& frames, uint64_t script) {
  know_ranges_of(frames);
  uint64_t hash = hash_of(frames) ^ script;
  Seen& entry = seen[hash % kSeen];
  if (entry.hash == hash && entry.mappings == mappings_sequence && entry.sequence != 0) {
    return entry.sequence;
  }
  const ScriptFrames script_stack = script == 0 ? ScriptFrames{} : script_frames();
  iovec pieces[2] = {{const_cast<uint64_t*>(frames.address), frames.count * sizeof(uint64_t)},
                     {const_cast<char*>(script_stack.text.data), script_stack.text.size}};
  format::RecordHeader record = {};
  record.kind = static_cast<uint16_t>(format::Kind::kStack);
  record.call = format::kNoCall;
  record.other_inode = mappings_sequence;
  record.length = static_cast<int64_t>(frames.count);
  record.mode = static_cast<uint32_t>(script_stack.language);
  record.other_offset = static_cast<int64_t>(session.program);
  uint64_t sequence =
      append(record, Text{}, Text{}, Payload{pieces, 2, pieces[0].iov_len + pieces[1].iov_len});
  entry = {hash, mappings_sequence, sequence};
  return sequence;
}

}  // namespace

void forget_stacks() {
  for (Kept& entry : kept) entry.sequence = 0;
  for (Seen& entry : seen) entry.sequence = 0;
  range_count = 0;
}

uint64_t stack_of(const Call& call) {
  if (stops_alone()) return 0;
  const greg_t* registers = call.context->uc_mcontext.gregs;
  auto instruction = static_cast<uint64_t>(registers[REG_RIP]);
  auto stack = static_cast<uint64_t>(registers[REG_RSP]);
  const uint64_t script = script_position();
  Kept& entry = kept[((instruction * 31 + stack + script * 8) >> 3) % kStacks];
  if (entry.sequence != 0 && entry.instruction == instruction && entry.stack == stack &&
      entry.script == script && entry.frames.repeatable && still_there(entry.frames)) {
    return entry.sequence;
  }
  entry.sequence = 0;
  entry.frames.count = 0;
  entry.frames.repeatable = true;
  if (call.jumped) entry.frames.address[entry.frames.count++] = instruction;
  Walk walk = {instruction, stack, call.jumped, false, false, &entry.frames, 0, 0};
  _Unwind_Backtrace(on_frame, &walk);
  if (entry.frames.count == 0) return 0;
  if (walk.in_program && !walk.complete) follow_frame_pointers(walk);
  entry.instruction = instruction;
  entry.stack = stack;
  entry.script = script;
  entry.sequence = record_stack(entry.frames, script);
  return entry.sequence;
}

}  // namespace everycrash::preload
