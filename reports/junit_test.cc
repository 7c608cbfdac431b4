#include "reports/junit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <map>

#include "reports/testdata/sample.h"

namespace everycrash::reports {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The element in each test case that says what became of it; "passed" where there is none.
std::map<std::string, std::string> cases_in(const std::string& text) {
  tinyxml2::XMLDocument xml;
  EXPECT_EQ(xml.Parse(text.c_str()), tinyxml2::XML_SUCCESS) << xml.ErrorStr() << "\n" << text;
  std::map<std::string, std::string> found;
  const tinyxml2::XMLElement* suite = xml.FirstChildElement("testsuites")->FirstChildElement();
  for (const tinyxml2::XMLElement* made = suite->FirstChildElement("testcase"); made != nullptr;
       made = made->NextSiblingElement("testcase")) {
    std::string what = "passed";
    for (const char* const kind : {"failure", "error", "skipped"}) {
      if (made->FirstChildElement(kind) != nullptr) what = kind;
    }
    found[made->Attribute("name")] = what;
  }
  return found;
}

TEST(JunitReport, has_a_case_for_each_judge_and_model) {
  const auto cases = cases_in(junit_report(sample_finding(), ""));
  EXPECT_EQ(cases.at("run"), "passed");  // the finding's own case fails
  EXPECT_EQ(cases.at("power, xfs: checker"), "failure");
  EXPECT_EQ(cases.at("power, ext4: checker"), "passed");
  EXPECT_EQ(cases.at("kill: half file"), "passed");
  EXPECT_EQ(cases.at("not measured: no leftovers"), "skipped");
}

TEST(JunitReport, names_the_line_relative_to_the_root) {
  ResultDocument document = sample_finding();
  for (Frame& frame : document.frames) {
    if (!frame.file.empty()) frame.file = "/home/u/app/" + frame.file;
  }
  EXPECT_THAT(junit_report(document, "/home/u/app/"), HasSubstr("file=\"src/app.cc\" line=\"31\""));
}

TEST(JunitReport, skips_what_is_known) {
  ResultDocument document = sample_finding();
  document.findings[0].waived = "known: in the baseline";
  document.exit_code = 0;
  EXPECT_EQ(cases_in(junit_report(document, "")).at("power, xfs: checker"), "skipped");
}

TEST(JunitReport, errs_where_there_is_no_verdict) {
  ResultDocument document;
  document.workload = {"./app"};
  document.outcome = Outcome::kHarnessBroken;
  document.reason = "the checker fails without any crash: exit status 1\nno such file";
  document.exit_code = 3;
  EXPECT_EQ(cases_in(junit_report(document, "")).at("run"), "error");
}

TEST(JunitReport, fails_where_strictness_does) {
  ResultDocument document = sample_clean();
  document.exit_code = 1;
  document.outcome = Outcome::kNotMeasured;
  document.reason = "--strict: some crash states were not judged";
  EXPECT_EQ(cases_in(junit_report(document, "")).at("run"), "failure");
}

TEST(JunitReport, stays_xml_whatever_a_program_says) {
  ResultDocument document = sample_finding();
  document.findings[0].title = "]]></failure><b a=\"1\"> & \x01\x1b[31m \xff \xEF\xBF\xBF";
  document.findings[0].complaints = {"<script>alert(1)</script>"};
  document.workload = {"/tmp/<app> & \"co\""};
  const std::string text = junit_report(document, "");
  EXPECT_EQ(cases_in(text).at("power, xfs: checker"), "failure");
  EXPECT_EQ(text.find("<script"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace everycrash::reports
