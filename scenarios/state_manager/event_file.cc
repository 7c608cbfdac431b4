#include "scenarios/state_manager/event_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace state_manager {
namespace {

int open_event_file() {
  const char* const path = std::getenv("EVERYCRASH_EVENTS");
  if (path == nullptr || *path == '\0') return -1;
  return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

}  // namespace

void append_event(const std::string& line) {
  static const int file = open_event_file();
  if (file < 0) return;
  const std::string whole = line + "\n";
  [[maybe_unused]] const ssize_t written = write(file, whole.data(), whole.size());
}

}  // namespace state_manager
