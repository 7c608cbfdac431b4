// Which calls can be the point at which a run is to be killed.

#include <sys/syscall.h>

#include "harness/record/preload/numbers.h"
#include "harness/record/preload/plan.h"
#include "harness/trace/point_name.h"

namespace everycrash::preload {

namespace {

bool sets_attributes(long number) {
  switch (number) {
    case SYS_chmod:
    case SYS_fchmod:
    case SYS_fchmodat:
    case kFchmodat2:
    case SYS_chown:
    case SYS_fchown:
    case SYS_lchown:
    case SYS_fchownat:
    case SYS_utime:
    case SYS_utimes:
    case SYS_futimesat:
    case SYS_utimensat:
    case SYS_setxattr:
    case SYS_lsetxattr:
    case SYS_fsetxattr:
    case SYS_removexattr:
    case SYS_lremovexattr:
    case SYS_fremovexattr:
      return true;
    default:
      return false;
  }
}

CallGroup group_of(long number) {
  switch (number) {
    case SYS_open:
    case SYS_openat:
    case SYS_openat2:
    case SYS_creat:
      return CallGroup::kOpen;
    case SYS_close:
    case SYS_close_range:
    case SYS_dup2:
    case SYS_dup3:
      return CallGroup::kClose;
    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_pwritev2:
    case SYS_sendfile:
    case SYS_copy_file_range:
    case SYS_splice:
    case SYS_ioctl:
    case SYS_fcntl:
      return CallGroup::kWrite;
    case SYS_truncate:
    case SYS_ftruncate:
    case SYS_fallocate:
      return CallGroup::kSize;
    case SYS_rename:
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_link:
    case SYS_linkat:
    case SYS_unlink:
    case SYS_unlinkat:
    case SYS_symlink:
    case SYS_symlinkat:
    case SYS_mkdir:
    case SYS_mkdirat:
    case SYS_rmdir:
    case SYS_mknod:
    case SYS_mknodat:
    case SYS_bind:
      return CallGroup::kNames;
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_sync:
    case SYS_syncfs:
    case SYS_sync_file_range:
      return CallGroup::kSync;
    case SYS_mmap:
    case SYS_mprotect:
    case SYS_mremap:
    case SYS_msync:
      return CallGroup::kMap;
    default:
      // The others print, send, start programs or touch signals.
      return sets_attributes(number) ? CallGroup::kAttributes : CallGroup::kAlways;
  }
}

// The kind of "rename(state.json)"; kNone for lines of events.
format::Kind kind_of_point() {
  const Text point = text_of(session.header->plan.point);
  for (uint16_t kind = 0; kind < kKindsEnd; ++kind) {
    const Text word = text_of(point::word_of(static_cast<format::Kind>(kind)));
    if (word.size == 0 || word.size >= point.size || point.data[word.size] != '(') continue;
    if (starts_with(point, word)) return static_cast<format::Kind>(kind);
  }
  return format::Kind::kNone;
}

}  // namespace

bool leads_to_point(long number) {
  const CallGroup wanted = traits_of(kind_of_point()).group;
  if (wanted == CallGroup::kMap)
    return true;  // what a mapping has changed is looked for at each call
  const bool writes = number == SYS_write || number == SYS_writev;
  const CallGroup group = writes ? CallGroup::kWrite : group_of(number);
  return group == CallGroup::kAlways || group == wanted;
}

}  // namespace everycrash::preload
