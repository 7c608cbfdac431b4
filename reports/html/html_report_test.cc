#include "reports/html/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/fit.h"
#include "reports/result_json.h"
#include "reports/testdata/sample.h"

namespace everycrash::reports {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// COUNT findings that keep the content of a file each, and 5,000 operations.
ResultDocument large_document(size_t count) {
  ResultDocument document = sample_finding();
  document.operations.clear();
  for (uint64_t i = 1; i <= kOperationsMax; ++i) {
    document.operations.push_back(
        {i, i % 5 == 0 ? "fsync" : "write", "file-" + std::to_string(i % 40), "", 0, 812, 1, 1});
  }
  document.durability = {
      {CrashKind::kPower, "xfs", std::vector<int64_t>(kOperationsMax, kNeverDurable)}};
  const Finding first = document.findings.front();
  document.findings.clear();
  for (size_t i = 0; i < count; ++i) {
    Finding finding = first;
    finding.id = "f" + std::to_string(i);
    finding.sequence = i * (kOperationsMax / count);
    Evidence& evidence = finding.evidence.emplace();
    evidence.file = FileVersions{.path = "state.json"};
    evidence.file->found = FileBytes{15000, std::string(20000, 'A')};
    document.findings.push_back(finding);
  }
  return document;
}

TEST(HtmlReport, is_one_file_that_loads_nothing) {
  const std::string html = html_report(sample_finding());
  EXPECT_THAT(html, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(html, Not(HasSubstr("unsafe-inline")));
  EXPECT_THAT(html, Not(HasSubstr("src=\"")));
  EXPECT_THAT(html, Not(HasSubstr("href=\"http")));
}

TEST(HtmlReport, is_the_same_for_the_same_document) {
  EXPECT_EQ(html_report(sample_finding()), html_report(sample_finding()));
}

TEST(HtmlReport, tells_the_verdict_without_its_script) {
  const std::string html = html_report(sample_finding());
  EXPECT_THAT(html, HasSubstr("<h1>violated: 1 finding"));
  EXPECT_THAT(html, HasSubstr("<li>state.json is empty after a power loss: power at "));
}

TEST(HtmlReport, lets_no_text_of_the_run_become_a_tag) {
  ResultDocument document = sample_finding();
  document.findings.front().title = "</script><script>alert(1)</script>";
  document.findings.front().complaints = {"<img src=x onerror=alert(1)>"};
  document.workload = {"</title><script>alert(2)</script>"};
  const std::string html = html_report(document);
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, HasSubstr("&lt;/script&gt;&lt;script&gt;alert(1)"));
  EXPECT_THAT(html, HasSubstr("\\u003c/script>"));
}

TEST(HtmlReport, does_not_fill_placeholders_that_come_from_the_run) {
  ResultDocument document = sample_finding();
  document.findings.front().title = "{{script}}";
  EXPECT_THAT(html_report(document), HasSubstr("<li>{{script}}: power"));
}

TEST(HtmlReport, stays_below_its_limit) {
  const ResultDocument document = large_document(100);
  for (const size_t limit : {size_t{1'500'000}, size_t{160'000}}) {
    EXPECT_LE(html_report(document, limit).size(), limit);
  }
}

TEST(HtmlReport, stays_below_its_limit_with_the_longest_names) {
  ResultDocument document = large_document(50);
  for (TimelineOperation& operation : document.operations) operation.path.assign(4000, 'p');
  for (Finding& finding : document.findings) finding.complaints = {std::string(5000, '<')};
  for (Frame& frame : document.frames) frame.function.assign(100'000, 'f');
  EXPECT_LE(html_report(document).size(), kHtmlBytesMax);
}

TEST(Fit, leaves_nothing_out_where_all_fits) {
  EXPECT_THAT(fit(sample_finding(), 1'000'000).left_out, IsEmpty());
}

TEST(Fit, names_what_it_leaves_out) {
  const Fitted fitted = fit(large_document(60), 1'100'000);
  ASSERT_THAT(fitted.left_out, SizeIs(1));  // the contents are by far the most
  EXPECT_EQ(fitted.left_out[0], "The broken files of 40 findings (all but the first 20).");
}

TEST(Fit, keeps_operations_and_their_durability_together) {
  ResultDocument document = large_document(1);
  document.findings.front().evidence.reset();
  document.findings.front().sequence = 2500;
  const Fitted fitted = fit(document, 200'000);
  const Result<ResultDocument> read = parse_document(fitted.json, "fitted");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_LT(read->operations.size(), document.operations.size());
  EXPECT_EQ(read->durability.front().since.size(), read->operations.size());
}

}  // namespace
}  // namespace everycrash::reports
