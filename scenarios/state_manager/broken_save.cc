#include "scenarios/state_manager/broken_save.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

#include "scenarios/common/file_io.h"

namespace scenarios::state_manager {

Outcome overwrite_in_place(int directory_fd, const std::string& name, std::string_view content) {
  const FileDescriptor target(
      openat(directory_fd, name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!target.valid()) return call_failed("open " + name);
  if (const Outcome written = write_all(target.get(), content, name); !written) return written;
  if (fsync(target.get()) != 0) return call_failed("fsync " + name);
  if (fsync(directory_fd) != 0) return call_failed("fsync the directory of " + name);
  return {};
}

Outcome move_from_elsewhere(int directory_fd, const std::string& name, std::string_view content) {
  // A memfd is a file on another file system that no kill can leave behind; closing it is the
  // unlink of the source.
  const FileDescriptor source(memfd_create("elsewhere", MFD_CLOEXEC));
  if (!source.valid()) return call_failed("create a temp file elsewhere");
  if (const Outcome written = write_all(source.get(), content, "temp file"); !written) {
    return written;
  }
  if (fsync(source.get()) != 0) return call_failed("fsync the temp file");
  const auto moved = read_all(source.get(), "temp file");
  if (!moved) return tl::unexpected(moved.error());
  return overwrite_in_place(directory_fd, name, *moved);
}

Outcome write_with_flush_only(int directory_fd, const std::string& temp_name,
                              std::string_view content) {
  const int fd =
      openat(directory_fd, temp_name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return call_failed("open " + temp_name);
  FILE* const stream = fdopen(fd, "w");
  if (stream == nullptr) return call_failed("open a stream on " + temp_name);
  const bool written = fwrite(content.data(), 1, content.size(), stream) == content.size();
  const bool flushed = fflush(stream) == 0;
  if (fclose(stream) != 0 || !written || !flushed) return call_failed("write " + temp_name);
  return {};
}

void write_and_hope(int directory_fd, const std::string& temp_name, std::string_view content) {
  const FileDescriptor file(
      openat(directory_fd, temp_name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  [[maybe_unused]] const ssize_t written = write(file.get(), content.data(), content.size());
  fsync(file.get());
}

}  // namespace scenarios::state_manager
