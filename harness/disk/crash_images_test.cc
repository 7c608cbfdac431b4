#include "harness/disk/crash_images.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace everycrash {
namespace {

using Kind = DiskRequest::Kind;
using KeptAll = std::vector<uint8_t>;

const std::vector<DiskRequest> kLog = {
    {Kind::kWrite, 0, 1}, {Kind::kFlush}, {Kind::kWrite, 1, 1}, {Kind::kWrite, 2, 1}};

std::set<KeptAll> kept_in(const std::vector<CrashImage>& images) {
  std::set<KeptAll> kept;
  for (const CrashImage& image : images) kept.insert(image.kept);
  return kept;
}

TEST(CrashImages, hold_every_prefix) {
  const std::set<KeptAll> kept = kept_in(crash_images(kLog, {.random = 0}));
  EXPECT_EQ(kept.count({0, 0, 0, 0}), 1U);
  EXPECT_EQ(kept.count({1, 1, 0, 0}), 1U);
  EXPECT_EQ(kept.count({1, 1, 1, 0}), 1U);
  EXPECT_EQ(kept.count({1, 1, 1, 1}), 1U);
}

TEST(CrashImages, lose_what_no_flush_came_after) {
  EXPECT_EQ(kept_in(crash_images(kLog, {.random = 0})).count({1, 1, 0, 1}), 1U);
}

TEST(CrashImages, keep_what_was_flushed) {
  for (const CrashImage& image : crash_images(kLog, {})) {
    const bool later = image.kept[2] != 0 || image.kept[3] != 0;
    EXPECT_TRUE(!later || image.kept[0] != 0);
  }
}

TEST(CrashImages, lose_anything_where_flushes_are_lies) {
  EXPECT_EQ(kept_in(crash_images(kLog, {.lost_flushes = true})).count({0, 0, 0, 1}), 1U);
}

TEST(CrashImages, tear_a_request_of_several_pages) {
  const std::vector<DiskRequest> log = {{Kind::kWrite, 0, 4096}, {Kind::kWrite, 4096, 8192}};
  const std::set<KeptAll> kept = kept_in(crash_images(log, {.random = 0}));
  EXPECT_EQ(kept.count({kWhole, kFirstHalf}), 1U);
  EXPECT_EQ(kept.count({kWhole, kSecondHalf}), 1U);
  EXPECT_EQ(kept.count({kFirstHalf, kLost}), 0U) << "one page is not torn";
}

TEST(CrashImages, tell_before_which_request_the_power_failed) {
  const std::vector<CrashImage> images = crash_images(kLog, {.random = 0});
  const auto first = std::find_if(images.begin(), images.end(), [](const CrashImage& image) {
    return image.kept == KeptAll{0, 0, 0, 0};
  });
  EXPECT_EQ(first->before, 1U);
  EXPECT_EQ(images.back().before, 4U);
}

}  // namespace
}  // namespace everycrash
