#include "harness/cli/exploration.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include "harness/base/crash_kind.h"
#include "harness/base/exit_status.h"
#include "harness/base/quoting.h"
#include "harness/cli/again_campaign.h"
#include "harness/cli/campaign.h"
#include "harness/cli/concurrent_campaign.h"
#include "harness/cli/explorations.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/kernel.h"
#include "harness/cli/real_campaign.h"
#include "harness/cli/report_files.h"
#include "harness/cli/sharding.h"
#include "harness/cli/status.h"
#include "harness/cli/version.h"
#include "harness/cli/workload.h"
#include "harness/inject/fault_text.h"
#include "reports/html/html_report.h"
#include "reports/result_json.h"
#include "reports/text_report.h"

namespace everycrash::cli {
namespace {

size_t worker_count(const TestOptions& options) {
  if (options.jobs != 0) return options.jobs;
  return std::max(1u, std::thread::hardware_concurrency());
}

/// Names the faults of the recorded run that none of its calls met: it was judged as if without.
void warn_of_unmet_faults(const TestOptions& options, const Trace& trace,
                          std::vector<std::string>& warnings) {
  const std::vector<std::string> faults = faults_of(options);
  for (size_t i = 0; i < faults.size(); ++i) {
    const Result<faults::Fault> fault = read_fault(faults[i]);
    if (!fault || fault->call == faults::kStart || trace.faults().fired[i] > 0) continue;
    warnings.push_back(fmt::format("no call of the run met the fault {} ({} of its kind and path)",
                                   faults[i], trace.faults().matched[i]));
  }
}

}  // namespace

void describe_run(reports::ResultDocument& document, const Exploration& exploration,
                  const Panel& panel) {
  const TestOptions& options = exploration.options;
  document.tool_version = kVersion;
  document.command = exploration.command;
  document.workload = exploration.workload.argv;
  document.state_directory = exploration.workload.state_directory.string();
  document.trace.identity = exploration.trace.identity();
  document.seed = options.seed;
  document.kernel = kernel_name();
  document.crash_kinds = crash_kinds_of(options);
  if (std::any_of(document.crash_kinds.begin(), document.crash_kinds.end(), loses_power)) {
    document.models = options.models;
  }
  const Capabilities& capabilities = panel.judges.front()->sandbox().capabilities();
  warn_of_unmet_faults(options, exploration.trace, document.recorded.warnings);
  if (!capabilities.explanation.empty()) document.capabilities.push_back(capabilities.explanation);
  document.capabilities.insert(document.capabilities.end(), panel.remarks.begin(),
                               panel.remarks.end());
  if (!exploration.workspace.in_memory()) {
    document.capabilities.push_back(
        fmt::format("no memory file system can be written: states are built in {}, "
                    "more slowly",
                    exploration.workspace.path().parent_path().string()));
  }
  for (const Judge judge : panel.grounds->selection.judges)
    document.oracles.push_back({name_of(judge), true, ""});
  for (const NotJudged& fact : panel.grounds->selection.not_judged) {
    document.oracles.push_back({"", false, describe(fact)});
  }
}

namespace {

/// True if only lost syncs were explored, and there are none.
bool no_sync_is_lost(const reports::ResultDocument& document) {
  return std::all_of(document.coverage.begin(), document.coverage.end(), [](const auto& coverage) {
    return coverage.crash == CrashKind::kLostFsync && coverage.considered == 0;
  });
}

/// The verdict of everything that was explored, and the exit status for it: 1 beats 3 beats 5.
void conclude(reports::ResultDocument& document, const Campaign& campaign) {
  const TestOptions& options = campaign.exploration.options;
  uint64_t survived = 0;
  uint64_t checked = 0;
  uint64_t unjudged = 0;
  uint64_t skipped = 0;
  bool complete = true;
  std::string untouched;  // what was asked for and not looked at
  for (const reports::Coverage& coverage : document.coverage) {
    survived += coverage.survived;
    checked += coverage.checked;
    unjudged += coverage.not_measured;
    skipped += coverage.skipped_by_budget;
    complete = complete && coverage.exhaustive;
    if (coverage.survived + coverage.violated == 0 && !coverage.exhaustive) {
      untouched += fmt::format("{}{} {}", untouched.empty() ? "" : ", ", name_of(coverage.crash),
                               coverage.model);
    }
  }
  document.interrupted = campaign.was_interrupted();
  document.outcome = reports::Outcome::kSurvived;
  document.exit_code = kExitGood;
  if (reports::count_failing(document) > 0) {
    document.outcome = reports::Outcome::kViolated;
    document.exit_code = kExitFinding;
  } else if (campaign.shard.count > 1 && checked == 0 && !campaign.deadline) {
    document.outcome = reports::Outcome::kNothing;
    document.reason = "no crash state belongs to this shard";
  } else if (survived == 0 && document.findings.empty()) {
    document.outcome = reports::Outcome::kNotMeasured;
    document.reason = no_sync_is_lost(document)
                          ? "the workload makes no sync that could be lost; --crash power shows "
                            "what it loses without"
                          : "not one crash state could be judged";
    document.exit_code = kExitNoVerdict;
  } else if (!untouched.empty() && campaign.shard.count == 1) {
    document.outcome = reports::Outcome::kNotMeasured;
    document.reason = fmt::format("no crash state was judged for {}{}", untouched,
                                  skipped > 0 ? "; allow more time (--budget)" : "");
    document.exit_code = kExitNoVerdict;
  } else if (options.strict && unjudged + skipped > 0) {
    document.outcome = reports::Outcome::kNotMeasured;
    document.reason = "--strict: some crash states were not judged";
    document.exit_code = kExitFinding;
  } else if (options.require_complete && (!complete || unjudged > 0)) {
    document.reason = "--require-complete: not everything was covered";
    document.exit_code = kExitIncomplete;
  }
  if (document.outcome == reports::Outcome::kSurvived && !document.findings.empty())
    document.outcome = reports::Outcome::kViolated;  // known, or of a kind that is only reported
  if (options.expect == "finding")
    document.exit_code = document.findings.empty() ? kExitNoVerdict : kExitGood;
  if (document.interrupted) document.exit_code = kExitInterrupted;
}

Status copy_trace(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code error;
  if (std::filesystem::equivalent(from, to, error)) return {};
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, error);
  if (error)
    return harness_error(
        fmt::format("cannot keep the trace in {}: {}", to.string(), error.message()));
  return {};
}

/// Keeps the traces of other runs that findings are of beside FILE, and names them as they are
/// there.
Status keep_other_traces(reports::ResultDocument& document, const std::filesystem::path& file) {
  std::map<std::string, std::string> kept;
  const auto keep_one = [&](std::string& trace) -> Status {
    if (trace.empty()) return {};
    const auto [entry, fresh] = kept.try_emplace(trace);
    if (fresh) {
      entry->second = fmt::format("{}.{}.trace", file.filename().string(), kept.size());
      const Status ok = copy_trace(trace, file.parent_path() / entry->second);
      if (!ok) return ok;
    }
    trace = entry->second;
    return {};
  };
  for (reports::Finding& finding : document.findings) {
    if (Status ok = keep_one(finding.trace); !ok) return ok;
    if (Status ok = keep_one(finding.serial_trace); !ok) return ok;
    for (reports::EarlierCrash& earlier : finding.earlier) {
      if (Status ok = keep_one(earlier.trace); !ok) return ok;
    }
  }
  return {};
}

/// Writes what a replay needs: the document, and the trace beside it. With --json there, else, if
/// there is something to replay, in the output folder.
Status keep(reports::ResultDocument& document, const Exploration& exploration) {
  const TestOptions& options = exploration.options;
  std::filesystem::path file = options.json;
  if (file.empty()) {
    if (document.findings.empty()) return {};
    const std::filesystem::path folder = options.output / document.trace.identity.substr(0, 12);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      return harness_error(
          fmt::format("cannot keep the run in {}: {}\nName another folder with --output.",
                      folder.string(), error.message()));
    }
    file = folder / "result.json";
  }
  if (!document.findings.empty() && std::filesystem::exists(file) &&
      !std::filesystem::is_regular_file(file)) {
    return reports::write_document(document, file);  // a pipe or a device: nothing to replay from
  }
  document.trace.file = file.filename().string() + ".trace";
  name_trace_of_sightings(file.string() + ".trace", document);
  for (reports::Finding& finding : document.findings) {
    if (loses_power(finding.crash) && finding.models.empty()) {
      continue;  // seen on a real disk only
    }
    if (finding.crash == CrashKind::kChaos) continue;  // a round is played again
    finding.reproduce =
        fmt::format("everycrash replay {} {}", shell_quote(file.string()), finding.id);
  }
  if (Status ok = copy_trace(exploration.trace_file, file.string() + ".trace"); !ok) return ok;
  if (Status ok = keep_other_traces(document, file); !ok) return ok;
  return reports::write_document(document, file);
}

