#include "harness/cli/chaos_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/base/crash_kind.h"
#include "harness/base/digest.h"
#include "harness/cli/document_builder.h"
#include "harness/cli/evidence_trees.h"
#include "harness/cli/sharding.h"
#include "harness/explain/path_pattern.h"
#include "reports/text.h"

namespace everycrash::cli {
namespace {

constexpr int64_t kFileBytesMax = 36 * 1024;
constexpr size_t kPrintedBytes = 600;
constexpr size_t kTitleBytesMax = 120;
constexpr int32_t kNoProcess = -1;

/// What a chaos run plays, and how long: options that a single round replaces.
constexpr std::array<std::string_view, 5> kExtent = {"--for", "--rounds", "--round", "--seed",
                                                     "--metrics"};

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

/// What a command printed is behind the line that says how it ended.
std::string_view telling_line(const ChaosFailure& failure) {
  const std::string_view said = failure.said.front();
  if (failure.judge == kEventualSuccess) return first_line(said);
  const size_t end = said.find('\n');
  return end == std::string_view::npos ? said : first_line(said.substr(end + 1));
}

std::string key_of(const ChaosFailure& failure) {
  const std::string what = failure.path.empty() ? std::string(telling_line(failure)) : failure.path;
  return fmt::format("chaos {} {}", failure.judge, path_pattern(what, kNoProcess));
}

std::string title_of(const ChaosFailure& failure) {
  if (failure.judge == kEventualSuccess) {
    return fmt::format("After random faults the workload fails, though it is left in peace ({})",
                       telling_line(failure));
  }
  return fmt::format("Random faults leave what is not good: {}",
                     reports::elide_middle(std::string(telling_line(failure)), kTitleBytesMax));
}

reports::Evidence evidence_of(const ChaosFailure& failure, const Exploration& exploration,
                              const History& history) {
  reports::Evidence evidence;
  evidence.before_sequence = exploration.trace.records().size();
  add_tree_rows(evidence, {&history.final_tree(), &failure.tree, nullptr}, kTreeRowsMax);
  const size_t end = failure.printed.size();
  evidence.printed = failure.printed.substr(end - std::min(end, kPrintedBytes));
  if (failure.path.empty()) return evidence;
  const Result<FileSystem> start = FileSystem::initial(exploration.trace);
  if (!start) return evidence;
  evidence.file =
      file_versions(failure.path, {&*start, &history.final_tree(), &failure.tree}, kFileBytesMax);
  evidence.file->new_sequence = evidence.before_sequence;
  return evidence;
}

reports::Finding finding_of(const std::string& key, const ChaosCluster& cluster,
                            const Exploration& exploration, const History& history) {
  const ChaosFailure& failure = cluster.first;
  reports::Finding finding;
  finding.id = digest_of(key).hex().substr(0, 12);
  finding.title = title_of(failure);
  finding.judge = failure.judge;
  finding.path = failure.path;
  finding.complaints = failure.said;
  finding.crash = CrashKind::kChaos;
  finding.schedule = failure.lives;
  finding.states = finding.points_total = cluster.rounds.size();
  for (const uint64_t round : cluster.rounds) {
    if (finding.points.size() < reports::kPointsMax)
      finding.points.push_back(fmt::format("round {}", round));
  }
  finding.point = finding.first_point = fmt::format("round {}", failure.round);
  finding.last_point = fmt::format("round {}", cluster.rounds.back());
  finding.reproduce = command_of_round(own_arguments(), exploration.options.seed, failure.round);
  finding.evidence = evidence_of(failure, exploration, history);
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

void ChaosClusters::add(ChaosFailure failure) {
  ChaosCluster& cluster = clusters_[key_of(failure)];
  cluster.rounds.push_back(failure.round);
  if (cluster.rounds.size() == 1) cluster.first = std::move(failure);
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

reports::ResultDocument chaos_document(const Exploration& exploration, const Panel& panel,
                                       const ChaosCounts& counts, const ChaosClusters& clusters) {
  DocumentBuilder builder(exploration.trace);
  reports::ResultDocument& document = builder.document();
  describe_run(document, exploration, panel);
  document.crash_kinds = {CrashKind::kChaos};
  document.models.clear();
  document.elapsed_ms = static_cast<uint64_t>(counts.elapsed.count());
  builder.describe_recording();
  document.chaos = figures_of(counts);
  document.coverage.push_back(
      {.crash = CrashKind::kChaos,
       .crash_points = counts.rounds,
       .considered = counts.rounds,
       .distinct = counts.rounds,
       .checked = counts.rounds,
       .survived = counts.survived,
       .violated = counts.bad,
       .not_measured = counts.rounds - counts.survived - counts.bad,
       .bound = fmt::format("{} random rounds from seed {}", counts.rounds, counts.seed)});
  for (const auto& [key, cluster] : clusters.by_key()) {
    document.findings.push_back(finding_of(key, cluster, exploration, panel.grounds->history));
  }
  builder.add_notes();
  return std::move(document);
}

}  // namespace everycrash::cli
