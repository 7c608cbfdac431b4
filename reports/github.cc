#include "reports/github.h"

#include <fmt/format.h>

#include <optional>

#include "harness/base/exit_status.h"
#include "harness/base/quoting.h"
#include "reports/finding_place.h"
#include "reports/markdown.h"
#include "reports/text.h"

namespace everycrash::reports {
namespace {

constexpr size_t kSummaryBytesMax = 1'000'000;

/// Percent signs and line breaks as the runner takes them back; in PROPERTY also what ends one.
std::string escape(std::string_view text, bool property) {
  std::string escaped;
  for (const char c : text) {
    if (c == '%') {
      escaped += "%25";
    } else if (c == '\r') {
      escaped += "%0D";
    } else if (c == '\n') {
      escaped += "%0A";
    } else if (property && c == ':') {
      escaped += "%3A";
    } else if (property && c == ',') {
      escaped += "%2C";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string command(std::string_view word, const std::optional<Place>& place,
                    std::string_view title, std::string_view message) {
  std::string properties;
  if (place) {
    properties = fmt::format("file={},line={},", escape(printable(place->file), true), place->line);
  }
  return fmt::format("::{} {}title={}::{}\n", word, properties, escape(printable(title), true),
                     escape(message, false));
}

std::string annotation_of(const ResultDocument& document, const Finding& finding,
                          std::string_view root) {
  std::string message = sentence_of(finding);
  if (!finding.complaints.empty()) {
    for (const std::string& line : printable_lines(finding.complaints.front())) {
      message += "\n" + line;
    }
  }
  message += "\n" + printable(finding.reproduce);
  return command("error", place_of(document, finding, root), "everycrash: " + finding.title,
                 message);
}

}  // namespace

std::string github_annotations(const ResultDocument& document, std::string_view root) {
  std::string text;
  size_t failing = 0;
  for (const Finding& finding : document.findings) {
    if (!finding.waived.empty()) continue;
    if (++failing <= kAnnotationsMax) text += annotation_of(document, finding, root);
  }
  if (failing > kAnnotationsMax) {
    text += command("notice", std::nullopt, "everycrash",
                    fmt::format("{} more findings are in the job summary and the result document.",
                                failing - kAnnotationsMax));
  }
  if (failing == 0 && document.exit_code != kExitGood) {
    text += command("error", std::nullopt, fmt::format("everycrash: {}", name_of(document.outcome)),
                    document.reason.empty() ? headline_of(document) : document.reason);
  }
  return text;
}

std::string github_summary(const ResultDocument& document, std::string_view root) {
  return markdown_report(document, {.root = std::string(root),
                                    .findings_max = kAnnotationsMax,
                                    .bytes_max = kSummaryBytesMax}) +
         "\n";
}

}  // namespace everycrash::reports
