// Where the result of a run is kept, and what a replay needs of it.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"
#include "harness/cli/document/findings.h"
#include "harness/cli/options/options.h"
#include "reports/result.h"

namespace everycrash::cli {

/// Where OPTIONS want the result of a run of the trace with that IDENTITY: with --json there, else,
/// if it HAS_FINDINGS, in the output folder. Nowhere, and the same for the trace, where it goes
/// into a pipe or a device: nothing can be replayed from that.
[[nodiscard]] KeptResult place_of_result(const TestOptions& options, const std::string& identity,
                                         bool has_findings);

/// Keeps DOCUMENT and the traces that a replay needs where OPTIONS say, and draws the report for
/// people (--report). TRACE_FILE is the trace of the recorded run.
[[nodiscard]] Status keep_and_draw(reports::ResultDocument& document, const TestOptions& options,
                                   const std::filesystem::path& trace_file);

}  // namespace everycrash::cli
