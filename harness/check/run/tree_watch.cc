#include "harness/check/run/tree_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>

namespace everycrash {

TreeWatch::TreeWatch() : descriptor_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

TreeWatch::~TreeWatch() {
  if (descriptor_ >= 0) close(descriptor_);
}

void TreeWatch::add(const std::filesystem::path& folder) {
  constexpr uint32_t kEvents = IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE |
                               IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;
  whole_ = whole_ && inotify_add_watch(descriptor_, folder.c_str(),
                                       kEvents | IN_ONLYDIR | IN_DONT_FOLLOW) >= 0;
}

bool TreeWatch::quiet() {
  // What was lost because too much happened is told by an event, too.
  std::array<char, 65536> events;
  bool any = false;
  while (descriptor_ >= 0 && read(descriptor_, events.data(), events.size()) > 0) any = true;
  return whole_ && descriptor_ >= 0 && !any;
}

}  // namespace everycrash
