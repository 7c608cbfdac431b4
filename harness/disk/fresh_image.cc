#include "harness/disk/fresh_image.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "harness/base/digest.h"

namespace everycrash {
namespace {

constexpr int kImagesMax = 64;  // disks side by side

std::filesystem::path unfinished(const std::filesystem::path& image) {
  return image.string() + ".part";
}

}  // namespace

Result<std::unique_ptr<FreshImage>> FreshImage::take(const std::filesystem::path& folder,
                                                     std::string_view type, uint64_t size_mb,
                                                     std::string_view identity) {
  if (folder.empty()) return std::unique_ptr<FreshImage>(new FreshImage({}, -1));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return harness_error(
        fmt::format("cannot keep new file systems in {}: {}\n"
                    "Let XDG_CACHE_HOME name a folder that can be written.",
                    folder.string(), error.message()));
  }
  const std::string name =
      fmt::format("{}-{}m-{}", type, size_mb, digest_of(identity).hex().substr(0, 8));
  for (int number = 0; number < kImagesMax; ++number) {
    const std::filesystem::path path = folder / fmt::format("{}.{}.img", name, number);
    const int lock = open((path.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0) return system_error("cannot lock " + path.string(), errno);
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) {
      std::filesystem::remove(unfinished(path), error);  // of a run that was killed
      return std::unique_ptr<FreshImage>(new FreshImage(path, lock));
    }
    close(lock);
  }
  return harness_error(fmt::format("{} disks of {} are in use already", kImagesMax, type));
}

FreshImage::~FreshImage() {
  if (lock_ >= 0) close(lock_);
}

bool FreshImage::exists() const {
  std::error_code ignored;
  return lock_ >= 0 && std::filesystem::exists(path_, ignored);
}

std::string FreshImage::last_device() const {
  std::array<char, 64> text{};
  const ssize_t size = lock_ < 0 ? 0 : pread(lock_, text.data(), text.size(), 0);
  return {text.data(), size > 0 ? static_cast<size_t>(size) : 0};
}

void FreshImage::note_device(const std::string& device) const {
  if (lock_ < 0 || ftruncate(lock_, 0) != 0) return;
  static_cast<void>(pwrite(lock_, device.data(), device.size(), 0) == 0);
}

void FreshImage::keep(const std::function<Status(const std::filesystem::path&)>& write) const {
  if (lock_ < 0) return;
  const std::filesystem::path part = unfinished(path_);
  std::error_code ignored;
  if (write(part)) {
    std::filesystem::rename(part, path_, ignored);
  } else {
    std::filesystem::remove(part, ignored);
  }
}

}  // namespace everycrash
