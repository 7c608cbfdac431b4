// SARIF, Markdown and what GitHub Actions reads. That SARIF is valid against its schema is tested
// from outside: fixtures/e2e/ci_formats_test.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "reports/finding_place.h"
#include "reports/formats.h"
#include "reports/github.h"
#include "reports/json_object.h"
#include "reports/markdown.h"
#include "reports/properties.h"
#include "reports/sarif.h"
#include "reports/testdata/sample.h"

namespace everycrash::reports {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

size_t lines_of(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

ResultDocument with_findings(size_t count) {
  ResultDocument document = sample_finding();
  document.findings.resize(count, document.findings[0]);
  for (size_t i = 0; i < count; ++i) document.findings[i].id = "0000000" + std::to_string(i);
  return document;
}

TEST(FindingPlace, is_the_line_of_what_was_lost) {
  const ResultDocument document = sample_finding();
  EXPECT_EQ(place_of(document, document.findings[0], ""), (Place{"src/app.cc", 31, 3}));
}

TEST(FindingPlace, is_not_inside_a_system_header) {
  ResultDocument document = sample_finding();
  for (Frame& frame : document.frames) {
    if (frame.line == 31) frame.file = "/usr/include/c++/12/fstream";
  }
  EXPECT_EQ(place_of(document, document.findings[0], ""), (Place{"src/app.cc", 52, 5}));
}

TEST(Formats, are_known_by_their_names) {
  for (const Format& format : formats()) EXPECT_EQ(find_format(format.name), &format);
  EXPECT_EQ(find_format("sarif")->draw(sample_finding(), "src"),
            sarif_report(sample_finding(), "src"));
  EXPECT_EQ(find_format("pdf"), nullptr);
}

TEST(SarifReport, has_stable_rules_and_fingerprints) {
  const std::string text = sarif_report(sample_finding(), "");
  EXPECT_THAT(text, HasSubstr("\"ruleId\":\"power/checker\""));
  EXPECT_THAT(text, HasSubstr("\"partialFingerprints\":{\"everycrashFinding/v1\":\"3f9a0c12\"}"));
  EXPECT_THAT(text, HasSubstr("\"uri\":\"src/app.cc\""));
  EXPECT_THAT(text, HasSubstr("\"startLine\":31"));
}

TEST(SarifReport, suppresses_what_is_known) {
  ResultDocument document = sample_finding();
  EXPECT_THAT(sarif_report(document, ""), Not(HasSubstr("suppressions")));
  document.findings[0].waived = "known: in the baseline";
  EXPECT_THAT(
      sarif_report(document, ""),
      HasSubstr("\"suppressions\":[{\"kind\":\"external\",\"justification\":\"known: in the "
                "baseline\"}]"));
}

TEST(SarifReport, writes_any_path_as_a_uri) {
  ResultDocument document = sample_finding();
  for (Frame& frame : document.frames) {
    if (frame.line == 31) frame.file = "src/a b#%?.cc";
  }
  EXPECT_THAT(sarif_report(document, ""), HasSubstr("\"uri\":\"src/a%20b%23%25%3F.cc\""));
}

TEST(JsonObject, quotes_what_means_something) {
  JsonObject object;
  object.add_text("a", "a\"\\\n\x01\xff");
  EXPECT_EQ(object.text(), "{\"a\":\"a\\\"\\\\\\n\\u0001\\\\xff\"}");
}

TEST(JsonObject, keeps_the_order_in_which_members_were_added) {
  JsonObject inner, outer;
  inner.add_truth("z", true).add_texts("a", {"x"});
  std::vector<JsonObject> list(1);
  outer.add_number("n", -1).add("inner", std::move(inner)).add_list("list", std::move(list));
  EXPECT_EQ(outer.text(), "{\"n\":-1,\"inner\":{\"z\":true,\"a\":[\"x\"]},\"list\":[{}]}");
}

TEST(GithubAnnotations, name_file_line_and_title) {
  EXPECT_THAT(
      github_annotations(sample_finding(), ""),
      StartsWith("::error file=src/app.cc,line=31,title=everycrash%3A state.json is empty"));
}

TEST(GithubAnnotations, are_one_line_each_whatever_a_program_says) {
  ResultDocument document = sample_finding();
  document.findings[0].title = "a\n::error::forged, 100%";
  document.findings[0].complaints = {"b\r\n::set-output name=x::y"};
  const std::string text = github_annotations(document, "");
  EXPECT_EQ(lines_of(text), 1u);
  EXPECT_THAT(text, HasSubstr("forged%2C 100%25"));
}

TEST(GithubAnnotations, are_at_most_ten) {
  const std::string text = github_annotations(with_findings(15), "");
  EXPECT_EQ(lines_of(text), 11u);
  EXPECT_THAT(text, HasSubstr("::notice title=everycrash::5 more findings"));
}

TEST(GithubAnnotations, leave_out_what_is_known) {
  ResultDocument document = sample_finding();
  document.findings[0].waived = "known: in the baseline";
  document.exit_code = 0;
  EXPECT_EQ(github_annotations(document, ""), "");
}

TEST(GithubAnnotations, tell_of_a_run_without_a_verdict) {
  ResultDocument document;
  document.outcome = Outcome::kHarnessBroken;
  document.exit_code = 3;
  document.reason = "the workload fails without any crash";
  EXPECT_EQ(github_annotations(document, ""),
            "::error title=everycrash%3A harness broken::the workload fails without any crash\n");
}

TEST(GithubSummary, shows_the_first_ten) {
  const std::string text = github_summary(with_findings(15), "");
  EXPECT_THAT(text, HasSubstr("and 5 more"));
  EXPECT_THAT(text, Not(HasSubstr("`000000010`")));
}

TEST(MarkdownReport, lets_no_text_make_anything) {
  ResultDocument document = sample_finding();
  document.findings[0].title = "<img src=x> [a](http://b) | `c` @everyone ```";
  document.findings[0].complaints = {"```\n<script>alert(1)</script>\n```"};
  const std::string text = markdown_report(document, {});
  EXPECT_THAT(text,
              HasSubstr("&lt;img src\\=x&gt; \\[a\\]\\(http\\://b\\) \\| \\`c\\` &#64;everyone"));
  EXPECT_THAT(text, HasSubstr("\n````text\n"));  // a fence that the text cannot close
}

TEST(MarkdownReport, is_cut_where_it_is_too_long) {
  const ResultDocument document = with_findings(40);
  const std::string text = markdown_report(document, {.bytes_max = 9000});
  EXPECT_LE(text.size(), 9000u);
  EXPECT_THAT(text, HasSubstr("The rest was left out"));
}

TEST(MarkdownCode, is_closed_by_nothing_inside) {
  EXPECT_EQ(markdown_code("a`b``c"), "```a`b``c```");
  EXPECT_EQ(markdown_code("`a"), "`` `a ``");
}

TEST(PropertiesReport, names_the_first_finding_that_counts) {
  ResultDocument document = with_findings(2);
  document.findings[0].waived = "known: in the baseline";
  const std::string text = properties_report(document);
  EXPECT_THAT(text, HasSubstr("finding=00000001\n"));
  EXPECT_THAT(text, HasSubstr("state=record 14 under xfs lost 9,10\n"));
}

}  // namespace
}  // namespace everycrash::reports
