// Which names of a run chance has made.
#include "harness/trace/chance_names.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace everycrash {
namespace {

constexpr uint32_t kAsMkstemp = O_RDWR | O_CREAT | O_EXCL;

ChanceNames learned(std::string_view path, uint32_t open_flags = kAsMkstemp, uint32_t mode = 0600,
                    Kind end = Kind::kRename, int32_t process = 100) {
  ChanceNames names;
  names.learn({.kind = Kind::kOpen,
               .flags = format::kCreated,
               .process = process,
               .mode = mode,
               .open_flags = open_flags,
               .path = path});
  names.learn({.kind = end, .process = process, .path = path, .other_path = "f"});
  return names;
}

TEST(ChanceNames, AreThoseThatMkstempMakesAndTheRunTakesAway) {
  EXPECT_EQ(learned("XX9aVzbx").pattern_of("XX9aVzbx"), "<random>");
  EXPECT_EQ(learned("XXmcd27jhh").pattern_of("XXmcd27jhh"), "XX<random>");
  EXPECT_EQ(learned("d2utmpDyNNod").pattern_of("d2utmpDyNNod"), "d2ut<random>");
  EXPECT_EQ(learned("d/fEdb9VP").pattern_of("d/fEdb9VP"), "d/<random>");
  EXPECT_EQ(learned(".dirstate-5fpmz_11~").pattern_of(".dirstate-5fpmz_11~"),
            ".dirstate-<random>~");
  EXPECT_EQ(learned("tmpab12cd34.json").pattern_of("tmpab12cd34.json"), "tmp<random>.json");
  EXPECT_EQ(learned("zi5Bz2ob", kAsMkstemp, 0600, Kind::kUnlink).pattern_of("zi5Bz2ob"),
            "<random>");
}

TEST(ChanceNames, AreTheSameForAnotherRun) {
  EXPECT_EQ(learned("XXmcd27jhh").pattern_of("XXw8_x0abc"), "XX<random>");
  EXPECT_EQ(learned("XXmcd27jhh").glob_of("XXw8_x0abc"), "XX????????");
}

TEST(ChanceNames, AreNotNamesThatOnlyLookSo) {
  for (const char* other : {"Makefile2a", "XXlogfile", "YYmcd27jhh", "XXmcd27jhh.log"}) {
    EXPECT_EQ(learned("XXmcd27jhh").pattern_of(other), other);
    EXPECT_EQ(learned("XXmcd27jhh").glob_of(other), "");
  }
}

TEST(ChanceNames, NeedEvidence) {
  EXPECT_EQ(learned("Chunk00a1", O_CREAT | O_WRONLY).pattern_of("Chunk00a1"), "Chunk00a1");
  EXPECT_EQ(learned("Chunk00a1", kAsMkstemp, 0644).pattern_of("Chunk00a1"), "Chunk00a1");
  EXPECT_EQ(learned("id_ed25519", kAsMkstemp, 0600, Kind::kClose).pattern_of("id_ed25519"),
            "id_ed25519")
      << "it stays";
  EXPECT_EQ(learned("datafile").pattern_of("datafile"), "datafile") << "a word";
  EXPECT_EQ(
      learned("lockfile4711", kAsMkstemp, 0600, Kind::kUnlink, 4711).pattern_of("lockfile4711"),
      "lockfile4711")
      << "the number of its process";
}

}  // namespace
}  // namespace everycrash
