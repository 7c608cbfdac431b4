// Where the reports of a run go besides the terminal: files that were asked for, and what GitHub
// Actions reads; and where an earlier run has put its result.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"
#include "harness/cli/options/options.h"
#include "reports/result.h"

namespace everycrash::cli {

/// Reads --baseline and understands --fail-on of OPTIONS, to fail (kUsage) before anything has run.
[[nodiscard]] Status check_reports(const TestOptions& options);

/// Waives what --baseline and --fail-on of OPTIONS let pass, and tells on standard error which
/// entries of the baseline were not found.
[[nodiscard]] Status waive(const TestOptions& options, reports::ResultDocument& document);

/// Writes --junit, --sarif, --markdown and, under GITHUB_ACTIONS, annotations (standard output) and
/// the job summary. Every one is tried; the first failure is returned.
[[nodiscard]] Status write_reports(const TestOptions& options,
                                   const reports::ResultDocument& document);

/// For a run that ended with ERROR before there was a document: the same reports of a document that
/// says only that. Failures to write them are told on standard error.
void report_failure(const TestOptions& options, const Error& error);

/// The result document that GIVEN names: itself, or the result.json in it where it is a folder.
[[nodiscard]] std::filesystem::path document_file(const std::filesystem::path& given);

/// True where GitHub Actions reads what is printed.
[[nodiscard]] bool on_github();

/// TEXT so that GitHub Actions finds no commands in it; as it is anywhere else.
[[nodiscard]] std::string without_commands(const std::string& text);

/// The folder that files in reports are relative to: the checkout on GitHub, else the current one.
[[nodiscard]] std::string source_root();

}  // namespace everycrash::cli