/// What a merge needs to tell the whole run.
void describe_shard(reports::ResultDocument& document, const Campaign& campaign) {
  document.shard = shard_text(campaign.shard);
  if (document.shard.empty()) return;
  const bool complete =
      std::all_of(document.coverage.begin(), document.coverage.end(),
                  [](const auto& coverage) { return coverage.skipped_by_budget == 0; });
  reports::ShardMaterial& material = document.shard_material.emplace();
  material.bounds = bounds_of(campaign.exploration.options);
  campaign.verdicts.write(complete && !campaign.was_interrupted(), material);
}

/// Writes the report for people into FOLDER, if one was named, and says where it is.
Status draw(const reports::ResultDocument& document, const std::filesystem::path& folder) {
  if (folder.empty()) return {};
  const Result<std::filesystem::path> file = reports::write_html_report(document, folder);
  if (!file) return tl::unexpected(file.error());
  fmt::print(stderr, "everycrash: the report is in {}\n", printable(file->string()));
  return {};
}

}  // namespace

Status keep_and_draw(reports::ResultDocument& document, const Exploration& exploration) {
  Status kept = keep(document, exploration);
  if (Status ok = draw(document, exploration.options.report); !ok && kept) kept = std::move(ok);
  return kept;
}

namespace {

Result<int> finish(const Campaign& campaign, reports::ColourChoice colour) {
  const Exploration& exploration = campaign.exploration;
  reports::ResultDocument& document = campaign.builder.document();
  const TestOptions& options = exploration.options;
  if (Status ok = waive(options, document); !ok) return tl::unexpected(ok.error());
  note_unsearched(options, document);
  conclude(document, campaign);
  describe_shard(document, campaign);
  const Status kept = keep_and_draw(document, exploration);
  reports::Terminal out(STDOUT_FILENO, colour);
  reports::TextOptions text{.colour = out.colour()};
  if (options.quiet) text.detail = reports::Detail::kQuiet;
  if (options.verbose > 0) text.detail = reports::Detail::kVerbose;
  out.print(without_commands(reports::text_report(document, text)));
  const Status written = write_reports(options, document);
  if (!kept) return tl::unexpected(kept.error());
  if (!written) return tl::unexpected(written.error());
  return document.exit_code;
}

/// One part of an exploration: a crash kind, under one model where it has models.
struct Part {
  CrashKind crash;
  std::string model;
  std::string real;  ///< the real file system, "" = none
};

Status explore_part(Campaign& campaign, const Part& part, std::optional<AgainCampaign>& again) {
  if (part.crash == CrashKind::kConcurrent) return ConcurrentCampaign(campaign).run();
  if (part.crash == CrashKind::kAgain) return again->run();
  if (!part.real.empty()) return explore_real(campaign, part.crash, part.real);
  if (!part.model.empty()) {
    if (again) again->watch(part.crash, part.model);
    return explore_power(campaign, part.crash, part.model);
  }
  if (part.crash == CrashKind::kClock) return explore_clock(campaign);
  if (part.crash == CrashKind::kIoError) return explore_io_errors(campaign);
  if (again) again->watch(part.crash, "");
  return explore_kill(campaign);
}

std::vector<Part> parts_of(const TestOptions& options) {
  const std::vector<CrashKind> kinds = crash_kinds_of(options);
  std::vector<Part> parts;
  for (const CrashKind crash : kinds) {
    if (is_run_anew(crash)) continue;
    if (!loses_power(crash)) {
      parts.push_back({crash, "", ""});
      continue;
    }
    for (const std::string& model : options.models) parts.push_back({crash, model, ""});
  }
  for (const CrashKind crash : kinds) {
    if (!loses_power(crash)) continue;
    for (const std::string& real : options.on) parts.push_back({crash, "", real});
  }
  for (const CrashKind crash : {CrashKind::kAgain, CrashKind::kConcurrent}) {
    const bool asked = std::find(kinds.begin(), kinds.end(), crash) != kinds.end();
    if (asked) parts.push_back({crash, "", ""});
  }
  return parts;
}

/// What the models found is told also where a real file system cannot be explored: then its error
/// comes after that.
Status explore_or_defer(Campaign& campaign, const Part& part, std::optional<AgainCampaign>& again,
                        Status& deferred) {
  Status done = explore_part(campaign, part, again);
  if (done || part.real.empty() || interrupted()) return done;
  const std::string& why = done.error().message;
  campaign.builder.document().oracles.push_back(
      {"", false, fmt::format("real {}: {}", part.real, why.substr(0, why.find('\n')))});
  if (deferred) deferred = std::move(done);
  return {};
}

/// Says which parts were not even begun.
void tell_left_out(std::span<const Part> parts, reports::ResultDocument& document) {
  std::vector<std::string> names;
  for (const Part& part : parts) {
    const std::string& under = part.real.empty() ? part.model : part.real;
    names.push_back(fmt::format("{}{}{}", name_of(part.crash), under.empty() ? "" : " ", under));
    if (!part.real.empty()) continue;
    // Without its row the run would count as exhaustive.
    document.coverage.push_back(
        {.crash = part.crash, .model = part.model, .bound = "not begun after the first finding"});
  }
  document.oracles.push_back(
      {"", false,
       fmt::format("--fail-fast: {} {} not explored after the first finding",
                   fmt::join(names, ", "), parts.size() == 1 ? "was" : "were")});
}

/// Each part may use its share of the time that is left: what one does not need goes to the others.
Status explore_all(Campaign& campaign, Status& deferred) {
  const std::vector<Part> parts = parts_of(campaign.exploration.options);
  std::optional<AgainCampaign> again;
  const bool is_again = std::any_of(
      parts.begin(), parts.end(), [](const Part& part) { return part.crash == CrashKind::kAgain; });
  if (is_again) again.emplace(campaign);
  const auto end = campaign.deadline;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (campaign.ends_at_finding()) {
      tell_left_out(std::span(parts).subspan(i), campaign.builder.document());
      return {};
    }
    if (end) {
      const auto now = std::chrono::steady_clock::now();
      campaign.deadline = now + (*end - now) / static_cast<int64_t>(parts.size() - i);
    }
    const Status done = explore_or_defer(campaign, parts[i], again, deferred);
    if (!done) return done;
  }
  return {};
}

