// A folder for one test.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

namespace everycrash {

/// An empty folder with a name of its own, on the memory file system or, without one, where
/// temporary files belong. Removed with all that is in it when this ends; what keeps files open in
/// it is to be declared behind it. The test fails where the folder cannot be made, and then nothing
/// can be made below path(), or where it cannot be removed.
class FolderForTest {
 public:
  FolderForTest() {
    std::error_code error;
    const std::filesystem::path memory = "/dev/shm";
    const std::filesystem::path parent = std::filesystem::is_directory(memory, error)
                                             ? memory
                                             : std::filesystem::temp_directory_path(error);
    std::string pattern = (parent / "everycrash-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) {
      path_ = pattern;
      return;
    }
    ADD_FAILURE() << "cannot make a folder like " << pattern << ": " << strerror(errno);
    path_ = "/dev/null/folder-for-test";
  }
  ~FolderForTest() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
    if (error && error != std::errc::not_a_directory) {
      ADD_FAILURE() << "cannot remove " << path_ << ": " << error.message();
    }
  }
  FolderForTest(const FolderForTest&) = delete;
  FolderForTest& operator=(const FolderForTest&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::filesystem::path& name) const {
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace everycrash
