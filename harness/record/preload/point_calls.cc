// Which calls can be the point at which a run is to be killed.

#include <sys/syscall.h>

#include "harness/record/preload/numbers.h"
#include "harness/record/preload/plan.h"
#include "harness/trace/point_name.h"

namespace everycrash::preload {

namespace {

// Calls that are caught together.
enum class Group : uint8_t {
  kAlways,
  kOpen,
  kClose,
  kWrite,
  kSize,
  kNames,
  kSync,
  kMap,
  kAttribute
};

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

Group group_of(long number) {
  switch (number) {
    case SYS_open:
    case SYS_openat:
    case SYS_openat2:
    case SYS_creat:
      return Group::kOpen;
    case SYS_close:
    case SYS_close_range:
    case SYS_dup2:
    case SYS_dup3:
      return Group::kClose;
    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_pwritev2:
    case SYS_sendfile:
    case SYS_copy_file_range:
    case SYS_splice:
    case SYS_ioctl:
    case SYS_fcntl:
      return Group::kWrite;
    case SYS_truncate:
    case SYS_ftruncate:
    case SYS_fallocate:
      return Group::kSize;
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
      return Group::kNames;
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_sync:
    case SYS_syncfs:
    case SYS_sync_file_range:
      return Group::kSync;
    case SYS_mmap:
    case SYS_mprotect:
    case SYS_mremap:
    case SYS_msync:
      return Group::kMap;
    default:
      // The others print, send, start programs or touch signals.
      return sets_attributes(number) ? Group::kAttribute : Group::kAlways;
  }
}

Group group_of(format::Kind kind) {
  using format::Kind;
  switch (kind) {
    case Kind::kOpen:
      return Group::kOpen;
    case Kind::kClose:
      return Group::kClose;
    case Kind::kWrite:
      return Group::kWrite;
    case Kind::kTruncate:
    case Kind::kAllocate:
      return Group::kSize;
    case Kind::kMapWrite:
    case Kind::kMapSync:
      return Group::kMap;
    default:
      break;
  }
  if (kind >= Kind::kRename && kind <= Kind::kMakeNode) return Group::kNames;
  if (kind >= Kind::kFileSync && kind <= Kind::kSyncRange) return Group::kSync;
  if (kind >= Kind::kChangeMode && kind <= Kind::kRemoveAttribute) return Group::kAttribute;
  return Group::kAlways;
}

// The kind of "rename(state.json)"; kNone for lines of events.
format::Kind kind_of_point() {
  const Text point = text_of(session.header->plan.point);
  for (auto kind = static_cast<uint16_t>(format::Kind::kOpen);
       kind <= static_cast<uint16_t>(format::Kind::kSend); ++kind) {
    const Text word = text_of(point::word_of(static_cast<format::Kind>(kind)));
    if (word.size == 0 || word.size >= point.size || point.data[word.size] != '(') continue;
    if (starts_with(point, word)) return static_cast<format::Kind>(kind);
  }
  return format::Kind::kNone;
}

}  // namespace

bool leads_to_point(long number) {
  const Group wanted = group_of(kind_of_point());
  if (wanted == Group::kMap) return true;  // what a mapping has changed is looked for at each call
  const bool writes = number == SYS_write || number == SYS_writev;
  const Group group = writes ? Group::kWrite : group_of(number);
  return group == Group::kAlways || group == wanted;
}

}  // namespace everycrash::preload
