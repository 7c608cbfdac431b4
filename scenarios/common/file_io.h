// A file descriptor that closes itself, and whole reads and writes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scenarios/common/failure.h"

namespace scenarios {

/// Owns one descriptor. Move-only; not for sharing between threads.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  int release();
  void reset();

 private:
  int fd_ = -1;
};

/// Opens a directory for use with the -at calls and fsync.
[[nodiscard]] Expected<FileDescriptor> open_directory(const std::string& path);

/// Writes all of `content`, however many calls that takes.
[[nodiscard]] Outcome write_all(int fd, std::string_view content, const std::string& name);

/// Reads a whole file; nullopt if it does not exist.
[[nodiscard]] Expected<std::optional<std::string>> read_file(int directory_fd,
                                                             const std::string& name);

/// Reads a descriptor from its start to its end.
[[nodiscard]] Expected<std::string> read_all(int fd, const std::string& name);

}  // namespace scenarios
