#include "reports/html/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "harness/base/quoting.h"
#include "reports/html/assets.h"
#include "reports/html/fit.h"
#include "reports/json_object.h"
#include "reports/result_json.h"
#include "reports/text.h"

namespace everycrash::reports {
namespace {

constexpr size_t kSummaryFindings = 100;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// A digest in hexadecimal digits as a source expression of a Content-Security-Policy.
std::string source_of(std::string_view digest) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (size_t i = 0; i + 1 < digest.size(); i += 2) {
    bytes += static_cast<char>(value(digest[i]) * 16 + value(digest[i + 1]));
  }
  return fmt::format("'sha256-{}'", base64(bytes));
}

std::string policy() {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
      source_of(kScriptDigest), source_of(kStyleDigest));
}

std::string verdict_of(const ResultDocument& document) {
  uint64_t checked = 0;
  uint64_t violated = 0;
  for (const Coverage& coverage : document.coverage) {
    checked += coverage.checked;
    violated += coverage.violated;
  }
  return fmt::format("{}: {}, {} of {} violated", name_of(document.outcome),
                     counted(document.findings.size(), "finding"), grouped(violated),
                     counted(checked, "state"));
}

/// What a reader without JavaScript sees; the script puts the report in its place.
std::string summary_of(const ResultDocument& document) {
  std::string html = fmt::format("<h1>{}</h1>\n<p>{}</p>\n<p><code>{}</code></p>\n<ol>\n",
                                 escaped(verdict_of(document)), escaped(document.reason),
                                 escaped(document.command));
  const size_t shown = std::min(document.findings.size(), kSummaryFindings);
  for (size_t i = 0; i < shown; ++i) {
    const Finding& finding = document.findings[i];
    html += fmt::format(
        "<li>{}: {} at {}; <code>{}</code></li>\n", escaped(elide_middle(finding.title, 300)),
        escaped(std::string(name_of(finding.crash))), escaped(elide_middle(finding.point, 300)),
        escaped(elide_middle(finding.reproduce, 500)));
  }
  html += "</ol>\n";
  if (shown < document.findings.size()) {
    html += fmt::format("<p>and {} more</p>\n", document.findings.size() - shown);
  }
  return html + "<p>With JavaScript, this page shows each finding in full.</p>";
}

/// What the page lacks, as JSON.
std::string lacks_json(const std::vector<std::string>& left_out) {
  return JsonObject().add_texts("left_out", left_out).text();
}

/// PAGE with each {{name}} replaced; what is put in is not looked at again.
std::string filled(std::string_view page,
                   std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  std::string text;
  while (!page.empty()) {
    const size_t at = page.find("{{");
    text += page.substr(0, at);
    if (at == std::string_view::npos) break;
    const size_t end = page.find("}}", at);
    const std::string_view name = page.substr(at + 2, end - at - 2);
    for (const auto& [known, value] : values) {
      if (known == name) text += value;
    }
    page.remove_prefix(end + 2);
  }
  return text;
}

}  // namespace

std::string html_report(const ResultDocument& document, size_t bytes_max) {
  const std::string summary = summary_of(document);
  const size_t frame = kPage.size() + kStyle.size() + kScript.size() + summary.size() + 4096;
  const Fitted fitted = fit(document, bytes_max > frame ? bytes_max - frame : 0);
  const std::string program =
      document.workload.empty() ? "" : document.workload.front().substr(0, 200);
  const std::string title = escaped(fmt::format("everycrash: {}", program));
  return filled(kPage, {{"policy", policy()},
                        {"title", title},
                        {"style", kStyle},
                        {"summary", summary},
                        {"data", fitted.json},
                        {"lacks", escaped(lacks_json(fitted.left_out))},
                        {"script", kScript}});
}

Result<std::filesystem::path> write_html_report(const ResultDocument& document,
                                                const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return harness_error(
        fmt::format("cannot make the folder of the report, {}: {}\nName another one with --report.",
                    printable(folder.string()), error.message()));
  }
  const std::filesystem::path file = folder / "report.html";
  if (Status ok = write_whole(html_report(document), file, "the report"); !ok) {
    return tl::unexpected(ok.error());
  }
  return file;
}

}  // namespace everycrash::reports
