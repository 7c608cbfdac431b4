#include "harness/disk/disk_image.h"

#include <gtest/gtest.h>

#include <string>

namespace everycrash {
namespace {

constexpr uint64_t kPage = DiskImage::kPageBytes;

std::string content(const DiskImage& disk, uint64_t offset, uint64_t length) {
  std::string bytes(length, '?');
  disk.read(offset, bytes);
  return bytes;
}

TEST(DiskImage, begins_with_zeros) {
  const DiskImage disk(4 * kPage);
  EXPECT_EQ(content(disk, kPage - 1, 2), std::string(2, '\0'));
}

TEST(DiskImage, writes_and_reads_over_page_borders) {
  DiskImage disk(4 * kPage);
  disk.write(kPage - 2, "abcd");
  EXPECT_EQ(content(disk, kPage - 3, 6), std::string("\0abcd\0", 6));
}

TEST(DiskImage, goes_back_to_the_fresh_image) {
  DiskImage disk(4 * kPage);
  disk.write(0, "fresh");
  disk.make_fresh();
  disk.write(0, "older");
  disk.start_log();
  disk.write(0, "newer");
  disk.reset();
  EXPECT_EQ(content(disk, 0, 5), "fresh");
}

TEST(DiskImage, becomes_the_base_plus_any_requests) {
  DiskImage disk(4 * kPage);
  disk.write(0, "base");
  disk.start_log();
  disk.write(0, "A");
  disk.flush();
  disk.write(1, "B");
  disk.discard(0, 1);
  const uint8_t first[] = {1};
  disk.become(first);
  EXPECT_EQ(content(disk, 0, 4), "Aase");
  const uint8_t third[] = {0, 0, 1};
  disk.become(third);
  EXPECT_EQ(content(disk, 0, 4), "bBse");
  const uint8_t last[] = {1, 1, 0, 1};
  disk.become(last);
  EXPECT_EQ(content(disk, 0, 4), std::string("\0ase", 4));
}

TEST(DiskImage, tells_equal_disks_by_their_digest) {
  DiskImage disk(4 * kPage);
  disk.start_log();
  disk.write(0, "A");
  disk.write(0, "B");
  disk.write(kPage, std::string(1, '\0'));
  const uint8_t both[] = {1, 1}, second[] = {0, 1, 1}, first[] = {1}, none[] = {0};
  EXPECT_EQ(disk.become(both), disk.become(second));
  EXPECT_NE(disk.become(both), disk.become(first));
  EXPECT_EQ(disk.become(none), Digest{});
}

TEST(DiskImage, keeps_half_of_a_request) {
  DiskImage disk(4 * kPage);
  disk.start_log();
  disk.write(0, std::string(kPage, 'a') + std::string(2 * kPage, 'b'));
  const uint8_t first[] = {kFirstHalf}, second[] = {kSecondHalf};
  disk.become(first);
  EXPECT_EQ(content(disk, kPage - 1, 2), std::string("a\0", 2));
  disk.become(second);
  EXPECT_EQ(content(disk, kPage - 1, 2), std::string("\0b", 2));
}

TEST(DiskImage, does_not_log_what_a_mounted_state_writes) {
  DiskImage disk(4 * kPage);
  disk.start_log();
  disk.write(0, "A");
  const uint8_t all[] = {1};
  disk.become(all);
  disk.write(0, "recovered");
  disk.become(all);
  EXPECT_EQ(disk.log().size(), 1U);
  EXPECT_EQ(content(disk, 0, 2), std::string("A\0", 2));
}

TEST(DiskImage, holds_only_what_differs) {
  DiskImage disk(1024 * kPage);
  disk.write(0, "fresh");
  disk.make_fresh();
  const uint64_t fresh = disk.held_pages();
  disk.start_log();
  for (int i = 0; i < 100; ++i) disk.write(static_cast<uint64_t>(i) * kPage, "x");
  const std::vector<uint8_t> ten(10, 1);
  disk.become(ten);
  EXPECT_EQ(disk.held_pages(), fresh + 10);
  disk.reset();
  EXPECT_EQ(disk.held_pages(), fresh);
}

TEST(DiskImage, leaves_out_what_lies_behind_its_end) {
  DiskImage disk(kPage);
  disk.start_log();
  disk.write(kPage - 1, "ab");
  disk.write(kPage, "c");
  EXPECT_EQ(disk.log().size(), 1U);
  EXPECT_EQ(disk.log()[0].length, 1U);
}

}  // namespace
}  // namespace everycrash
