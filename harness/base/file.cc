#include "harness/base/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace everycrash {

Result<std::string> read_file(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return system_error("cannot read " + file.string(), errno);
  std::string content;
  char part[1 << 16];
  int problem = 0;
  for (;;) {
    const ssize_t count = read(descriptor, part, sizeof part);
    if (count > 0) {
      content.append(part, static_cast<size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      problem = count == 0 ? 0 : errno;
      break;
    }
  }
  close(descriptor);
  if (problem != 0) return system_error("cannot read " + file.string(), problem);
  return content;
}

}  // namespace everycrash
