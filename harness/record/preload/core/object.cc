#include "harness/record/preload/core/object.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>

#include "harness/record/preload/core/caches.h"
#include "harness/record/preload/core/descriptors.h"
#include "harness/record/preload/core/plan.h"
#include "harness/record/preload/core/raw_call.h"
#include "harness/record/preload/core/session.h"
#include "harness/record/preload/core/user_memory.h"

namespace everycrash::preload {

namespace {

struct Known {
  int descriptor = -1;
  bool in_state = false;
  bool flags_known = false;
  uint32_t open_flags = 0;  // format::kAppend and its kin
  uint32_t generation = 0;
  uint64_t device = 0;
  uint64_t inode = 0;
  Buffer<256> path{kZeroed};
};
constexpr size_t kKnown = 128;
constinit Known known[kKnown];
bool stale_view_told = false;

Known& slot_of(int descriptor) {
  return known[static_cast<unsigned>(descriptor) % kKnown];
}

Place place_of(const struct stat& status) {
  const format::FileHeader& header = *session.header;
  if (status.st_dev == header.stdout_device && status.st_ino == header.stdout_inode) {
    return Place::kStdout;
  }
  if (header.events_inode != 0 && status.st_dev == header.events_device &&
      status.st_ino == header.events_inode) {
    return Place::kEvents;
  }
  bool possible =
      status.st_dev == header.root_device && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
  return possible ? Place::kState : Place::kElsewhere;
}

void set_flags(Object& object) {
  if (!object.exists) return;
  if (S_ISDIR(object.status.st_mode)) object.flags |= format::kDirectory;
  if (object.status.st_nlink == 0) object.flags |= format::kUnlinked;
}

// The object is on the device of the state directory; decides whether it is inside.
bool place_by_path(int descriptor, Object& object) {
  Known& entry = slot_of(descriptor);
  uint32_t generation = __atomic_load_n(&session.header->generation, __ATOMIC_ACQUIRE);
  // What would make an entry old may not have been caught.
  const bool may_be_old = stops_alone();
  if (!may_be_old && entry.descriptor == descriptor && entry.generation == generation &&
      entry.device == object.status.st_dev && entry.inode == object.status.st_ino) {
    object.path.add(entry.path.text());
    return entry.in_state;
  }
  Path absolute;
  if (!path_of_descriptor(descriptor, absolute)) {
    if (!stale_view_told) {
      append_unsupported(format::Unsupported::kStaleView, text_of("/proc"), format::kNoCall);
    }
    stale_view_told = true;
    return false;
  }
  bool inside = relative_to_root(absolute.text(), object.path);
  entry.descriptor = -1;
  if (object.path.size < sizeof entry.path.data) {
    entry.in_state = inside;
    entry.flags_known = false;
    entry.generation = generation;
    entry.device = object.status.st_dev;
    entry.inode = object.status.st_ino;
    entry.path.clear();
    entry.path.add(object.path.text());
    entry.descriptor = descriptor;
  }
  return inside;
}

}  // namespace

void forget_descriptors() {
  for (Known& entry : known) entry.descriptor = -1;
}

void forget_descriptor(int descriptor) {
  slot_of(descriptor).descriptor = -1;
}

uint32_t open_flags_of(int descriptor) {
  Known& entry = slot_of(descriptor);
  if (entry.descriptor != descriptor) return flags_of_descriptor(descriptor);
  if (!entry.flags_known) entry.open_flags = flags_of_descriptor(descriptor);
  entry.flags_known = true;
  return entry.open_flags;
}

bool may_concern_us(int descriptor, struct stat& status) {
  if (raw_call(SYS_fstat, descriptor, to_long(&status)) != 0) return false;
  return place_of(status) != Place::kElsewhere;
}

bool may_be_sent_to(int descriptor, struct stat& status) {
  if (raw_call(SYS_fstat, descriptor, to_long(&status)) != 0) return false;
  const Place place = place_of(status);
  if (place == Place::kState) return !stops_alone() || leads_to_point(SYS_write);
  return place != Place::kElsewhere || S_ISSOCK(status.st_mode);
}

bool look_at_descriptor(int descriptor, Object& object) {
  struct stat status;
  if (raw_call(SYS_fstat, descriptor, to_long(&status)) != 0) return false;
  return look_at_descriptor(descriptor, status, object);
}

bool look_at_descriptor(int descriptor, const struct stat& status, Object& object) {
  object.status = status;
  object.exists = true;
  object.place = place_of(object.status);
  set_flags(object);
  if (object.place == Place::kState && !place_by_path(descriptor, object)) {
    object.place = Place::kElsewhere;
  }
  return object.place != Place::kElsewhere;
}

bool look_at_name(int directory, const char* name, Links links, Object& object) {
  Path text;
  long size = copy_string_from_user(text.data, sizeof text.data, name);
  if (size <= 0) return false;  // the kernel has the right error for it
  text.size = static_cast<size_t>(size);
  Path absolute;
  if (!locate(directory, text, links == Links::kFollow, absolute, object)) return false;
  bool inside = relative_to_root(absolute.text(), object.path);
  object.place = inside ? Place::kState : Place::kElsewhere;
  set_flags(object);
  if (absolute.cut) object.flags |= format::kPathCut;
  return inside;
}

bool look_at_name_with_flags(int directory, const char* name, int flags, Object& object) {
  if ((flags & AT_EMPTY_PATH) != 0) {
    char first = 0;
    if (name == nullptr || (copy_from_user(&first, name, 1) && first == 0)) {
      if (directory != AT_FDCWD) {
        return look_at_descriptor(directory, object) && object.in_state();
      }
      return look_at_name(AT_FDCWD, ".", Links::kFollow, object);
    }
  }
  Links links = (flags & AT_SYMLINK_NOFOLLOW) != 0 ? Links::kKeep : Links::kFollow;
  return look_at_name(directory, name, links, object);
}

}  // namespace everycrash::preload
