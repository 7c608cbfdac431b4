#include "harness/check/oracles/half_file_words.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

TEST(HalfFileMessage, tells_where_a_file_is_whose_folder_was_moved_aside) {
  Recording recording;
  for (const char* folder : {"app", "next"}) {
    std::filesystem::create_directory(recording.tree() / folder);
    std::ofstream(recording.tree() / folder / "f") << folder;
  }
  const auto inode = [&](const char* folder) {
    struct stat status {};
    EXPECT_EQ(stat((recording.tree() / folder).c_str(), &status), 0);
    return status.st_ino;
  };
  recording.initial().rename("app", "app.old", inode("app")).rename("next", "app", inode("next"));
  const Trace trace = recording.finish();
  const Result<History> history = History::of(trace);
  ASSERT_TRUE(history) << history.error().message;
  FileSystem state = *FileSystem::initial(trace);
  for (const Operation& record : trace.records()) {
    if (record.kind != Kind::kRename || record.path != "app") continue;
    ASSERT_TRUE(state.apply(record));
  }
  EXPECT_EQ(half_file_message(*history, "app/f", history->judged().at("app/f"), state),
            "app/f is missing; app.old/f holds what it was before the run, whole");
}

}  // namespace
}  // namespace everycrash
