#include "harness/record/preload/dispatch.h"

#include <errno.h>
#include <sys/syscall.h>

#include "harness/record/preload/filter.h"
#include "harness/record/preload/handlers.h"
#include "harness/record/preload/numbers.h"
#include "harness/record/preload/object.h"
#include "harness/record/preload/program.h"
#include "harness/record/preload/record_copy.h"
#include "harness/record/preload/session.h"
#include "harness/record/preload/signals.h"

namespace everycrash::preload {

namespace {

using Handler = long (*)(const Call&);

// Handlers run on a stack of our own: programs take signals on alternate stacks of a few kilobytes,
// of which the kernel's frame alone fills most. One is enough, since the lock lets one in.
alignas(64) char stack[256 * 1024];

// Calls HANDLER(CALL) with the stack pointer at TOP. The frame pointer leads the unwinder back.
extern "C" long everycrash_call_on_stack(Handler handler, const Call* call, void* top);
asm(R"(
  .text
  .hidden everycrash_call_on_stack
  .globl everycrash_call_on_stack
  .type everycrash_call_on_stack, @function
everycrash_call_on_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rdx, %rsp
  call *%rax
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size everycrash_call_on_stack, .-everycrash_call_on_stack
)");

// A call by descriptor: most of them are on files that are none of ours, and should not wait for
// the lock to find that out. -1: always under the lock.
int descriptor_argument(long number) {
  switch (number) {
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_pwritev:
    case SYS_pwritev2:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_sync_file_range:
    case SYS_fchmod:
    case SYS_fchown:
    case SYS_fsetxattr:
    case SYS_fremovexattr:
    case SYS_close:
    case SYS_ioctl:
    case SYS_fcntl:
      return 0;
    case SYS_dup2:
    case SYS_dup3:
      return 1;
    case SYS_copy_file_range:
      return 2;
    case SYS_mmap:
      return 4;
    default:
      return -1;
  }
}

Handler handler_of(long number) {
  switch (number) {
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_pwritev:
    case SYS_pwritev2:
      return record_write;
    case SYS_open:
    case SYS_openat:
    case SYS_openat2:
    case SYS_creat:
      return record_open;
    case SYS_close:
      return record_close;
    case SYS_close_range:
      return record_close_range;
    case SYS_dup2:
    case SYS_dup3:
      return record_duplicate;
    case SYS_exit_group:
      return record_exit;
    case SYS_rename:
    case SYS_renameat:
    case SYS_renameat2:
      return record_rename;
    case SYS_link:
    case SYS_linkat:
      return record_link;
    case SYS_unlink:
    case SYS_unlinkat:
      return record_unlink;
    case SYS_rmdir:
      return record_remove_directory;
    case SYS_symlink:
    case SYS_symlinkat:
      return record_symlink;
    case SYS_mkdir:
    case SYS_mkdirat:
      return record_make_directory;
    case SYS_mknod:
    case SYS_mknodat:
      return record_make_node;
    case SYS_bind:
      return record_bind;
    case SYS_truncate:
      return record_truncate;
    case SYS_ftruncate:
      return record_truncate_open_file;
    case SYS_fallocate:
      return record_allocate;
    case SYS_fsync:
    case SYS_fdatasync:
      return record_file_sync;
    case SYS_sync:
      return record_sync_all;
    case SYS_syncfs:
      return record_sync_file_system;
    case SYS_sync_file_range:
      return record_sync_range;
    case SYS_sendfile:
      return record_sendfile;
    case SYS_copy_file_range:
      return record_copy_range;
    case SYS_splice:
      return record_splice;
    case SYS_fcntl:
      return note_changed_flags;
    case SYS_ioctl:
      return record_clone;
    case SYS_chmod:
    case SYS_fchmod:
    case SYS_fchmodat:
    case kFchmodat2:
      return record_change_mode;
    case SYS_chown:
    case SYS_fchown:
    case SYS_lchown:
    case SYS_fchownat:
      return record_change_owner;
    case SYS_utime:
    case SYS_utimes:
    case SYS_futimesat:
    case SYS_utimensat:
      return record_change_times;
    case SYS_setxattr:
    case SYS_lsetxattr:
    case SYS_fsetxattr:
      return record_set_attribute;
    case SYS_removexattr:
    case SYS_lremovexattr:
    case SYS_fremovexattr:
      return record_remove_attribute;
    case SYS_mmap:
      return record_map;
    case SYS_mprotect:
      return record_protect;
    case SYS_mremap:
      return record_move;
    case SYS_msync:
      return record_map_sync;
    case SYS_io_uring_setup:
      return refuse_io_uring;
    case SYS_io_submit:
      return note_async_io;
    case SYS_chroot:
      return note_chroot;
    case SYS_execve:
    case SYS_execveat:
      return look_at_program;
    default:
      return nullptr;
  }
}

bool is_ours(Call& call) {
  int index = descriptor_argument(call.number);
  if (index >= 0) return may_concern_us(call.descriptor(index), call.status);
  if (call.number == SYS_splice || call.number == SYS_sendfile) return wait_for_source(call);
  return true;
}

long answer(Call& call) {
  switch (call.number) {
    case SYS_rt_sigaction:
      return emulate_sigaction(call);
    case SYS_rt_sigprocmask:
      return emulate_sigprocmask(call);
    case SYS_rt_sigsuspend:
    case SYS_ppoll:
    case SYS_pselect6:
    case SYS_epoll_pwait:
    case kEpollPwait2:
      return make_without_sigsys(call);
    default:
      break;
  }
  if (call.number == SYS_fsync && call.descriptor(0) == kProbeDescriptor) return kProbeAnswer;
  Handler handler = handler_of(call.number);
  if (handler == nullptr) return pass(call);
  for (;;) {
    if (!is_ours(call)) return pass(call);
    lock_session();
    long result = everycrash_call_on_stack(handler, &call, stack + sizeof stack);
    unlock_session();
    if (result == kTryAgain) continue;
    if (result != kNotOurs) return result;
    bool executes = call.number == SYS_execve || call.number == SYS_execveat;
    return executes ? execute(call) : pass(call);
  }
}

}  // namespace

void on_sigsys(int signal, siginfo_t* info, void* context) {
  constexpr int kFromFilter = 1;  // SYS_SECCOMP
  if (info->si_code != kFromFilter) {
    forward_sigsys(signal, info, context);
    return;
  }
  auto* interrupted = static_cast<ucontext_t*>(context);
  greg_t* registers = interrupted->uc_mcontext.gregs;
  Call call = {info->si_syscall,
               {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10],
                registers[REG_R8], registers[REG_R9]},
               interrupted,
               {}};
  long result = answer(call);
  if (result != kResumed) registers[REG_RAX] = result;
}

}  // namespace everycrash::preload
