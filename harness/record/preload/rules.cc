#include "harness/record/preload/rules.h"

#include <sys/syscall.h>

#include "harness/record/preload/handlers.h"
#include "harness/record/preload/numbers.h"
#include "harness/record/preload/program.h"

namespace everycrash::preload {

namespace {

struct Entry {
  int number;
  Rule rule;
};

constexpr Entry kEntries[] = {
    {SYS_write, {record_write, 0, true}},
    {SYS_pwrite64, {record_write, 0}},
    {SYS_writev, {record_write, 0, true}},
    {SYS_pwritev, {record_write, 0}},
    {SYS_pwritev2, {record_write, 0}},
    {SYS_sendto, {record_send, 0, true}},
    {SYS_sendmsg, {record_send, 0, true}},
    {SYS_read, {answer_read, 0, true}},
    {SYS_pread64, {answer_read, 0}},
    {SYS_readv, {answer_read, 0, true}},
    {SYS_preadv, {answer_read, 0}},
    {SYS_preadv2, {answer_read, 0}},
    {SYS_recvfrom, {answer_read, 0, true}},
    {SYS_recvmsg, {answer_read, 0, true}},
    {SYS_recvmmsg, {answer_read, 0, true}},
    {SYS_connect, {record_connect}},
    {SYS_listen, {record_listen}},
    {SYS_open, {record_open}},
    {SYS_openat, {record_open}},
    {SYS_openat2, {record_open}},
    {SYS_creat, {record_open}},
    {SYS_close, {record_close, 0}},
    {SYS_close_range, {record_close_range}},
    {SYS_dup2, {record_duplicate, 1}},
    {SYS_dup3, {record_duplicate, 1}},
    {SYS_exit_group, {record_exit}},
    {SYS_rename, {record_rename}},
    {SYS_renameat, {record_rename}},
    {SYS_renameat2, {record_rename}},
    {SYS_link, {record_link}},
    {SYS_linkat, {record_link}},
    {SYS_unlink, {record_unlink}},
    {SYS_unlinkat, {record_unlink}},
    {SYS_rmdir, {record_remove_directory}},
    {SYS_symlink, {record_symlink}},
    {SYS_symlinkat, {record_symlink}},
    {SYS_mkdir, {record_make_directory}},
    {SYS_mkdirat, {record_make_directory}},
    {SYS_mknod, {record_make_node}},
    {SYS_mknodat, {record_make_node}},
    {SYS_bind, {record_bind}},
    {SYS_truncate, {record_truncate}},
    {SYS_ftruncate, {record_truncate_open_file, 0}},
    {SYS_fallocate, {record_allocate, 0}},
    {SYS_fsync, {record_file_sync, 0}},
    {SYS_fdatasync, {record_file_sync, 0}},
    {SYS_sync, {record_sync_all}},
    {SYS_syncfs, {record_sync_file_system}},
    {SYS_sync_file_range, {record_sync_range, 0}},
    {SYS_sendfile, {record_sendfile}},
    {SYS_copy_file_range, {record_copy_range, 2}},
    {SYS_splice, {record_splice}},
    {SYS_fcntl, {answer_control, 0}},
    {SYS_flock, {stand_before_lock, 0}},
    {SYS_ioctl, {record_clone, 0}},
    {SYS_chmod, {record_change_mode}},
    {SYS_fchmod, {record_change_mode, 0}},
    {SYS_fchmodat, {record_change_mode}},
    {kFchmodat2, {record_change_mode}},
    {SYS_chown, {record_change_owner}},
    {SYS_fchown, {record_change_owner, 0}},
    {SYS_lchown, {record_change_owner}},
    {SYS_fchownat, {record_change_owner}},
    {SYS_utime, {record_change_times}},
    {SYS_utimes, {record_change_times}},
    {SYS_futimesat, {record_change_times}},
    {SYS_utimensat, {record_change_times}},
    {SYS_setxattr, {record_set_attribute}},
    {SYS_lsetxattr, {record_set_attribute}},
    {SYS_fsetxattr, {record_set_attribute, 0}},
    {SYS_removexattr, {record_remove_attribute}},
    {SYS_lremovexattr, {record_remove_attribute}},
    {SYS_fremovexattr, {record_remove_attribute, 0}},
    {SYS_mmap, {record_map, 4}},
    {SYS_mprotect, {record_protect}},
    {SYS_mremap, {record_move}},
    {SYS_msync, {record_map_sync}},
    {SYS_io_uring_setup, {refuse_io_uring}},
    {SYS_io_submit, {note_async_io}},
    {SYS_chroot, {note_chroot}},
    {SYS_execve, {look_at_program}},
    {SYS_execveat, {look_at_program}},
};

constexpr int kNumbers = 512;

struct Table {
  Rule rules[kNumbers] = {};

  constexpr Table() {
    for (const Entry& entry : kEntries) rules[entry.number] = entry.rule;
  }
};

constinit const Table table;
constinit const Rule nothing;

}  // namespace

const Rule& rule_of(long number) {
  return number >= 0 && number < kNumbers ? table.rules[number] : nothing;
}

}  // namespace everycrash::preload
