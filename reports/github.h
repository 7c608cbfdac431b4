// What a job of GitHub Actions shows by itself: annotations at source lines, and the job summary.
#pragma once

#include <string>
#include <string_view>

#include "reports/result.h"

namespace everycrash::reports {

/// GitHub shows ten errors of a step and drops the rest.
inline constexpr size_t kAnnotationsMax = 10;

/// Workflow commands, a line each: `::error file=...,line=...,title=...::...` for the first ten
/// findings that fail the run, or one for a run without a verdict; a last `::notice` where there
/// are more. Files are relative to ROOT. Escaped, so that no text can end a command or begin
/// another. "" for a run that is fine. Pure, thread-safe.
[[nodiscard]] std::string github_annotations(const ResultDocument& document, std::string_view root);

/// For the file that GITHUB_STEP_SUMMARY names: Markdown with the first ten findings, small enough
/// for GitHub, which refuses more than 1 MiB. Pure, thread-safe.
[[nodiscard]] std::string github_summary(const ResultDocument& document, std::string_view root);

}  // namespace everycrash::reports
