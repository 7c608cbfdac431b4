#include "harness/cli/document/chaos_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "harness/cli/document/document_builder.h"
#include "harness/cli/document/evidence_trees.h"
#include "harness/cli/sharding.h"
#include "reports/text.h"

namespace everycrash::cli {
namespace {

constexpr int64_t kFileBytesMax = 36 * 1024;
constexpr size_t kPrintedBytes = 600;
constexpr size_t kTitleBytesMax = 120;
/// The judge of a workload that fails although it is left in peace.
constexpr const char* kEventualSuccess = "eventual success";

/// What a chaos run plays, and how long: options that a single round replaces.
constexpr std::array<std::string_view, 5> kExtent = {"--for", "--rounds", "--round", "--seed",
                                                     "--metrics"};

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

std::string title_of(const ChaosFailure& failure) {
  if (failure.complaints.empty()) {
    return fmt::format("After random faults the workload fails, though it is left in peace ({})",
                       words_for(failure));
  }
  const Complaint& first = failure.complaints.front();
  const std::string_view line = first_line(first.said.empty() ? first.message : first.said);
  return fmt::format("Random faults leave what is not good: {}",
                     reports::elide_middle(std::string(line), kTitleBytesMax));
}

reports::Evidence evidence_of(const ChaosFailure& failure, const Trace& trace,
                              const History& history) {
  reports::Evidence evidence;
  evidence.before_sequence = trace.records().size();
  add_tree_rows(evidence, {&history.final_tree(), &failure.tree, nullptr}, kTreeRowsMax);
  const size_t end = failure.printed.size();
  evidence.printed = failure.printed.substr(end - std::min(end, kPrintedBytes));
  const std::string path = failure.path();
  if (path.empty()) return evidence;
  const Result<FileSystem> start = FileSystem::initial(trace);
  if (!start) return evidence;
  evidence.file =
      file_versions(path, {&*start, &history.final_tree(), &failure.tree}, kFileBytesMax);
  evidence.file->new_sequence = evidence.before_sequence;
  return evidence;
}

reports::Finding finding_of(const ChaosCluster& cluster, const ChaosDocumentInput& input) {
  const ChaosFailure& failure = cluster.first;
  reports::Finding finding;
  finding.id = cluster.id();
  finding.title = title_of(failure);
  finding.judge =
      failure.complaints.empty() ? kEventualSuccess : name_of(failure.complaints.front().judge);
  finding.path = failure.path();
  finding.complaints = said_of(failure);
  finding.crash = CrashKind::kChaos;
  for (const ChaosLifeFacts& life : failure.lives) finding.schedule.push_back(words_for(life));
  finding.states = finding.points_total = cluster.rounds.size();
  for (const uint64_t round : cluster.rounds) {
    if (finding.points.size() < reports::kPointsMax)
      finding.points.push_back(fmt::format("round {}", round));
  }
  finding.point = finding.first_point = fmt::format("round {}", failure.round);
  finding.last_point = fmt::format("round {}", cluster.rounds.back());
  finding.reproduce = command_of_round(input.arguments, input.counts.seed, failure.round);
  finding.evidence = evidence_of(failure, input.trace, input.judged_by.history);
  return finding;
}

template <typename Key>
std::vector<reports::Count> list_of(const std::map<Key, uint64_t>& counts) {
  std::vector<reports::Count> list;
  for (const auto& [name, count] : counts) list.push_back({fmt::format("{}", name), count});
  return list;
}

reports::ChaosFigures figures_of(const ChaosCounts& counts) {
  return {.rounds = counts.rounds,
          .runs = counts.runs,
          .consistent = counts.consistent,
          .not_measured = counts.not_measured,
          .succeeded = counts.succeeded,
          .failed_writes = counts.failed_writes,
          .recovery_mean_ms = static_cast<uint64_t>(mean_recovery(counts).count()),
          .recovery_worst_ms = static_cast<uint64_t>(counts.recovery_worst.count()),
          .faults = list_of(counts.faults),
          .retries = list_of(counts.retries),
          .steps = list_of(counts.steps)};
}

}  // namespace

std::string words_for(const ChaosFailure& failure) {
  return failure.complaints.empty()
             ? fmt::format("left in peace, the workload ends with {}", describe(failure.end))
             : "what is left is not good";
}

std::vector<std::string> said_of(const ChaosFailure& failure) {
  if (failure.complaints.empty()) {
    return {words_for(failure) + last_words(failure.stderr_tail)};
  }
  std::vector<std::string> said;
  for (const Complaint& complaint : failure.complaints) said.push_back(complaint.message);
  return said;
}

std::string words_for(const ChaosLifeFacts& life) {
  return fmt::format("{}: {}", fmt::join(life.faults, ", "),
                     life.endless ? "it does not end" : describe(life.end));
}

std::string command_of_round(const std::vector<std::string>& arguments, uint64_t seed,
                             uint64_t round) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == "--") {
      kept.insert(kept.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
      break;
    }
    const std::string_view name = word.substr(0, word.find('='));
    if (std::find(kExtent.begin(), kExtent.end(), name) != kExtent.end()) {
      if (name.size() == word.size()) ++i;  // its value is a word of its own
      continue;
    }
    kept.emplace_back(word);
  }
  const std::array<std::string, 4> only = {"--seed", std::to_string(seed), "--round",
                                           std::to_string(round)};
  const auto command = std::min<std::ptrdiff_t>(2, static_cast<std::ptrdiff_t>(kept.size()));
  kept.insert(kept.begin() + command, only.begin(), only.end());
  return repeatable_command(kept);
}

reports::ResultDocument chaos_document(const ChaosDocumentInput& input) {
  const ChaosCounts& counts = input.counts;
  const RunNames names(input.trace);
  DocumentBuilder builder(input.trace, names);
  reports::ResultDocument& document = builder.document();
  builder.describe_run(input.plan, input.workload);
  builder.describe_limitations(input.limitations);
  builder.describe_judges(input.judged_by.selection);
  document.elapsed_ms = static_cast<uint64_t>(counts.elapsed.count());
  builder.describe_recording();
  document.chaos = figures_of(counts);
  builder.add_coverage({.crash = CrashKind::kChaos,
                        .crash_points = counts.rounds,
                        .considered = counts.rounds,
                        .distinct = counts.rounds,
                        .checked = counts.rounds,
                        .survived = counts.survived,
                        .violated = counts.bad,
                        .not_measured = counts.rounds - counts.survived - counts.bad,
                        .bounds = {RandomRounds{counts.rounds, counts.seed}}});
  for (const auto& [key, cluster] : input.failures.by_key()) {
    document.findings.push_back(finding_of(cluster, input));
  }
  builder.add_notes();
  return std::move(document);
}

}  // namespace everycrash::cli
