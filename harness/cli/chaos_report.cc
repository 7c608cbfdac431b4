#include "harness/cli/chaos_report.h"

#include <fmt/format.h>

namespace everycrash::cli {
namespace {

// Markers that a program may set beside its own, and how a person calls them.
constexpr std::pair<const char*, const char*> kKnownSteps[] = {
    {"retry", "retries"},
    {"idempotency-hit", "idempotency hits"},
    {"recovered", "recovered tasks"},
    {"dead-letter", "dead letters"}};

double per_cent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

uint64_t steps_named(const ChaosCounts& counts, const char* name) {
  const auto found = counts.steps.find(name);
  return found == counts.steps.end() ? 0 : found->second;
}

/// One metric with its explanation; values are added behind it.
void begin_metric(std::string& text, const char* name, const char* type, const char* help) {
  text += fmt::format("# HELP everycrash_chaos_{} {}\n# TYPE everycrash_chaos_{} {}\n", name, help,
                      name, type);
}

template <typename Value>
void add_metric(std::string& text, const char* name, const char* type, const char* help,
                Value value) {
  begin_metric(text, name, type, help);
  text += fmt::format("everycrash_chaos_{} {}\n", name, value);
}

std::string label_value(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

void add_by_label(std::string& text, const char* name, const char* label, const char* help,
                  const std::map<std::string, uint64_t>& values) {
  begin_metric(text, name, "counter", help);
  for (const auto& [value, count] : values) {
    text += fmt::format("everycrash_chaos_{}{{{}=\"{}\"}} {}\n", name, label, label_value(value),
                        count);
  }
}

void add_retries(std::string& text, const ChaosCounts& counts) {
  begin_metric(text, "retries", "histogram", "Lives of a round that failed before one succeeded");
  uint64_t cumulated = 0;
  uint64_t sum = 0;
  for (const auto& [retries, rounds] : counts.retries) {
    cumulated += rounds;
    sum += retries * rounds;
    text += fmt::format("everycrash_chaos_retries_bucket{{le=\"{}\"}} {}\n", retries, cumulated);
  }
  text += fmt::format(
      "everycrash_chaos_retries_bucket{{le=\"+Inf\"}} {0}\neverycrash_chaos_retries_sum {1}\n"
      "everycrash_chaos_retries_count {0}\n",
      cumulated, sum);
}

}  // namespace

std::string chaos_text(const ChaosCounts& counts) {
  std::string text =
      fmt::format("{} rounds, {} runs in {:.1f} s, seed {}\n", counts.rounds, counts.runs,
                  static_cast<double>(counts.elapsed.count()) / 1000, counts.seed);
  const uint64_t judged = counts.rounds - counts.not_measured;
  text += fmt::format("  {:<18}{} of {} ({:.2f} %)", "consistency", counts.consistent, judged,
                      per_cent(counts.consistent, judged));
  text += counts.not_measured == 0 ? "\n" : fmt::format("; {} not judged\n", counts.not_measured);
  text += fmt::format("  {:<18}{} of {} ({:.2f} %)\n", "eventual success", counts.succeeded,
                      counts.rounds, per_cent(counts.succeeded, counts.rounds));
  text += fmt::format("  {:<18}mean {} ms, worst {} ms\n", "recovery",
                      mean_recovery(counts).count(), counts.recovery_worst.count());
  text += fmt::format("  {:<18}", "faults met");
  const char* separator = "";
  for (const auto& [word, count] : counts.faults) {
    text += fmt::format("{}{} {}", separator, word, count);
    separator = ", ";
  }
  text += fmt::format("\n  {:<18}{}\n", "failed writes", counts.failed_writes);
  text += fmt::format("  {:<18}", "lives to retry");
  separator = "";
  for (const auto& [retries, rounds] : counts.retries) {
    text += fmt::format("{}{}: {}", separator, retries, rounds);
    separator = ", ";
  }
  text += "\n";
  for (const auto& [step, name] : kKnownSteps) {
    text += fmt::format("  {:<18}{}\n", name, steps_named(counts, step));
  }
  return text;
}

std::string prometheus_text(const ChaosCounts& counts) {
  std::string text;
  add_metric(text, "seed", "gauge", "What the run was drawn from", counts.seed);
  add_metric(text, "rounds_total", "counter", "Rounds of lives on one state", counts.rounds);
  add_metric(text, "runs_total", "counter", "Starts of the workload", counts.runs);
  add_metric(text, "consistent_rounds_total", "counter",
             "Rounds after which checker and oracles had nothing to say", counts.consistent);
  add_metric(text, "unjudged_rounds_total", "counter", "Rounds that could not be judged",
             counts.not_measured);
  add_metric(text, "successful_rounds_total", "counter",
             "Rounds after which the workload, left in peace, succeeded", counts.succeeded);
  add_metric(text, "failed_writes_total", "counter", "Calls that failed or were cut short",
             counts.failed_writes);
  add_metric(text, "recovery_seconds_mean", "gauge", "Time of the run that is left in peace",
             static_cast<double>(mean_recovery(counts).count()) / 1000);
  add_metric(text, "recovery_seconds_max", "gauge", "The longest of these",
             static_cast<double>(counts.recovery_worst.count()) / 1000);
  add_by_label(text, "faults_total", "fault", "Faults that were met", counts.faults);
  add_by_label(text, "steps_total", "step", "Step markers of the workload", counts.steps);
  add_retries(text, counts);
  return text;
}

}  // namespace everycrash::cli
