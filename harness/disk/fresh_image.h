// Newly made file systems, kept so that mkfs runs once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "harness/base/error.h"

namespace everycrash {

/// One image of the cache, used by one disk at a time: two disks with one file system's identity
/// cannot be mounted side by side. The lock goes with this object, or with this process.
class FreshImage {
 public:
  /// The first free image with that IDENTITY (what was asked of mkfs) and size in FOLDER, which is
  /// made; it may have to be filled. FOLDER "" = a place that keeps nothing. Fails with kHarness.
  static Result<std::unique_ptr<FreshImage>> take(const std::filesystem::path& folder,
                                                  std::string_view type, uint64_t size_mb,
                                                  std::string_view identity);
  FreshImage(const FreshImage&) = delete;
  FreshImage& operator=(const FreshImage&) = delete;
  ~FreshImage();

  [[nodiscard]] bool exists() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The device on which it was used last, "" = none.
  [[nodiscard]] std::string last_device() const;
  void note_device(const std::string& device) const;
  /// Lets WRITE make the image, whole or not at all. That it cannot be kept is no failure.
  void keep(const std::function<Status(const std::filesystem::path&)>& write) const;

 private:
  FreshImage(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_;  // holds the name of the last device
};

}  // namespace everycrash
