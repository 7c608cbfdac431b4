#include "harness/check/whole_trace.h"

#include <gmock/gmock.h>

#include <fstream>

#include "harness/record/unsupported.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

void leave(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

TEST(WholeTrace, MissesNothingWhereAllCallsAreKnown) {
  Recording run;
  EXPECT_THAT(find_missing_calls(run.create("f", 1).finish()), IsEmpty());
}

TEST(WholeTrace, MissesWhatCannotBeRecorded) {
  Recording run;
  run.add(Kind::kUnsupported, "", "", 0, "");
  const Trace trace = run.finish();
  EXPECT_THAT(find_missing_calls(trace), explain_unsupported(trace.records().front()));
}

TEST(WholeTrace, FindsAChangeThatNoCallMade) {
  Recording run;
  run.initial().create("f", 1).write("f", 1, 0, "one");
  const Trace trace = run.finish();
  leave(run.tree() / "f", "one");
  EXPECT_THAT(*find_unrecorded_changes(trace, run.tree()), IsEmpty());
  leave(run.tree() / "f", "two");
  EXPECT_THAT(*find_unrecorded_changes(trace, run.tree()), HasSubstr("f: "));
}

}  // namespace
}  // namespace everycrash
