// Runs testdata/*.txt (case_file_for_test.h). EVERYCRASH_REWRITE=1 writes the states that the
// models allow now into the files, for a person to look at before they are kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/model/case_file_for_test.h"
#include "harness/model/legal_states_for_test.h"
#include "harness/model/tree_text.h"
#include "harness/model/unit_tree.h"
#include "harness/trace/workload_text.h"

namespace everycrash {
namespace {

std::string states_of(const Case& now, const Trace& trace) {
  std::string text;
  for (const std::string& name : now.models) {
    const Result<const PersistenceRules*> rules = find_model(name);
    EXPECT_TRUE(rules) << name;
    if (!rules) continue;
    const Result<std::vector<std::string>> states = legal_states(trace, **rules);
    EXPECT_TRUE(states) << now.text << (states ? "" : states.error().message);
    if (!states) continue;
    text += name + ":\n";
    for (const std::string& state : *states) text += "  " + state + "\n";
    for (const Claim& claim : now.claims) {
      if (claim.model != name && claim.model != "all") continue;
      const bool legal = std::find(states->begin(), states->end(), claim.state) != states->end();
      EXPECT_EQ(legal, claim.legal) << now.text << "under " << name << ": " << claim.state;
    }
  }
  return text;
}

/// With nothing lost, the units must give what the operations gave.
void expect_units_complete(const Trace& trace, const std::string& text) {
  FileSystem applied = *FileSystem::initial(trace);
  for (const Operation& record : trace.records()) ASSERT_TRUE(applied.apply(record)) << text;
  for (const PersistenceRules& rules : all_models()) {
    const Result<UnitHistory> history = expand(trace, rules);
    ASSERT_TRUE(history) << text;
    Result<UnitTree> tree = UnitTree::create(trace, *history);
    ASSERT_TRUE(tree);
    for (UnitId unit = 0; unit < history->units().size(); ++unit) tree->apply(unit);
    EXPECT_EQ(tree_text(tree->tree()), tree_text(applied)) << rules.name << "\n" << text;
    EXPECT_EQ(tree->tree().digest(), applied.digest()) << rules.name << "\n" << text;
  }
}

class Models : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Models, allow_exactly_the_listed_states) {
  const bool rewrite = std::getenv("EVERYCRASH_REWRITE") != nullptr;
  std::string rewritten;
  for (const Case& now : read_case_file(GetParam())) {
    const Result<Trace> trace = record_text(now.operations);
    ASSERT_TRUE(trace) << trace.error().message << "\n" << now.text;
    expect_units_complete(*trace, now.text);
    const std::string states = states_of(now, *trace);
    if (!rewrite) {
      EXPECT_EQ(states, now.expected) << now.text;
    }
    rewritten += now.text + "----\n" + states + "\n";
  }
  if (rewrite) {
    while (rewritten.ends_with("\n\n")) rewritten.pop_back();
    std::ofstream(GetParam()) << rewritten;
  }
}

std::string file_name(const testing::TestParamInfo<std::filesystem::path>& info) {
  return info.param.stem().string();
}

INSTANTIATE_TEST_SUITE_P(Files, Models, testing::ValuesIn(case_files(TESTDATA)), file_name);

TEST(ModelNames, unknown_ones_are_refused_with_those_there_are) {
  const Result<const PersistenceRules*> rules = find_model("no-such-model");
  ASSERT_FALSE(rules);
  EXPECT_EQ(rules.error().kind, ErrorKind::kUsage);
  EXPECT_NE(rules.error().message.find("ext4-noauto_da_alloc"), std::string::npos);
}

}  // namespace
}  // namespace everycrash
