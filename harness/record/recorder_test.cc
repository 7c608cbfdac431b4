#include "harness/record/recorder.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>

#include <map>
#include <thread>

#include "harness/record/recorder_fixture.h"

namespace everycrash {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// What is in every regular file, rebuilt from the records of writes alone.
std::map<uint64_t, std::string> rebuild(const Trace& trace) {
  std::map<uint64_t, std::string> files;
  for (const Operation& operation : trace.records()) {
    if (operation.result < 0) continue;
    std::string& file = files[operation.inode];
    if (operation.kind == Kind::kOpen && operation.has(format::kTruncated)) file.clear();
    if (operation.kind == Kind::kTruncate) file.resize(static_cast<size_t>(operation.length));
    if (operation.kind != Kind::kWrite && operation.kind != Kind::kMapWrite) continue;
    const auto end = static_cast<size_t>(operation.offset) + operation.payload.size();
    if (file.size() < end) file.resize(end);
    file.replace(static_cast<size_t>(operation.offset), operation.payload.size(),
                 operation.payload);
  }
  return files;
}

uint64_t inode_of(const std::filesystem::path& file) {
  struct stat status {};
  EXPECT_EQ(stat(file.c_str(), &status), 0);
  return status.st_ino;
}

TEST_F(RecorderTest, RecordsStdioWithItsCallStack) {
  run({program("stdio")});
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "state")], content("state"));
  const std::vector<Operation> renames = all(Kind::kRename);
  ASSERT_THAT(renames, SizeIs(1));
  EXPECT_EQ(renames[0].path, "state.tmp");
  EXPECT_EQ(renames[0].other_path, "state");
  EXPECT_GE(trace_->stack(renames[0].stack).size(), 3U);  // rename, main, start of the program
  EXPECT_THAT(std::string(trace_->mappings_of_stack(renames[0].stack)),
              HasSubstr("recorded_stdio"));
  EXPECT_EQ(all(Kind::kPrint).at(0).payload, "saved\n");
  EXPECT_THAT(all(Kind::kClose), SizeIs(2));  // fclose does not go through close()
}

TEST_F(RecorderTest, FollowsFramePointersWhereTheUnwinderHasNoTables) {
  run({program("frames")});
  const std::vector<Operation> writes = all(Kind::kWrite);
  ASSERT_THAT(writes, SizeIs(2));
  // call, save, first or second, main.
  const auto one = trace_->stack(writes[0].stack);
  const auto two = trace_->stack(writes[1].stack);
  ASSERT_GE(one.size(), 4U);
  ASSERT_GE(two.size(), 4U);
  EXPECT_EQ(one[1], two[1]);
  EXPECT_NE(one[2], two[2]) << "called from two places";
}

TEST_F(RecorderTest, RecordsAProgramThatClosesWithoutLibc) {
  run({program("frames")});
  EXPECT_THAT(all(Kind::kClose), SizeIs(2));
}

TEST_F(RecorderTest, RecordsStreams) {
  run({program("streams")});
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "data")], content("data"));
  EXPECT_THAT(operations(), Contains("truncate data to 10 = 0"));
  EXPECT_THAT(operations(), Contains("rmdir a = 0"));
}

TEST_F(RecorderTest, RecordsThreadsInOneOrder) {
  run({program("threads")});
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "shared")], content("shared"));
  EXPECT_THAT(all(Kind::kWrite), SizeIs(8 * 200));
  std::map<int, int> writes;
  for (const Operation& write : all(Kind::kWrite)) ++writes[write.thread];
  EXPECT_THAT(writes, SizeIs(8));
}

TEST_F(RecorderTest, RecordsForkVforkSystemAndPopen) {
  run({program("forks")});
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "child49")], "x");
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "by_vfork")], "vfork\n");
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "by_system")], "system\n");
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "by_popen")], "popen\n");
  EXPECT_THAT(unsupported(), IsEmpty());
}

TEST_F(RecorderTest, RecordsFileActionsOfPosixSpawn) {
  run({program("spawn")});
  const std::vector<Operation> opens = all(Kind::kOpen);
  ASSERT_THAT(opens, SizeIs(1));
  EXPECT_NE(opens[0].process, all(Kind::kProcess).at(0).process);  // made by the child
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "spawned")], "from the child\n");
}

TEST_F(RecorderTest, RecordsProgramsStartedWithAClearedEnvironment) {
  run({program("cleared")});
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "empty")], "empty\n");
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "null")], "null\n");
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "own")], "own\n");
}

TEST_F(RecorderTest, RecordsHandlersOfSignals) {
  run({program("signals")});
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "signals")], content("signals"));
}

TEST_F(RecorderTest, LeavesWhatAProgramsOwnFilterCatchesToIt) {
  run({program("own_filter")});
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "own_filter")], "kept");
  EXPECT_THAT(unsupported(), IsEmpty());
}

