#include "harness/cli/report_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "harness/base/crash_kind.h"
#include "harness/cli/commands.h"
#include "harness/cli/version.h"
#include "reports/baseline.h"
#include "reports/github.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/result_json.h"
#include "reports/sarif.h"

namespace everycrash::cli {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<reports::FailOn> fail_on_of(const TestOptions& options) {
  const std::vector<CrashKind> kinds = crash_kinds_of(options);
  const bool modelled = std::any_of(kinds.begin(), kinds.end(), has_model);
  return reports::FailOn::parse(options.fail_on, options.crash,
                                modelled ? options.models : std::vector<std::string>{});
}

/// Appends to the file of the job summary, which steps of the job share.
Status append_summary(const std::string& text) {
  const std::string file = environment("GITHUB_STEP_SUMMARY");
  if (file.empty()) return {};
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) return system_error("cannot open the job summary " + file, errno);
  const bool whole =
      write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int problem = errno;
  close(descriptor);
  return whole ? Status{} : system_error("cannot write the job summary " + file, problem);
}

}  // namespace

std::filesystem::path document_file(const std::filesystem::path& given) {
  std::error_code error;
  return std::filesystem::is_directory(given, error) ? given / "result.json" : given;
}

bool on_github() {
  return environment("GITHUB_ACTIONS") == "true";
}

std::string without_commands(const std::string& text) {
  if (!on_github()) return text;
  uint64_t token[2] = {};
  if (getrandom(token, sizeof token, 0) != sizeof token) token[0] = static_cast<uint64_t>(getpid());
  return fmt::format("::stop-commands::everycrash-{0:x}{1:x}\n{2}::everycrash-{0:x}{1:x}::\n",
                     token[0], token[1], text);
}

std::string source_root() {
  const std::string workspace = on_github() ? environment("GITHUB_WORKSPACE") : "";
  if (!workspace.empty()) return workspace;
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

Status check_reports(const TestOptions& options) {
  if (const auto fail_on = fail_on_of(options); !fail_on) return tl::unexpected(fail_on.error());
  if (options.baseline.empty()) return {};
  const Result<reports::Baseline> baseline = reports::read_baseline(options.baseline);
  return baseline ? Status{} : tl::unexpected(baseline.error());
}

Status waive(const TestOptions& options, reports::ResultDocument& document) {
  const Result<reports::FailOn> fail_on = fail_on_of(options);
  if (!fail_on) return tl::unexpected(fail_on.error());
  reports::Baseline baseline;
  if (!options.baseline.empty()) {
    Result<reports::Baseline> read = reports::read_baseline(options.baseline);
    if (!read) return tl::unexpected(read.error());
    baseline = std::move(*read);
  }
  const std::vector<std::string> gone = reports::waive_findings(document, baseline, *fail_on);
  if (!gone.empty() && options.shard.empty() && !options.quiet) {
    fmt::print(stderr,
               "everycrash: not found any more, but still in {}: {}\n"
               "If they are repaired, 'everycrash baseline update' takes them out.\n",
               options.baseline.string(), fmt::join(gone, ", "));
  }
  return {};
}

Status write_reports(const TestOptions& options, const reports::ResultDocument& document) {
  const std::string root = source_root();
  Status result;
  const auto keep_first = [&result](Status status) {
    if (result && !status) result = std::move(status);
  };
  if (!options.junit.empty())
    keep_first(reports::write_whole(reports::junit_report(document, root), options.junit));
  if (!options.sarif.empty())
    keep_first(reports::write_whole(reports::sarif_report(document, root), options.sarif));
  if (!options.markdown.empty()) {
    keep_first(
        reports::write_whole(reports::markdown_report(document, {.root = root}), options.markdown));
  }
  if (on_github()) {
    fmt::print("{}", reports::github_annotations(document, root));
    std::fflush(stdout);
    keep_first(append_summary(reports::github_summary(document, root)));
  }
  return result;
}

void report_failure(const TestOptions& options, const Error& error) {
  reports::ResultDocument document;
  document.tool_version = kVersion;
  document.workload = options.workload;
  document.seed = options.seed;
  document.shard = options.shard;
  document.outcome = error.kind == ErrorKind::kNothing       ? reports::Outcome::kNothing
                     : error.kind == ErrorKind::kUnavailable ? reports::Outcome::kNotMeasured
                                                             : reports::Outcome::kHarnessBroken;
  document.interrupted = error.kind == ErrorKind::kInterrupted;
  document.reason = error.message;
  document.exit_code = exit_status(error.kind);
  if (const Status written = write_reports(options, document); !written)
    fmt::print(stderr, "everycrash: {}\n", written.error().message);
}

}  // namespace everycrash::cli
