// `everycrash report`: draws the report of an earlier run again, from its result document alone.
#include <fmt/format.h>

#include "harness/cli/commands.h"
#include "reports/html/html_report.h"
#include "reports/result_json.h"

namespace everycrash::cli {

Result<int> run_report(const ReportOptions& options) {
  std::filesystem::path file = options.result;
  if (std::filesystem::is_directory(file)) file /= "result.json";
  const Result<reports::ResultDocument> document = reports::read_document(file);
  if (!document) return tl::unexpected(document.error());
  std::filesystem::path folder = options.folder;
  if (folder.empty()) folder = file.has_parent_path() ? file.parent_path() : ".";
  const Result<std::filesystem::path> report = reports::write_html_report(*document, folder);
  if (!report) return tl::unexpected(report.error());
  fmt::print("{}\n", report->string());
  return 0;
}

}  // namespace everycrash::cli
