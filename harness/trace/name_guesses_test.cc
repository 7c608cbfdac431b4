// What is guessed from the shape of a name.
#include "harness/trace/name_guesses.h"

#include <gtest/gtest.h>

namespace everycrash {
namespace {

TEST(SpareCopy, is_known_by_its_name) {
  EXPECT_EQ(original_of("f~"), "f");
  EXPECT_EQ(original_of("a/f.~12~"), "a/f");
  EXPECT_EQ(original_of("status-old"), "status");
  EXPECT_EQ(original_of("d/f.txt.bak"), "d/f.txt");
  EXPECT_EQ(original_of("f.old"), "f");
  EXPECT_EQ(original_of("f.orig"), "f");
}

TEST(SpareCopy, is_no_other_name) {
  for (const char* name : {"f", "threshold", "f.tmp", ".bak", "~", "a.bak/f", "f.1", "f.new"}) {
    EXPECT_EQ(original_of(name), "") << name;
  }
}

TEST(NameGuesses, a_name_is_made_from_another_that_it_holds_without_its_extension) {
  for (const char* name : {"status.tmp", ".status.json.swp", "status.json.new", "new-status"}) {
    EXPECT_TRUE(is_named_after(name, "var/status.json")) << name;
  }
  EXPECT_FALSE(is_named_after("state.tmp", "var/status.json"));
  EXPECT_FALSE(is_named_after("rc.tmp", ".rc")) << "a leading dot begins no extension";
}

TEST(NameGuesses, temporary_files_are_named_so_or_at_random) {
  for (const char* name :
       {"f.tmp", "d/f.tmp.3", "f.new", "f.part", "tmpfile", "~f", "f~", "state-aB3dE5", "f.temp"}) {
    EXPECT_TRUE(looks_temporary(name)) << name;
  }
  for (const char* name : {"f", "d.tmp/f", "attempt", "state-abcdef"}) {
    EXPECT_FALSE(looks_temporary(name)) << name;
  }
}

TEST(NameGuesses, a_lock_says_so) {
  EXPECT_TRUE(looks_like_lock("d/.lock"));
  EXPECT_TRUE(looks_like_lock("app.lockfile"));
  EXPECT_FALSE(looks_like_lock("app.pid"));
}

TEST(NameGuesses, hashes_are_long_and_mix_letters_with_digits) {
  EXPECT_EQ(without_hashes("pack-3fa0c17b5d9e2f4a.idx"), "pack-#.idx");
  EXPECT_EQ(without_hashes("objects/ab/3f/a0c17b5d9e2f4a6b"), "objects/#/#/#");
  EXPECT_EQ(without_hashes("facade/deadbeef"), "facade/deadbeef");
  EXPECT_EQ(without_hashes("ab/feedfacedeadbeefcafe"), "ab/feedfacedeadbeefcafe");
  EXPECT_EQ(without_hash_folders("objects/3f/"), "objects/#/");
  EXPECT_EQ(without_hash_folders("objects/pack/"), "objects/pack/");
}

}  // namespace
}  // namespace everycrash
