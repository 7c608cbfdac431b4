#include "reports/formats.h"

#include <algorithm>
#include <iterator>

#include "reports/github.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/properties.h"
#include "reports/sarif.h"
#include "reports/text_report.h"

namespace everycrash::reports {
namespace {

std::string draw_text(const ResultDocument& document, std::string_view /*root*/) {
  return text_report(document, {});
}

std::string draw_markdown(const ResultDocument& document, std::string_view root) {
  return markdown_report(document, {.root = std::string(root)});
}

std::string draw_properties(const ResultDocument& document, std::string_view /*root*/) {
  return properties_report(document);
}

constexpr Format kFormats[] = {
    {"text", draw_text},
    {"junit", junit_report},
    {"sarif", sarif_report},
    {"markdown", draw_markdown},
    {"github", github_annotations},
    {"github-summary", github_summary},
    {"properties", draw_properties},
};

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

const Format* find_format(std::string_view name) {
  const auto found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                  [&](const Format& format) { return format.name == name; });
  return found == std::end(kFormats) ? nullptr : found;
}

}  // namespace everycrash::reports
