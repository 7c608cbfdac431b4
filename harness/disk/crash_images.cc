#include "harness/disk/crash_images.h"

#include <algorithm>
#include <random>

namespace everycrash {
namespace {

/// The requests between two flushes: [begin, end), where `end` is a flush or the end of the log.
struct Stretch {
  size_t begin, end;
};

std::vector<Stretch> stretches_of(const std::vector<DiskRequest>& log, bool lost_flushes) {
  std::vector<Stretch> found;
  size_t begin = 0;
  for (size_t i = 0; i <= log.size(); ++i) {
    const bool flush = i < log.size() && log[i].kind == DiskRequest::Kind::kFlush && !lost_flushes;
    if (!flush && i < log.size()) continue;
    found.push_back({begin, i});
    begin = i + 1;
  }
  return found;
}

class Images {
 public:
  Images(size_t log_size, const CrashImageOptions& options)
      : log_size_(log_size), options_(options), engine_(options.seed) {}

  void prefixes(const Stretch& stretch) {
    for (size_t end = stretch.begin; end <= stretch.end; ++end) {
      std::vector<uint8_t> kept = durable(stretch);
      std::fill(kept.begin() + at(stretch.begin), kept.begin() + at(end), 1);
      add(stretch, std::move(kept));
    }
  }

  /// One request lost, one kept, some lost.
  void losses(const Stretch& stretch) {
    if (stretch.end - stretch.begin < 2) return;
    for (size_t i = stretch.begin; i < stretch.end; ++i) {
      std::vector<uint8_t> one_lost = durable(stretch);
      std::fill(one_lost.begin() + at(stretch.begin), one_lost.begin() + at(stretch.end), 1);
      one_lost[i] = 0;
      add(stretch, std::move(one_lost));
      std::vector<uint8_t> one_kept = durable(stretch);
      one_kept[i] = 1;
      add(stretch, std::move(one_kept));
    }
    for (uint32_t n = 0; n < options_.random; ++n) {
      std::vector<uint8_t> some = durable(stretch);
      for (size_t i = stretch.begin; i < stretch.end; ++i) some[i] = engine_() & 1;
      add(stretch, std::move(some));
    }
  }

  /// All that came before one request, and a half of that.
  void torn(const std::vector<DiskRequest>& log, const Stretch& stretch) {
    for (size_t i = stretch.begin; i < stretch.end; ++i) {
      const bool has_halves =
          log[i].kind == DiskRequest::Kind::kWrite && log[i].length >= 2 * DiskImage::kPageBytes;
      if (!has_halves) continue;
      for (const Kept half : {kFirstHalf, kSecondHalf}) {
        std::vector<uint8_t> kept = durable(stretch);
        std::fill(kept.begin() + at(stretch.begin), kept.begin() + at(i), 1);
        kept[i] = half;
        add(stretch, std::move(kept));
      }
    }
  }

  std::vector<CrashImage> take() { return std::move(found_); }

 private:
  static std::ptrdiff_t at(size_t index) { return static_cast<std::ptrdiff_t>(index); }

  /// All that was flushed before the stretch.
  [[nodiscard]] std::vector<uint8_t> durable(const Stretch& stretch) const {
    std::vector<uint8_t> kept(log_size_);
    std::fill(kept.begin(), kept.begin() + at(stretch.begin), 1);
    return kept;
  }

  void add(const Stretch& stretch, std::vector<uint8_t> kept) {
    if (found_.size() < options_.images_max) found_.push_back({std::move(kept), stretch.end});
  }

  size_t log_size_;
  const CrashImageOptions& options_;
  std::mt19937_64 engine_;
  std::vector<CrashImage> found_;
};

}  // namespace

std::vector<CrashImage> crash_images(const std::vector<DiskRequest>& log,
                                     const CrashImageOptions& options) {
  Images images(log.size(), options);
  const std::vector<Stretch> stretches = stretches_of(log, options.lost_flushes);
  for (const Stretch& stretch : stretches) images.prefixes(stretch);
  for (const Stretch& stretch : stretches) images.losses(stretch);
  for (const Stretch& stretch : stretches) images.torn(log, stretch);
  return images.take();
}

}  // namespace everycrash
