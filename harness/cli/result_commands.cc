// `everycrash report`, `export` and `baseline update`: what is drawn from results that are there.
#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/error.h"
#include "harness/base/quoting.h"
#include "harness/cli/commands.h"
#include "harness/cli/report_files.h"
#include "reports/baseline.h"
#include "reports/formats.h"
#include "reports/html/html_report.h"
#include "reports/result_json.h"
#include "reports/text.h"

namespace everycrash::cli {

Result<int> run_report(const ReportOptions& options) {
  const std::filesystem::path file = document_file(options.result);
  const Result<reports::ResultDocument> document = reports::read_document(file);
  if (!document) return tl::unexpected(document.error());
  std::filesystem::path folder = options.folder;
  if (folder.empty()) folder = file.has_parent_path() ? file.parent_path() : ".";
  const Result<std::filesystem::path> report = reports::write_html_report(*document, folder);
  if (!report) return tl::unexpected(report.error());
  fmt::print("{}\n", report->string());
  return 0;
}

Result<int> run_export(const ExportOptions& options) {
  const Result<reports::ResultDocument> document =
      reports::read_document(document_file(options.result));
  if (!document) return tl::unexpected(document.error());
  const reports::Format* const format = reports::find_format(options.format);
  EVERYCRASH_ASSERT(format != nullptr);  // --format knows no other words
  const std::string text = format->draw(*document, source_root());
  if (options.output.empty()) {
    fmt::print("{}", text);
    return 0;
  }
  if (Status ok = reports::write_whole(text, options.output); !ok)
    return tl::unexpected(ok.error());
  return 0;
}

Result<int> run_baseline_update(const BaselineOptions& options) {
  std::vector<reports::ResultDocument> documents;
  for (const std::filesystem::path& file : options.results) {
    Result<reports::ResultDocument> document = reports::read_document(document_file(file));
    if (!document) return tl::unexpected(document.error());
    documents.push_back(std::move(*document));
  }
  reports::Baseline old;
  if (std::error_code error; std::filesystem::exists(options.baseline, error)) {
    Result<reports::Baseline> read = reports::read_baseline(options.baseline);
    if (!read) return tl::unexpected(read.error());
    old = std::move(*read);
  }
  const std::string text = reports::baseline_text(documents, old);
  const Result<reports::Baseline> made = reports::parse_baseline(text, "baseline");
  if (!made) return tl::unexpected(made.error());
  if (Status ok = reports::write_whole(text, options.baseline); !ok)
    return tl::unexpected(ok.error());
  size_t added = 0, removed = 0;
  for (const auto& entry : *made) added += old.contains(entry.first) ? 0 : 1;
  for (const auto& entry : old) removed += made->contains(entry.first) ? 0 : 1;
  fmt::print("{}: {}, {} new, {} gone\n", printable(options.baseline.string()),
             reports::counted(made->size(), "known finding"), added, removed);
  return 0;
}

}  // namespace everycrash::cli
