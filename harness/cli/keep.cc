#include "harness/cli/keep.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "harness/base/quoting.h"
#include "reports/html/html_report.h"
#include "reports/result_json.h"

namespace everycrash::cli {
namespace {

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

/// Writes what a replay needs: the document, and the traces beside it.
Status keep(reports::ResultDocument& document, const TestOptions& options,
            const std::filesystem::path& trace_file) {
  const KeptResult place =
      place_of_result(options, document.trace.identity, !document.findings.empty());
  if (place.document.empty()) {
    if (options.json.empty()) return {};
    return reports::write_document(document, options.json);
  }
  const std::filesystem::path file = place.document;
  if (options.json.empty()) {
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) {
      return harness_error(
          fmt::format("cannot keep the run in {}: {}\nName another folder with --output.",
                      file.parent_path().string(), error.message()));
    }
  }
  document.trace.file = std::filesystem::path(place.trace).filename().string();
  if (Status ok = copy_trace(trace_file, place.trace); !ok) return ok;
  if (Status ok = keep_other_traces(document, file); !ok) return ok;
  return reports::write_document(document, file);
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

KeptResult place_of_result(const TestOptions& options, const std::string& identity,
                           bool has_findings) {
  std::filesystem::path file = options.json;
  if (file.empty()) {
    if (!has_findings) return {};
    file = options.output / identity.substr(0, 12) / "result.json";
  }
  std::error_code error;
  if (has_findings && std::filesystem::exists(file, error) &&
      !std::filesystem::is_regular_file(file, error)) {
    return {};
  }
  return {.document = file.string(), .trace = file.string() + ".trace"};
}

Status keep_and_draw(reports::ResultDocument& document, const TestOptions& options,
                     const std::filesystem::path& trace_file) {
  Status kept = keep(document, options, trace_file);
  if (Status ok = draw(document, options.report); !ok && kept) kept = std::move(ok);
  return kept;
}

}  // namespace everycrash::cli