TEST_F(RecorderTest, LeavesInterruptedCallsAsTheyAre) {
  run({program("alarms")});
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "alarms")], content("alarms"));
}

TEST_F(RecorderTest, RecordsNamelessFiles) {
  run({program("nameless")});
  const std::vector<Operation> opens = all(Kind::kOpen);
  ASSERT_THAT(opens, SizeIs(1));
  EXPECT_TRUE(opens[0].has(format::kNameless));
  EXPECT_EQ(opens[0].path, "");
  const std::vector<Operation> links = all(Kind::kLink);
  ASSERT_THAT(links, SizeIs(2));
  EXPECT_TRUE(links[0].has(format::kUnlinked));  // it had no name
  EXPECT_EQ(links[0].inode, opens[0].inode);
  EXPECT_EQ(links[0].other_path, "by_proc");
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "second")], "nameless!");
}

TEST_F(RecorderTest, RecordsEverythingThatChangesNames) {
  run({program("names")});
  const std::vector<Operation> renames = all(Kind::kRename);
  ASSERT_THAT(renames, SizeIs(6));
  EXPECT_TRUE(renames[0].has(format::kExchange));
  EXPECT_NE(renames[0].other_inode, 0U);
  EXPECT_EQ(renames[1].result, -EEXIST);
  EXPECT_TRUE(renames[2].has(format::kNoReplace));
  EXPECT_EQ(renames[4].other_path, "folder/moved");
  EXPECT_THAT(operations(), Contains("mkdir folder/inner = 0"));
  EXPECT_EQ(all(Kind::kSymlink).at(0).payload, "folder");
  EXPECT_EQ(all(Kind::kLink).at(0).other_path, "folder/again");  // without the detour
  EXPECT_TRUE(S_ISFIFO(all(Kind::kMakeNode).at(0).mode));
  EXPECT_TRUE(S_ISSOCK(all(Kind::kMakeNode).at(1).mode));
  EXPECT_EQ(all(Kind::kFileSync).at(0).path, "folder");
  EXPECT_TRUE(all(Kind::kFileSync).at(0).has(format::kDirectory));
  EXPECT_EQ(all(Kind::kUnlink).at(1).path, "renamed/through");  // under its new name
}

TEST_F(RecorderTest, RecordsBytesThatTheKernelMoves) {
  run({program("copies")});
  const std::vector<Operation> writes = all(Kind::kWrite);
  ASSERT_THAT(writes, SizeIs(5));
  EXPECT_EQ(writes[1].payload, "23456");
  EXPECT_EQ(writes[1].other_inode, inode_of(state() / "source"));
  EXPECT_EQ(writes[2].offset, 20);
  EXPECT_EQ(writes[2].payload, "0123456789");
  EXPECT_EQ(writes[4].payload, "spliced");
  EXPECT_EQ(writes[4].offset, 5);
  EXPECT_EQ(all(Kind::kPrint).at(0).payload, "0123456789");
  EXPECT_THAT(unsupported(), IsEmpty());
  EXPECT_THAT(all(Kind::kAllocate), SizeIs(1));
  EXPECT_THAT(all(Kind::kSyncRange), SizeIs(1));
  EXPECT_THAT(all(Kind::kSyncFileSystem), SizeIs(1));
}

TEST_F(RecorderTest, RecordsAttributes) {
  run({program("attributes")});
  const std::vector<Operation> modes = all(Kind::kChangeMode);
  ASSERT_THAT(modes, SizeIs(3));
  EXPECT_EQ(modes[0].path, "file");  // through the link
  EXPECT_EQ(modes[0].mode, 0600U);
  EXPECT_EQ(all(Kind::kChangeOwner).at(2).path, "link");
  const std::vector<Operation> times = all(Kind::kChangeTimes);
  ASSERT_THAT(times, SizeIs(4));
  format::Times values{};
  ASSERT_EQ(times[0].payload.size(), sizeof values);
  memcpy(&values, times[0].payload.data(), sizeof values);
  EXPECT_EQ(values.modify_s, 2000);
  EXPECT_EQ(values.modify_ns, 7);
  EXPECT_EQ(times[2].path, "link");
}

TEST_F(RecorderTest, LetsFailingCallsFailAsEver) {
  run({program("failures")});
  EXPECT_THAT(operations(), Contains(AllOf(HasSubstr("rename missing"), HasSubstr("= -2"))));
  EXPECT_THAT(operations(), Contains(AllOf(HasSubstr("missing/file"), HasSubstr("= -2"))));
  EXPECT_THAT(operations(), Contains(AllOf(HasSubstr("rmdir file"), HasSubstr("= -20"))));
}

TEST_F(RecorderTest, RecordsCallsMadeWithoutLibc) {
  run({program("raw")});
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "raw")], "by hand");
  EXPECT_THAT(all(Kind::kFileSync), SizeIs(1));
}

