// The parts of the terminal report that show findings, notes and call stacks; internal to
// text_report.cc.
#pragma once

#include <string>

#include "reports/result.h"
#include "reports/text_context.h"

namespace everycrash::reports {

/// Findings after these are told in two lines each, unless the report is verbose.
inline constexpr size_t kFindingsShown = 10;

/// Inlined parts of a standard library: nobody's mistake was made there.
[[nodiscard]] bool is_system_source(const std::string& file);

/// "Store::save at src/app.cc:36", or as much as is known.
[[nodiscard]] std::string text_of_frame(const Frame& frame, const Style& style);

/// The line to show first of a stack, its source text and the callers, each line behind INDENT.
[[nodiscard]] std::string text_of_stack(const TextContext& context, StackIndex stack,
                                        const std::string& indent);

/// "kill", "power loss", ...
[[nodiscard]] std::string words_for_crash(CrashKind crash);

/// "power loss at rename(state.json)#2, under ext4": how a finding's crash comes, and where.
[[nodiscard]] std::string crash_line(const Finding& finding);

/// The block of one finding; its last line is the reproduce command.
[[nodiscard]] std::string text_of_finding(const TextContext& context, const Finding& finding);

/// The same in two lines.
[[nodiscard]] std::string text_of_finding_in_short(const TextContext& context,
                                                   const Finding& finding);

}  // namespace everycrash::reports
