// The content of a disk that remembers everything that was written to it.
//
// Three layers of pages: the fresh image (a new file system), the base (with what a workload
// finds), and the present. Only pages that differ from the layer below are held, so going back to a
// layer costs what differs, not the size of the disk. While logging, every write, discard and flush
// is kept with its data, and the present can become the base plus any of them: what a disk with a
// volatile cache may hold after the power failed.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/digest.h"

namespace everycrash {

/// One request that reached the disk.
struct DiskRequest {
  enum class Kind : uint32_t { kWrite, kDiscard, kFlush } kind = Kind::kWrite;
  uint64_t offset = 0;  ///< bytes
  uint64_t length = 0;
};

/// How much of a request a disk kept. A disk is asked for many pages in one request, and promises
/// only that a sector is written as a whole.
enum Kept : uint8_t { kLost = 0, kWhole = 1, kFirstHalf = 2, kSecondHalf = 3 };

/// Owns all pages. One thread.
class DiskImage {
 public:
  static constexpr uint64_t kPageBytes = 4096;

  /// A disk of zeros; SIZE_BYTES is a multiple of the page size.
  explicit DiskImage(uint64_t size_bytes);
  [[nodiscard]] uint64_t size_bytes() const { return size_bytes_; }

  // Requests of the machine. What lies behind the end of the disk is left out.
  void read(uint64_t offset, std::span<char> into) const;
  void write(uint64_t offset, std::string_view bytes);
  /// The range reads as zeros, as after a discard that the device keeps to.
  void discard(uint64_t offset, uint64_t length);
  void flush();

  /// What the disk holds now becomes the fresh image, and the base.
  void make_fresh();
  /// What the disk holds now becomes the base, and the log starts empty.
  void start_log();
  void stop_log() { logging_ = false; }
  /// The base becomes the fresh image again, and the present too. Ends the log.
  void reset();
  [[nodiscard]] const std::vector<DiskRequest>& log() const { return log_; }

  /// The disk becomes the base plus that much of each request of the log as KEPT says (missing
  /// ones are lost; halves are of writes, at a page's border). Returns a digest of what differs
  /// from the base: equal digests, equal disks.
  Digest become(std::span<const uint8_t> kept);

  /// Numbers of the pages that are not zero now, ascending.
  [[nodiscard]] std::vector<uint64_t> used_pages() const;
  /// Pages held in memory, over all layers.
  [[nodiscard]] uint64_t held_pages() const { return pages_.size() - free_.size(); }

 private:
  using Page = std::array<char, kPageBytes>;
  using PageIndex = uint32_t;
  struct Layer {
    std::vector<PageIndex> table;   // by page number
    std::vector<uint64_t> changed;  // where it differs from the layer below
  };
  static constexpr size_t kFresh = 0, kBase = 1, kPresent = 2;

  [[nodiscard]] PageIndex below(size_t layer, uint64_t page) const;
  [[nodiscard]] char* writable(uint64_t page);
  [[nodiscard]] bool clip(uint64_t offset, uint64_t& length) const;
  void put(uint64_t offset, const char* bytes, uint64_t length);  // zeros for nullptr
  void drop(size_t layer);
  void settle(size_t layer);
  PageIndex take_page();
  void note(DiskRequest::Kind kind, uint64_t offset, std::string_view bytes, uint64_t length);

  uint64_t size_bytes_;
  std::deque<Page> pages_;  // the first is zeros
  std::vector<PageIndex> free_;
  std::array<Layer, 3> layers_;
  bool logging_ = false;
  std::vector<DiskRequest> log_;
  std::vector<std::string> log_data_;  // by request; empty but for writes
};

}  // namespace everycrash