/// Fails with kNothing where no state can differ from another.
Status check_changes(const Exploration& exploration) {
  const auto& records = exploration.trace.records();
  const bool changes = std::any_of(records.begin(), records.end(), [](const Operation& record) {
    return is_operation(record.kind) && changes_state(record);
  });
  if (changes) return {};
  return fail(
      ErrorKind::kNothing,
      fmt::format(
          "nothing to explore: the workload changed nothing in its state directory {}\n"
          "It must keep its files below its working directory; or name their folder with --dir.",
          exploration.workload.state_directory.string()));
}

Result<Panel> panel_of(const Exploration& exploration, const reports::Judging& judging) {
  return make_panel(exploration.trace,
                    {.judging = judging,
                     .workload = exploration.workload.argv,
                     .recorded_path = exploration.workload.state_directory,
                     .plain = exploration.options.plain,
                     .check_server = exploration.options.check_server,
                     .workers = worker_count(exploration.options),
                     .host_sink = host_sink_of(exploration.workload)},
                    exploration.workspace);
}

}  // namespace

Result<int> explore(const Exploration& exploration) {
  const TestOptions& options = exploration.options;
  const Result<reports::ColourChoice> colour = reports::parse_colour(options.color);
  if (!colour) return tl::unexpected(colour.error());
  const Result<Shard> shard = parse_shard(options.shard);
  if (!shard) return tl::unexpected(shard.error());
  if (Status ok = announce_sharding(); !ok) return tl::unexpected(ok.error());
  const Result<reports::Judging> judging = judging_of(options, exploration.workload);
  if (!judging) return tl::unexpected(judging.error());
  if (Status ok = check_changes(exploration); !ok) return tl::unexpected(ok.error());
  begin_phase("judging the undisturbed run");
  Result<Panel> panel = panel_of(exploration, *judging);
  if (!panel) return tl::unexpected(panel.error());
  DocumentBuilder builder(exploration.trace);
  builder.document().judging = *judging;
  describe_run(builder.document(), exploration, *panel);
  builder.describe_recording();

  reports::Terminal terminal(STDERR_FILENO, *colour);
  Result<Campaign> campaign = make_campaign(exploration, *panel, builder, terminal, *shard);
  if (!campaign) return tl::unexpected(campaign.error());
  Status deferred;
  if (Status ok = explore_all(*campaign, deferred); !ok) return tl::unexpected(ok.error());
  const std::vector<CrashKind> kinds = crash_kinds_of(options);
  if (!std::all_of(kinds.begin(), kinds.end(), is_run_anew)) {
    builder.describe_call_sites(campaign->crashed);
  }
  builder.add_notes();
  campaign->effects.write(panel->grounds->history.events(), panel->grounds->selection.habitual,
                          builder.document());
  Result<int> code = finish(*campaign, *colour);
  if (code && *code != kExitFinding && !deferred) return tl::unexpected(deferred.error());
  return code;
}

}  // namespace everycrash::cli
