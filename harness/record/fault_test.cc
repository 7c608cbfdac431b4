// Syncs that are answered without being done: by a hook of the program's own, and by the library.
#include <gmock/gmock.h>

#include "harness/record/recorder.h"
#include "harness/record/recorder_fixture.h"

namespace everycrash {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class FaultTest : public RecorderTest {
 protected:
  /// describe() of every sync that succeeded, in order.
  [[nodiscard]] std::vector<std::string> syncs() const {
    std::vector<std::string> lines;
    for (const Operation& operation : trace_->records()) {
      if (is_sync(operation.kind) && !operation.failed()) lines.push_back(describe(operation));
    }
    return lines;
  }

  /// All that was mapped into the processes of the run.
  [[nodiscard]] std::string mappings() const {
    std::string lines;
    for (const Operation& operation : all(Kind::kMappings)) lines += operation.payload;
    return lines;
  }
};

TEST_F(FaultTest, AHookDecidesCallByCall) {
  run({program("syncs"), "own-hook"});
  EXPECT_THAT(syncs(), ElementsAre("fdatasync file", "fdatasync file (lost)", "fdatasync file",
                                   "fdatasync file (lost)", "fdatasync file"));
}

TEST_F(FaultTest, WithoutFaultsEverySyncIsDoneAndNothingIsLoaded) {
  run({program("syncs")});
  EXPECT_THAT(syncs(), Each(Not(HasSubstr("lost"))));
  EXPECT_THAT(mappings(), HasSubstr("libeverycrash_preload"));
  EXPECT_THAT(mappings(), AllOf(Not(HasSubstr("libfiu")), Not(HasSubstr("everycrash_faults"))));
}

TEST_F(FaultTest, AllSyncsAreLostWherePlanned) {
  options_.faults = "syncs(*) lost\n";
  run({program("syncs")});
  EXPECT_THAT(syncs(), ElementsAre("msync file (lost)", "fsync file (lost)",
                                   "fdatasync file (lost)", "sync_file_range file 0+4096 (lost)",
                                   "fsync . (lost)", "sync . (lost)", "syncfs . (lost)"));
  EXPECT_THAT(mappings(), HasSubstr("libfiu"));
}

TEST_F(FaultTest, SyncsOfOtherFilesAreDone) {
  options_.faults = "syncs(fil?) lost\n";
  run({program("syncs")});
  EXPECT_THAT(syncs(),
              ElementsAre("msync file (lost)", "fsync file (lost)", "fdatasync file (lost)",
                          "sync_file_range file 0+4096 (lost)", "fsync .", "sync .", "syncfs ."));
}

TEST_F(FaultTest, ThePlanSurvivesAnEmptyEnvironment) {
  options_.faults = "syncs(*) lost\n";
  run({"env", "-i", program("syncs")});
  EXPECT_THAT(syncs(), AllOf(Not(IsEmpty()), Each(HasSubstr("(lost)"))));
}

TEST_F(FaultTest, ThePlanSurvivesAShellAndItsChildren) {
  options_.faults = "syncs(*) lost\n";
  run_shell("unset LD_PRELOAD EVERYCRASH_FAULTS; (" + program("syncs") + "); :");
  EXPECT_THAT(syncs(), AllOf(Not(IsEmpty()), Each(HasSubstr("(lost)"))));
}

TEST_F(FaultTest, FaultsHappenInThreadsThatLibcDoesNotKnow) {
  options_.faults = "open(file) EIO\n";
  run({program("own_threads")});
  EXPECT_EQ(all(Kind::kPrint).at(0).payload, "failed\n");
}

TEST_F(FaultTest, ThreadsThatLibcDoesNotKnowGoOnWithoutAFault) {
  options_.faults = "open(other) EIO\n";
  run({program("own_threads")});
  EXPECT_EQ(all(Kind::kPrint).at(0).payload, "opened\n");
}

TEST_F(FaultTest, APlanThatIsNotUnderstoodStopsTheRun) {
  options_.faults = "syncs(*) gone\n";
  run({program("syncs")}, false);
  EXPECT_EQ(describe(outcome_.end), "exit status 97");
  EXPECT_THAT(outcome_.stderr_tail, HasSubstr("no such fault"));
}

}  // namespace
}  // namespace everycrash