TEST_F(RecorderTest, RecordsClosesByTheirNumber) {
  run({program("closes")});
  EXPECT_THAT(all(Kind::kClose), SizeIs(1));
}

TEST_F(RecorderTest, RecordsWritesThroughSharedMappings) {
  run({program("mapped")});
  EXPECT_THAT(unsupported(), IsEmpty());
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "mapped")], content("mapped"));
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "later")].substr(0, 5), "sixth");
  EXPECT_EQ(rebuild(*trace_)[inode_of(state() / "grown")].substr(5000, 7), "seventh");
  const std::vector<Operation> changes = all(Kind::kMapWrite);
  ASSERT_GE(changes.size(), 4U);
  EXPECT_EQ(changes[0].payload, "first");
  EXPECT_EQ(changes[0].offset, 10);
  EXPECT_EQ(changes[1].payload, "second");
  EXPECT_EQ(changes[3].payload, "fourt");  // the rest lies behind the end of the file
  EXPECT_EQ(all(Kind::kMapSync).at(0).path, "mapped");
  EXPECT_LT(changes[2].sequence, all(Kind::kMapSync).at(0).sequence);
}

TEST_F(RecorderTest, DescribesNamesThatCrossTheBorder) {
  std::filesystem::create_directory(base_ / "beside");
  run({program("border"), (base_ / "beside").string()});
  EXPECT_THAT(unsupported(), IsEmpty());
  const std::vector<Operation> renames = all(Kind::kRename);
  ASSERT_THAT(renames, SizeIs(1));
  EXPECT_TRUE(renames[0].has(format::kUnlinked));
  EXPECT_EQ(renames[0].other_path, "replaced");
  EXPECT_NE(renames[0].other_inode, 0U);
  EXPECT_EQ(rebuild(*trace_)[renames[0].inode], "from outside");
  EXPECT_EQ(rebuild(*trace_)[all(Kind::kLink).at(0).inode], "linked");
  EXPECT_EQ(all(Kind::kUnlink).at(0).path, "replaced");
  EXPECT_THAT(all(Kind::kUnlink), SizeIs(1));
}

TEST_F(RecorderTest, RefusesIoUringAndSaysSo) {
  run({program("uring")});
  ASSERT_THAT(all(Kind::kUnsupported), SizeIs(1));
  EXPECT_EQ(all(Kind::kUnsupported)[0].mode, static_cast<uint32_t>(Unsupported::kIoUring));
}

TEST_F(RecorderTest, NamesAStaticProgramThatTheWorkloadStarts) {
  run({"sh", "-c", program("static") + " || true"});
  ASSERT_THAT(all(Kind::kUnsupported), SizeIs(1));
  EXPECT_EQ(all(Kind::kUnsupported)[0].mode, static_cast<uint32_t>(Unsupported::kStaticBinary));
  EXPECT_EQ(all(Kind::kUnsupported)[0].path, program("static"));
}

TEST_F(RecorderTest, RecordsMarkersInOrder) {
  run({program("markers")});
  EXPECT_THAT(operations(), ElementsAre(HasSubstr("step begin"), HasSubstr("open work"),
                                        HasSubstr("effect charge order-17"),
                                        HasSubstr("write work"), HasSubstr("step mark_done")));
  EXPECT_EQ(all(Kind::kEvent).at(0).payload, "step begin\n");
  EXPECT_EQ(all(Kind::kEvent).at(1).payload, "effect charge order-17\n");
}

TEST_F(RecorderTest, RecordsWhatWasThereBefore) {
  std::ofstream(state() / "old") << "content";
  run_shell("echo more >> old");
  const std::vector<Operation> initial = all(Kind::kInitial);
  ASSERT_THAT(initial, SizeIs(2));
  EXPECT_EQ(initial[1].path, "old");
  EXPECT_EQ(initial[1].payload, "content");
  EXPECT_EQ(all(Kind::kWrite).at(0).offset, 7);
  EXPECT_TRUE(all(Kind::kWrite)[0].has(format::kAppend));
}

TEST_F(RecorderTest, LeavesOtherFoldersOut) {
  run_shell("echo x > ../elsewhere; mv ../elsewhere ../there; rm ../there; echo y > in");
  EXPECT_THAT(operations(), ElementsAre(HasSubstr("open in"), HasSubstr("write in")));
}

TEST_F(RecorderTest, SurvivesTheRemovalOfTheStateDirectory) {
  run_shell("echo x > a; rm a; rmdir ../state; echo done");
  EXPECT_THAT(operations(), Contains("rmdir . = 0"));
  EXPECT_EQ(all(Kind::kPrint).at(0).payload, "done\n");
  std::filesystem::create_directory(state());
}

}  // namespace
}  // namespace everycrash
