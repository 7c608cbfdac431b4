#include "harness/cli/document/document_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "harness/base/path_text.h"
#include "harness/cli/document/bounds.h"
#include "harness/cli/document/habit_words.h"
#include "harness/cli/document/outside_events.h"
#include "harness/cli/kernel.h"
#include "harness/cli/version.h"
#include "harness/explain/path_pattern.h"
#include "harness/explore/habits.h"
#include "harness/inject/fault_text.h"
#include "harness/model/persistence_model.h"
#include "harness/record/unsupported.h"
#include "harness/trace/event.h"

namespace everycrash::cli {
namespace {

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

/// The beginning of what came out of the program with RECORD, or of the events that it was.
std::string text_of(const Operation& record) {
  constexpr size_t kTextBytes = 120;
  return std::string((tells(record.kind) ? record.payload : record.events).substr(0, kTextBytes));
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

DocumentBuilder::DocumentBuilder(const Trace& trace, const RunNames& names)
    : trace_(trace), names_(names), stacks_(document_), operations_(trace, names, stacks_) {}

void DocumentBuilder::describe_run(const CampaignPlan& plan, const Workload& workload) {
  document_.tool_version = kVersion;
  document_.workload = workload.argv;
  document_.state_directory = workload.state_directory.string();
  document_.trace.identity = trace_.identity();
  document_.seed = plan.seed;
  document_.kernel = kernel_name();
  document_.crash_kinds = plan.crash;
  if (std::any_of(plan.crash.begin(), plan.crash.end(), loses_power)) {
    for (const PersistenceRules* model : plan.models) document_.models.emplace_back(model->name);
  }
  warn_of_unmet_faults(plan.run.faults);
}

/// Names the faults of the recorded run that none of its calls met: it was judged as if without.
void DocumentBuilder::warn_of_unmet_faults(const std::vector<std::string>& faults) {
  for (size_t i = 0; i < faults.size(); ++i) {
    const Result<faults::Fault> fault = read_fault(faults[i]);
    if (!fault || fault->call == faults::kStart || trace_.faults().fired[i] > 0) continue;
    document_.recorded.warnings.push_back(
        fmt::format("no call of the run met the fault {} ({} of its kind and path)", faults[i],
                    trace_.faults().matched[i]));
  }
}

void DocumentBuilder::describe_judges(const Selection& selection) {
  for (const Judge judge : selection.judges) {
    document_.oracles.push_back({name_of(judge), true, ""});
  }
  for (const NotJudged& fact : selection.not_judged) {
    document_.oracles.push_back({"", false, describe(fact)});
  }
}

void DocumentBuilder::describe_limitations(const std::vector<Limitation>& limitations) {
  for (const Limitation& limitation : limitations) {
    document_.capabilities.push_back(words_for(limitation));
  }
}

void DocumentBuilder::describe_recording() {
  const PointNames& names = names_.points();
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
         .stack = operations_.stack(record.stack),
         .point = names.occurrence(record.sequence) == 0 ? "" : names.name({record.sequence, -1}),
         .detail = detail_of(record),
         .text = text_of(record),
         .events = outside_events(record)});
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
    const reports::StackIndex index = operations_.stack(record.stack);
    const reports::Frame* frame = nullptr;
    if (index != reports::kNoStack) {
      const reports::Stack& stack = document_.stacks[static_cast<size_t>(index)];
      frame = &document_.frames[stack.frames[stack.user_frame]];
    }
    std::string place = names_.site_of(record.stack).name;
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

void DocumentBuilder::add_coverage(const CoverageFacts& facts) {
  reports::Coverage row{.crash = facts.crash,
                        .model = facts.real ? "real " + facts.model : facts.model,
                        .crash_points = facts.crash_points,
                        .considered = facts.considered,
                        .distinct = facts.distinct,
                        .checked = facts.checked,
                        .survived = facts.survived,
                        .violated = facts.violated,
                        .not_measured = facts.not_measured,
                        .skipped_by_budget = facts.skipped_by_budget,
                        .skipped_by_shard = facts.skipped_by_shard,
                        .exhaustive = facts.exhaustive,
                        .bound = words_for(facts.bounds)};
  for (size_t i = 0; i < kStrategies; ++i) {
    if (facts.strategies[i] == 0) continue;
    row.strategies.push_back({std::string(name_of(static_cast<Strategy>(i))), facts.strategies[i]});
  }
  document_.coverage.push_back(std::move(row));
  for (const Bound& bound : facts.bounds) {
    if (const auto* never = std::get_if<NeverMet>(&bound)) {
      document_.recorded.warnings.push_back(words_for(*never));
    }
  }
}

void DocumentBuilder::add_gap(const Gap& gap) {
  document_.oracles.push_back({"", false, words_for(gap)});
}

void DocumentBuilder::add_durability(const DurabilityFacts& facts) {
  EVERYCRASH_ASSERT(facts.since.size() == trace_.records().size());
  reports::Durability durability{.crash = facts.crash, .model = facts.model};
  for (const reports::TimelineOperation& operation : document_.operations) {
    durability.since.push_back(facts.since[operation.sequence - 1]);
  }
  document_.durability.push_back(std::move(durability));
}

void DocumentBuilder::add_effects(const std::vector<EffectFacts>& table) {
  for (const EffectFacts& facts : table) {
    if (document_.effects.size() == reports::kEffectsMax) {
      document_.effects_left_out = table.size() - reports::kEffectsMax;
      return;
    }
    reports::EffectRow& row =
        document_.effects.emplace_back(reports::EffectRow{.effect = facts.effect,
                                                          .undisturbed = facts.undisturbed,
                                                          .repeatable = facts.repeatable,
                                                          .habitual = facts.habitual});
    for (const EffectFaultCount& fault : facts.faults) {
      row.faults.push_back({fault.crash, fault.model, fault.duplicated, fault.lost});
    }
  }
}

void DocumentBuilder::add_notes() {
  for (const Habit& habit : find_habits(trace_)) {
    const Operation* operation = trace_.find(habit.record);
    document_.notes.push_back(
        {.rule = std::string(name_of(habit.kind)),
         .message = words_for(habit.kind),
         .path = habit.path,
         .sequence = habit.record,
         .stack = operation != nullptr ? operations_.stack(operation->stack) : reports::kNoStack,
         .occurrences = habit.occurrences});
  }
}

void DocumentBuilder::note_belied(const BeliedPrints& belied) {
  document_.notes.push_back(
      {.rule = "printed-not-durable",
       .message = fmt::format(
           "{}, {}: {} (not held against the program, since not every line printed is a promise; "
           "--ack says which are)",
           name_of(belied.crash), belied.model, belied.message),
       .occurrences = belied.states});
}

}  // namespace everycrash::cli
