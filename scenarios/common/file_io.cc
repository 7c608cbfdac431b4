#include "scenarios/common/file_io.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace scenarios {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

int FileDescriptor::release() {
  return std::exchange(fd_, -1);
}

void FileDescriptor::reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

Expected<FileDescriptor> open_directory(const std::string& path) {
  FileDescriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid()) return call_failed("open directory " + path);
  return directory;
}

Outcome write_all(int fd, std::string_view content, const std::string& name) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return call_failed("write " + name);
    content.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Expected<std::string> read_all(int fd, const std::string& name) {
  std::string content;
  char buffer[16384];
  while (true) {
    const ssize_t count = pread(fd, buffer, sizeof buffer, static_cast<off_t>(content.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return call_failed("read " + name);
    if (count == 0) return content;
    content.append(buffer, static_cast<size_t>(count));
  }
}

Expected<std::optional<std::string>> read_file(int directory_fd, const std::string& name) {
  const FileDescriptor file(openat(directory_fd, name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid() && errno == ENOENT) return std::optional<std::string>();
  if (!file.valid()) return call_failed("open " + name);
  auto content = read_all(file.get(), name);
  if (!content) return tl::unexpected(content.error());
  return std::optional<std::string>(std::move(*content));
}

}  // namespace scenarios
