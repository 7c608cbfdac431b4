// The report for people: one HTML file that needs nothing else, opens from a disk, and shows the
// verdict, each finding and what was covered.
//
// Equal documents give equal bytes. All text of the run is data to the page: it stands in one JSON
// block in which no tag can begin, or is escaped; and the page's own policy lets nothing run but
// the script that was built in (Content-Security-Policy, by digest). All calls are thread-safe.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "harness/base/error.h"
#include "reports/result.h"

namespace everycrash::reports {

/// A page is smaller than this: bulk is left out, and what is left out is named in it.
inline constexpr size_t kHtmlBytesMax = 2'000'000;

[[nodiscard]] std::string html_report(const ResultDocument& document,
                                      size_t bytes_max = kHtmlBytesMax);

/// Writes FOLDER/report.html, whole or not at all, and makes the folder where there is none.
/// Returns the file. Fails with kHarness where that is not possible.
[[nodiscard]] Result<std::filesystem::path> write_html_report(const ResultDocument& document,
                                                              const std::filesystem::path& folder);

}  // namespace everycrash::reports
