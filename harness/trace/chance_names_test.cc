// Which names of a run chance has made.
#include "harness/trace/chance_names.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "harness/trace/operation.h"
#include "harness/trace/stable_name.h"

namespace everycrash {
namespace {

constexpr uint32_t kAsMkstemp = O_RDWR | O_CREAT | O_EXCL;

ChanceNames learned(std::string_view path, uint32_t open_flags = kAsMkstemp, uint32_t mode = 0600,
                    Kind end = Kind::kRename, int32_t process = 100,
                    std::string_view target = "f") {
  ChanceNames names;
  names.learn({.kind = Kind::kOpen,
               .flags = format::kCreated,
               .process = process,
               .mode = mode,
               .open_flags = open_flags,
               .path = path});
  names.learn({.kind = end, .process = process, .path = path, .other_path = target});
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

TEST(ChanceNames, AreThoseOfTheSameTemplateThatAreNotMixed) {
  const ChanceNames names = learned("d/.state-ab12cd34");
  for (const char* other : {"d/.state-abcdefgh", "d/.state-5wua8_j4", "d/.state-rm______"}) {
    EXPECT_EQ(names.pattern_of(other), "d/.state-<random>");
    EXPECT_EQ(names.glob_of(other), "d/.state-????????");
  }
  for (const char* other : {"d/.state-abcdefghi", "d/.state-abc.efgh", "e/.state-ab12cd34"}) {
    EXPECT_EQ(names.pattern_of(other), other);
  }
}

TEST(ChanceNames, MayBeLongNumbers) {
  EXPECT_EQ(learned(".state-2842761234").pattern_of(".state-2842761234"), ".state-<random>");
  EXPECT_EQ(learned("s7943789770926950386.tmp").pattern_of("s7943789770926950386.tmp"),
            "s<random>.tmp");
  EXPECT_EQ(learned(".state-2842761234").glob_of(".state-344439254"), ".state-???????*");
  EXPECT_EQ(learned("order-0000000001").pattern_of("order-0000000001"), "order-0000000001");
  EXPECT_EQ(
      learned("run-4194303", kAsMkstemp, 0600, Kind::kRename, 4194303).pattern_of("run-4194303"),
      "run-4194303")
      << "the number of its process";
}

ChanceNames renamed_to(std::string_view path, std::string_view target) {
  return learned(path, O_WRONLY | O_CREAT | O_TRUNC, 0644, Kind::kRename, 14102, target);
}

TEST(ChanceNames, AreKnownByTheNameThatTheyTake) {
  constexpr std::string_view kPath = "d/state.json.2842761234";
  EXPECT_EQ(renamed_to(kPath, "d/state.json").pattern_of(kPath), "d/state.json.<random>");
  EXPECT_EQ(renamed_to(kPath, "d/other.json").pattern_of(kPath), kPath);
  EXPECT_EQ(renamed_to("log.20231130", "old").pattern_of("log.20231130"), "log.20231130");
}

TEST(ChanceNames, MayHaveTheNumberOfTheProcessBeside) {
  const ChanceNames names = renamed_to("s.json.14102.8l51g9mu7cu.tmp", "s.json");
  EXPECT_EQ(names.pattern_of("s.json.14102.8l51g9mu7cu.tmp"), "s.json.14102.<random>.tmp");
  EXPECT_EQ(names.pattern_of("s.json.2077.9nw5sp93ndf4.tmp"), "s.json.2077.<random>.tmp");
  EXPECT_EQ(names.glob_of("s.json.14102.8l51g9mu7cu.tmp"), "s.json.14102.???????*.tmp");
}

TEST(StableName, HasNoUuid) {
  const auto stable = [](std::string_view path) {
    return stable_name(path, [](int32_t) { return false; });
  };
  EXPECT_EQ(stable("s.550e8400-e29b-41d4-a716-446655440000.tmp"), "s.<random>.tmp");
  EXPECT_EQ(stable("q/550e8400-e29b-41d4-a716-44665544000a"), "q/<random>");
  EXPECT_EQ(stable("x550e8400-e29b-41d4-a716-446655440000"),
            "x550e8400-e29b-41d4-a716-446655440000");
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
