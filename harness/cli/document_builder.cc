#include "harness/cli/document_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

#include "harness/base/crash_kind.h"
#include "harness/check/exactly_once.h"
#include "harness/cli/document/fault_titles.h"
#include "harness/cli/document/kill_titles.h"
#include "harness/cli/document/operation_words.h"
#include "harness/cli/document/power_titles.h"
#include "harness/cli/evidence.h"
#include "harness/explain/path_pattern.h"
#include "harness/explain/source.h"
#include "harness/explore/habits.h"
#include "harness/inject/lost_syncs.h"
#include "harness/trace/event.h"

namespace everycrash::cli {
namespace {

constexpr uint32_t kExcerptLines = 2;
constexpr size_t kLostShown = 8;  // lost operations of one finding

/// Numbers what it has not seen yet, from 1.
class Numbering {
 public:
  int32_t of(int32_t id) {
    return numbers_.try_emplace(id, static_cast<int32_t>(numbers_.size()) + 1).first->second;
  }
  [[nodiscard]] size_t size() const { return numbers_.size(); }

 private:
  std::map<int32_t, int32_t> numbers_;
};

/// What the kind and the numbers of RECORD do not say.
std::string detail_of(const Operation& record) {
  std::string words;
  const auto add = [&](format::Flags flag, const char* word) {
    if (record.has(flag)) words.append(words.empty() ? "" : " ").append(word);
  };
  add(format::kCreated, "new");
  add(format::kTruncated, "emptied");
  add(format::kLost, "lost");
  add(format::kExchange, "exchange");
  return words;
}

/// The beginning of what came out of the program with RECORD, or of the events that it was.
std::string text_of(const Operation& record) {
  constexpr size_t kTextBytes = 120;
  const bool printed = record.kind == Kind::kPrint || record.kind == Kind::kEvent;
  return std::string((printed ? record.payload : record.events).substr(0, kTextBytes));
}

std::string base_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

void describe_place(const reports::Frame& frame, reports::CallSite& site) {
  site.function = !frame.function.empty() || !frame.file.empty()
                      ? frame.function
                      : fmt::format("{}+{:#x}", base_name(frame.module), frame.module_offset);
  if (!frame.program.empty()) {
    site.function = frame.program + (site.function.empty() ? "" : ", run by " + site.function);
  }
  site.file = frame.file;
  site.line = frame.line;
}

}  // namespace

DocumentBuilder::DocumentBuilder(const Trace& trace, std::shared_ptr<Symboliser> symboliser)
    : trace_(trace),
      names_(trace),
      call_stacks_(trace, std::move(symboliser)),
      stacks_(document_) {}

reports::Finding DocumentBuilder::adopted(const reports::ResultDocument& from,
                                          reports::Finding finding) {
  const auto adopt = [&](reports::InvolvedOperation& operation) {
    if (operation.stack == reports::kNoStack) return;
    const reports::Stack& stack = from.stacks[static_cast<size_t>(operation.stack)];
    std::vector<reports::Frame> frames;
    for (const uint32_t frame : stack.frames) frames.push_back(from.frames[frame]);
    operation.stack = stacks_.add(frames, stack.user_frame);
  };
  for (auto* operation : {&finding.crash_operation, &finding.cause_operation,
                          &finding.until_operation, &finding.kept_operation}) {
    if (*operation) adopt(**operation);
  }
  for (reports::InvolvedOperation& lost : finding.lost_operations) adopt(lost);
  for (reports::EarlierCrash& earlier : finding.earlier) {
    if (earlier.operation) adopt(*earlier.operation);
  }
  return finding;
}

CallSite DocumentBuilder::site_of(uint64_t stack) {
  if (stack == 0) return {};
  const auto known = sites_.find(stack);
  if (known != sites_.end()) return known->second;
  const std::vector<Frame> frames = call_stacks_.frames(stack);
  return sites_[stack] = frames.empty() ? CallSite() : call_site_of(frames[user_frame(frames)]);
}

reports::StackIndex DocumentBuilder::add_stack(uint64_t stack) {
  const auto known = stack_of_.find(stack);
  if (known != stack_of_.end()) return known->second;
  const std::vector<Frame> frames = call_stacks_.frames(stack);
  std::vector<reports::Frame> shown;
  for (const Frame& frame : frames) {
    reports::Frame out{.function = frame.function,
                       .module = frame.module,
                       .module_offset = frame.module_offset,
                       .file = display_path(frame.source_file),
                       .line = frame.line,
                       .column = frame.column,
                       .language = name_of(frame.language),
                       .program = frame.program,
                       .command = frame.command,
                       .library = is_script_library(frame.source_file)};
    if (out.library) {
      shown.push_back(std::move(out));
      continue;
    }
    if (const auto excerpt = read_excerpt(frame.source_file, frame.line, kExcerptLines)) {
      out.excerpt = {excerpt->first_line, excerpt->lines};
    }
    shown.push_back(std::move(out));
  }
  const auto user = frames.empty() ? 0u : static_cast<uint32_t>(user_frame(frames));
  return stack_of_[stack] = stacks_.add(shown, user);
}

reports::InvolvedOperation DocumentBuilder::involve(const Operation& operation) {
  // A line can be printed in pieces: what counts is all of it.
  const std::string line =
      operation.kind == Kind::kPrint ? quoted_line(trace_, operation) : std::string();
  return {operation.sequence, line.empty() ? describe(operation) : "print " + line,
          add_stack(operation.stack)};
}

void DocumentBuilder::describe_recording() {
  reports::Recorded& recorded = document_.recorded;
  std::map<Kind, uint64_t> kinds;
  Numbering processes;
  Numbering threads;
  for (const Operation& record : trace_.records()) {
    if (record.kind == Kind::kPrint) ++recorded.prints;
    for (const Event& event : parse_events(record.events)) {
      recorded.effects += event.is_effect() ? 1 : 0;
    }
    if (record.kind == Kind::kUnsupported) {
      const std::string note = explain_unsupported(record);
      if (std::find(recorded.notes.begin(), recorded.notes.end(), note) == recorded.notes.end()) {
        recorded.notes.push_back(note);
      }
    }
    const bool listed =
        is_operation(record.kind) || record.kind == Kind::kPrint || !record.events.empty();
    if (!listed) continue;
    if (is_operation(record.kind)) ++kinds[record.kind];
    const int32_t process = processes.of(record.process);
    const int32_t thread = threads.of(record.thread);
    if (document_.operations.size() == reports::kOperationsMax) {
      ++document_.operations_left_out;
      continue;
    }
    document_.operations.push_back(
        {.sequence = record.sequence,
         .kind = std::string(name_of(record.kind)),
         .path = std::string(record.path),
         .other_path = std::string(record.other_path),
         .offset = record.offset,
         .length = record.length,
         .process = process,
         .thread = thread,
         .result = record.result,
         .stack = add_stack(record.stack),
         .point = names_.occurrence(record.sequence) == 0 ? "" : names_.name({record.sequence, -1}),
         .detail = detail_of(record),
         .text = text_of(record)});
  }
  for (const auto& [kind, count] : kinds)
    recorded.operations.push_back({std::string(name_of(kind)), count});
  recorded.processes = processes.size();
  recorded.threads = threads.size();
}

void DocumentBuilder::describe_call_sites(const std::set<uint64_t>& crashed_records) {
  std::map<std::tuple<std::string, std::string, std::string>, reports::CallSite> sites;
  const ChanceNames chance(trace_.records());
  for (const Operation& record : trace_.records()) {
    if (!is_operation(record.kind) || !changes_state(record)) continue;
    const std::string_view path = point_path(record);
    const std::string pattern = path_pattern(path, record.process, chance);
    const std::string kind(name_of(record.kind));
    const reports::StackIndex index = add_stack(record.stack);
    const reports::Frame* frame = nullptr;
    if (index != reports::kNoStack) {
      const reports::Stack& stack = document_.stacks[static_cast<size_t>(index)];
      frame = &document_.frames[stack.frames[stack.user_frame]];
    }
    std::string place = site_of(record.stack).name;
    if (frame != nullptr && !frame->language.empty()) place += fmt::format(":{}", frame->line);
    const auto [it, fresh] = sites.try_emplace({kind, pattern, place});
    reports::CallSite& site = it->second;
    if (fresh) {
      site.kind = kind;
      site.path_pattern = pattern;
      if (frame != nullptr) describe_place(*frame, site);
    }
    ++site.operations;
    site.crashed_at += crashed_records.count(record.sequence);
  }
  for (auto& entry : sites) document_.call_sites.push_back(std::move(entry.second));
}

reports::Finding& DocumentBuilder::add_kill_finding(const KillCluster& cluster, CrashPoint example,
                                                    const std::vector<Complaint>& complaints) {
  reports::Finding finding;
  finding.id = cluster.id();
  finding.title = title_of(trace_, cluster);
  finding.judge = name_of(cluster.judge);
  finding.path = cluster.path;
  finding.effect_fault = cluster.effect_fault;
  finding.window = time_of_fault(trace_, cluster);
  for (const Complaint& complaint : complaints) {
    if (complaint.verdict == Verdict::kViolated) finding.complaints.push_back(complaint.message);
  }
  finding.crash = CrashKind::kKill;
  finding.point = names_.name(example);
  finding.sequence = example.record;
  finding.state.record = example.whole() ? example.record : example.record - 1;
  if (!example.whole()) finding.state.cut_bytes = static_cast<uint64_t>(example.cut);
  if (const Operation* crash = trace_.find(example.record))
    finding.crash_operation = involve(*crash);
  if (const Operation* cause = trace_.find(cluster.opener))
    finding.cause_operation = involve(*cause);
  if (const Operation* until = trace_.find(cluster.closer);
      until != nullptr && cluster.judge != Judge::kHalfFile) {
    finding.until_operation = involve(*until);
  }
  finding.states = cluster.states.size();
  finding.points_total = cluster.points.size();
  for (const CrashPoint& point : cluster.points) {
    if (finding.points.size() < reports::kPointsMax) finding.points.push_back(names_.name(point));
  }
  finding.first_point = names_.name(cluster.points.front());
  finding.last_point = names_.name(cluster.points.back());
  return document_.findings.emplace_back(std::move(finding));
}

reports::Finding* DocumentBuilder::add_power_finding(const PowerCluster& cluster,
                                                     const PowerExample& example) {
  const std::string id = cluster.cause.id();
  for (reports::Finding& known : document_.findings) {
    if (known.id != id || known.crash != example.crash) continue;
    known.models.push_back(example.model);
    known.states += cluster.states.size();
    return nullptr;
  }
  const PowerCause& cause = cluster.cause;
  reports::Finding finding;
  finding.id = id;
  finding.title = title_of(trace_, example.history, cause);
  finding.judge = name_of(example.complaints.front().judge);
  finding.path = example.complaints.front().path;
  finding.effect_fault = effect_fault_of(example.complaints.front());
  for (const Complaint& complaint : example.complaints) {
    if (complaint.verdict == Verdict::kViolated) finding.complaints.push_back(complaint.message);
  }
  finding.crash = example.crash;
  finding.models = {example.model};
  finding.point = names_.name(named_point(cause.point));
  finding.sequence = cause.point;
  finding.state = {.record = cause.point,
                   .model = example.model,
                   .tear_bytes = static_cast<uint64_t>(example.tear_bytes),
                   .lost_units = {cause.lost.begin(), cause.lost.end()}};
  if (const Operation* crash = trace_.find(named_point(cause.point).record)) {
    finding.crash_operation = involve(*crash);
  }
  for (const uint64_t record : cause.lost_records) {
    if (finding.lost_operations.size() < kLostShown)
      finding.lost_operations.push_back(involve(*trace_.find(record)));
  }
  if (const Operation* kept = trace_.find(cause.kept_record))
    finding.kept_operation = involve(*kept);
  if (example.crash == CrashKind::kLostFsync) {
    finding.explanation =
        "The disk answered a sync without doing it. That is the disk's fault: "
        "a program can at best notice it afterwards.";
  } else if (has_lost_syncs(trace_)) {
    finding.explanation =
        "In this run syncs were answered without being done, as --lose-fsync asked. "
        "On a disk that does them the state may be impossible.";
  }
  finding.states = cluster.states.size();
  finding.points_total = example.points.size();
  for (const CrashPoint& point : example.points) {
    if (finding.points.size() < reports::kPointsMax)
      finding.points.push_back(names_.name(named_point(point.record)));
  }
  finding.first_point = names_.name(named_point(example.points.front().record));
  finding.last_point = names_.name(named_point(example.points.back().record));
  return &document_.findings.emplace_back(std::move(finding));
}

void DocumentBuilder::add_fault_finding(const FaultCluster& cluster) {
  const Operation& call = *trace_.find(cluster.example.record);
  reports::Finding finding;
  finding.id = cluster.id();
  finding.title = title_of(call, cluster);
  finding.judge = name_of(cluster.judge);
  finding.path = std::string(point_path(call));
  for (const Complaint& complaint : cluster.complaints) {
    if (complaint.verdict == Verdict::kViolated) finding.complaints.push_back(complaint.message);
  }
  finding.crash = CrashKind::kIoError;
  finding.point = cluster.example.text;
  finding.sequence = call.sequence;
  finding.state.record = call.sequence;
  finding.crash_operation = involve(call);
  finding.states = cluster.faults.size();
  finding.points_total = cluster.faults.size();
  for (const std::string& fault : cluster.faults) {
    if (finding.points.size() < reports::kPointsMax) finding.points.push_back(fault);
  }
  finding.first_point = cluster.faults.front();
  finding.last_point = cluster.faults.back();
  document_.findings.push_back(std::move(finding));
}

void DocumentBuilder::add_durability(CrashKind crash, const std::string& model,
                                     const UnitHistory& units, const Floor& floor) {
  document_.durability.push_back({crash, model, durable_since(units, floor, document_.operations)});
}

void DocumentBuilder::add_real_finding(CrashKind crash, const Complaint& said, CrashPoint point,
                                       const std::string& on) {
  reports::Finding finding;
  finding.id =
      digest_of(fmt::format("{}\n{}\n{}\n{}", name_of(crash), name_of(said.judge), said.path, on))
          .hex()
          .substr(0, 12);
  finding.title = fmt::format("Seen on {}, and no model that was explored has a state like it", on);
  finding.judge = name_of(said.judge);
  finding.path = said.path;
  finding.complaints = {said.message};
  finding.crash = crash;
  finding.point = finding.first_point = finding.last_point = names_.name(named_point(point.record));
  finding.points = {finding.point};
  finding.points_total = 1;
  finding.sequence = finding.state.record = point.record;
  if (const Operation* at = trace_.find(named_point(point.record).record)) {
    finding.crash_operation = involve(*at);
  }
  finding.states = 1;
  document_.findings.push_back(std::move(finding));
}

void DocumentBuilder::add_notes() {
  for (const Habit& habit : find_habits(trace_)) {
    const Operation* operation = trace_.find(habit.record);
    document_.notes.push_back(
        {.rule = std::string(habit.id),
         .message = habit.message,
         .path = habit.path,
         .sequence = habit.record,
         .stack = operation != nullptr ? add_stack(operation->stack) : reports::kNoStack,
         .occurrences = habit.occurrences});
  }
}

void DocumentBuilder::note_broken_promises(const std::string& crash, const std::string& message,
                                           uint64_t states) {
  document_.notes.push_back(
      {.rule = "printed-not-durable",
       .message = fmt::format(
           "{}: {} (not held against the program, since not every line printed is a promise; "
           "--ack says which are)",
           crash, message),
       .occurrences = states});
}

CrashPoint DocumentBuilder::named_point(uint64_t record) const {
  while (record > 0 && names_.occurrence(record) == 0) --record;
  return {record, -1};
}

}  // namespace everycrash::cli
