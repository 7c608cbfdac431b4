#include "harness/record/preload/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/record/preload/gate.h"
#include "harness/record/preload/numbers.h"
#include "harness/record/preload/plan.h"
#include "harness/record/preload/raw_call.h"

// What stdio closes and reads its files with; null in a libc that has none.
extern "C" __attribute__((weak)) int __close_nocancel(int);
extern "C" __attribute__((weak)) ssize_t __read_nocancel(int, void*, size_t);
extern "C" __attribute__((weak)) ssize_t __pread64_nocancel(int, void*, size_t, off64_t);

namespace everycrash::preload {

namespace {

// Caught whatever their arguments are, unless they lead nowhere (is_caught).
constexpr int kAlways[] = {
    SYS_write,       SYS_pwrite64,     SYS_writev,        SYS_pwritev,         SYS_pwritev2,
    SYS_creat,       SYS_openat2,      SYS_rename,        SYS_renameat,        SYS_renameat2,
    SYS_link,        SYS_linkat,       SYS_unlink,        SYS_unlinkat,        SYS_symlink,
    SYS_symlinkat,   SYS_mkdir,        SYS_mkdirat,       SYS_rmdir,           SYS_mknod,
    SYS_mknodat,     SYS_bind,         SYS_truncate,      SYS_ftruncate,       SYS_fallocate,
    SYS_fsync,       SYS_fdatasync,    SYS_sync,          SYS_syncfs,          SYS_sync_file_range,
    SYS_msync,       SYS_mremap,       SYS_sendfile,      SYS_copy_file_range, SYS_splice,
    SYS_chmod,       SYS_fchmod,       SYS_fchmodat,      kFchmodat2,          SYS_chown,
    SYS_fchown,      SYS_lchown,       SYS_fchownat,      SYS_utime,           SYS_utimes,
    SYS_futimesat,   SYS_utimensat,    SYS_setxattr,      SYS_lsetxattr,       SYS_fsetxattr,
    SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,  SYS_close_range,     SYS_dup2,
    SYS_dup3,        SYS_exit_group,   SYS_execve,        SYS_execveat,        SYS_io_uring_setup,
    SYS_io_submit,   SYS_chroot,       SYS_rt_sigsuspend, SYS_connect,         SYS_listen,
    SYS_sendto,      SYS_sendmsg};

// The loader makes none of these.
constexpr int kReads[] = {SYS_readv,    SYS_preadv,  SYS_preadv2,
                          SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg};
constexpr int kWaits[] = {SYS_poll, SYS_epoll_wait};

// Of fcntl(2).
constexpr int kLockCommands[] = {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW};

constexpr uint32_t kWritingFlags =
    O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);

constexpr uint32_t argument(int index) {
  return static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * static_cast<size_t>(index));
}

// A program under construction. The number of the call is looked at first, and what is never caught
// is let go by that alone: the kernel finds out which numbers those are, and runs no filter for
// them at all. Only then comes the question whether the call was made from our own page.
struct Program {
  sock_filter code[320];
  unsigned short size = 0;
  unsigned short catches[128];  // jumps to the end, where that is asked
  unsigned short catch_count = 0;

  void add(uint16_t operation, uint32_t value, uint8_t if_true = 0, uint8_t if_false = 0) {
    code[size++] = {operation, if_true, if_false, value};
  }
  void load(uint32_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset); }
  void answer(uint32_t action) { add(BPF_RET | BPF_K, action); }
  void catch_it() {
    catches[catch_count++] = size;
    add(BPF_JMP | BPF_JA, 0);
  }
  void load_number() { load(offsetof(seccomp_data, nr)); }

  void catch_always(int number) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 1);
    catch_it();
  }
  // Catches NUMBER if its argument INDEX has one of BITS and none of WITHOUT.
  void catch_bits(int number, int index, uint32_t bits, uint32_t without = 0) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 5);
    load(argument(index));
    add(BPF_JMP | BPF_JSET | BPF_K, without, 1, 0);
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
    answer(SECCOMP_RET_ALLOW);
    catch_it();
  }
  // Catches NUMBER if its pointer argument INDEX is not null.
  void catch_pointer(int number, int index) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 6);
    load(argument(index));
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
    load(argument(index) + 4);
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    catch_it();
  }
  // Lets NUMBER pass if its argument INDEX is VALUE.
  void allow_value(int number, int index, uint32_t value) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 4);
    load(argument(index));
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    load_number();
  }
  // Catches NUMBER if its argument INDEX is VALUE.
  void catch_value(int number, int index, uint32_t value) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 4);
    load(argument(index));
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    catch_it();
    load_number();
  }
};

void begin_program(Program& program) {
  program.load(offsetof(seccomp_data, arch));
  program.add(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
  program.answer(SECCOMP_RET_ALLOW);
  program.load_number();
}

// Ends the list of calls; what was caught goes on behind it.
void end_of_calls(Program& program) {
  program.answer(SECCOMP_RET_ALLOW);
  for (int i = 0; i < program.catch_count; ++i) {
    int at = program.catches[i];
    program.code[at].k = static_cast<uint32_t>(program.size - at - 1);
  }
}

void catch_unless_stub(Program& program) {
  program.load(offsetof(seccomp_data, instruction_pointer) + 4);
  program.add(BPF_JMP | BPF_JEQ | BPF_K, kStubAddress >> 32, 0, 4);
  program.load(offsetof(seccomp_data, instruction_pointer));
  program.add(BPF_ALU | BPF_AND | BPF_K, 0xfffff000);
  program.add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(kStubAddress), 0, 1);
  program.answer(SECCOMP_RET_ALLOW);
  program.answer(SECCOMP_RET_TRAP | kFilterTag);
}

// Catches NUMBER at these addresses if its argument 2 has one of BITS (0: whatever it is).
void catch_at(Program& program, int number, const CallSites& sites, uint32_t bits) {
  constexpr int kSite = 5;  // instructions each
  auto rest = static_cast<uint8_t>(kSite * sites.count + 1 + (bits != 0 ? 3 : 0));
  program.add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, rest);
  if (bits != 0) {
    program.load(argument(2));
    program.add(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
    program.answer(SECCOMP_RET_ALLOW);
  }
  for (int i = 0; i < sites.count; ++i) {
    program.load(offsetof(seccomp_data, instruction_pointer) + 4);
    program.add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(sites.at[i] >> 32), 0, 3);
    program.load(offsetof(seccomp_data, instruction_pointer));
    program.add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(sites.at[i]), 0, 1);
    program.answer(SECCOMP_RET_TRAP | kFilterTag);
  }
  program.answer(SECCOMP_RET_ALLOW);
}

// Catches NUMBER if it is made in CODE, unless that crosses a border of 4 GiB.
void catch_in(Program& program, int number, const Code& code) {
  if (code.begin >= code.end || code.begin >> 32 != code.end >> 32) return;
  program.add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 7);
  program.load(offsetof(seccomp_data, instruction_pointer) + 4);
  program.add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(code.begin >> 32), 0, 4);
  program.load(offsetof(seccomp_data, instruction_pointer));
  program.add(BPF_JMP | BPF_JGE | BPF_K, static_cast<uint32_t>(code.begin), 0, 2);
  program.add(BPF_JMP | BPF_JGE | BPF_K, static_cast<uint32_t>(code.end), 1, 0);
  program.answer(SECCOMP_RET_TRAP | kFilterTag);
  program.load_number();
}

// Notes every "mov $NUMBER, %eax; syscall" (of 0: "xor %eax, %eax") in the first bytes of FUNCTION.
void find_sites(uintptr_t function, unsigned char number, Code libc, CallSites& sites) {
  constexpr size_t kSearched = 112;
  const unsigned char move[] = {0xb8, number, 0x00, 0x00, 0x00, 0x0f, 0x05};
  const unsigned char clear[] = {0x31, 0xc0, 0x0f, 0x05};
  const unsigned char* expected = number == 0 ? clear : move;
  const size_t size = number == 0 ? sizeof clear : sizeof move;
  if (function < libc.begin || function + kSearched + size > libc.end) return;  // someone else's
  for (size_t at = 0; at < kSearched && sites.count < CallSites::kMax; ++at) {
    if (memcmp(reinterpret_cast<const unsigned char*>(function + at), expected, size) != 0)
      continue;
    uintptr_t behind = function + at + size;
    if (sites.count == 0 || sites.at[sites.count - 1] < behind) sites.at[sites.count++] = behind;
  }
}

// The same in two functions, in the order of their addresses: find_sites() drops what it has seen.
CallSites sites_in(uintptr_t one, uintptr_t other, unsigned char number, Code libc) {
  CallSites sites;
  find_sites(one < other ? one : other, number, libc, sites);
  find_sites(one < other ? other : one, number, libc, sites);
  return sites;
}

// Adds the place at which syscall(2) makes whatever call it is asked for: libuv closes files so.
void add_indirect(Code libc, CallSites& sites) {
  constexpr size_t kSearched = 48;
  const unsigned char call[] = {0x0f, 0x05};
  const auto function = reinterpret_cast<uintptr_t>(&syscall);
  if (function < libc.begin || function + kSearched + sizeof call > libc.end) return;
  for (size_t at = 0; at < kSearched && sites.count < CallSites::kMax; ++at) {
    if (memcmp(reinterpret_cast<const unsigned char*>(function + at), call, sizeof call) != 0)
      continue;
    sites.at[sites.count++] = function + at + sizeof call;
    return;
  }
}

void catch_by_argument(Program& program) {
  if (is_caught(SYS_open)) {
    program.catch_bits(SYS_open, 1, kWritingFlags);
    program.catch_bits(SYS_openat, 2, kWritingFlags);
  }
  if (is_caught(SYS_mmap)) program.catch_bits(SYS_mmap, 3, MAP_SHARED, MAP_ANONYMOUS);
  if (is_caught(SYS_ioctl)) {
    program.catch_value(SYS_fcntl, 1, F_SETFL);
    program.catch_value(SYS_ioctl, 1, static_cast<uint32_t>(FICLONE));
    program.catch_value(SYS_ioctl, 1, static_cast<uint32_t>(FICLONERANGE));
  }
  if (keeps_to_gates()) {
    program.catch_bits(SYS_flock, 1, LOCK_SH | LOCK_EX);
    for (const int command : kLockCommands) {
      program.catch_value(SYS_fcntl, 1, static_cast<uint32_t>(command));
    }
  }
  program.catch_value(SYS_rt_sigaction, 0, SIGSYS);
  program.catch_pointer(SYS_rt_sigaction, 1);
  program.allow_value(SYS_rt_sigprocmask, 0, SIG_UNBLOCK);
  program.catch_pointer(SYS_rt_sigprocmask, 1);
  program.catch_pointer(SYS_ppoll, 3);
  program.catch_pointer(SYS_pselect6, 5);
  program.catch_pointer(SYS_epoll_pwait, 4);
  program.catch_pointer(kEpollPwait2, 4);
}

int install(Program& program) {
  sock_fprog whole = {program.size, program.code};
  return static_cast<int>(-raw_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, to_long(&whole)));
}

}  // namespace

bool is_caught(long number) {
  // Prints and events come by the first two.
  return !stops_alone() || number == SYS_write || number == SYS_writev || leads_to_point(number);
}

bool filter_in_force() {
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(static_cast<long>(SYS_fsync)), "D"(static_cast<long>(kProbeDescriptor))
               : "rcx", "r11", "memory");
  return result == kProbeAnswer;
}

int install_filter(const FaultNeeds& needs) {
  Program program;
  begin_program(program);
  for (int number : kAlways) {
    if (is_caught(number)) program.catch_always(number);
  }
  if (!is_caught(SYS_fsync)) {  // but for the question whether the filter is in force
    program.catch_value(SYS_fsync, 0, static_cast<uint32_t>(kProbeDescriptor));
  }
  if (needs.reads) {
    for (int number : kReads) program.catch_always(number);
  }
  if (needs.waits) {
    for (int number : kWaits) program.catch_always(number);
  }
  catch_by_argument(program);
  end_of_calls(program);
  catch_unless_stub(program);
  long result = raw_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1);
  return result != 0 ? static_cast<int>(-result) : install(program);
}

LibcSites find_libc_sites(uintptr_t begin, uintptr_t end) {
  const Code libc = {begin, end};
  const auto in = [&](auto* one, auto* other, unsigned char number) {
    CallSites sites = sites_in(reinterpret_cast<uintptr_t>(one), reinterpret_cast<uintptr_t>(other),
                               number, libc);
    add_indirect(libc, sites);
    return sites;
  };
  return {in(&close, &__close_nocancel, SYS_close), in(&mprotect, &mprotect, SYS_mprotect),
          in(&read, &__read_nocancel, SYS_read), in(&pread64, &__pread64_nocancel, SYS_pread64)};
}

int install_libc_filter(const LibcSites& sites, const Code& image, const FaultNeeds& needs) {
  Program program;
  begin_program(program);
  if (is_caught(SYS_close)) {
    catch_in(program, SYS_close, image);
    catch_at(program, SYS_close, sites.close, 0);
  }
  if (is_caught(SYS_mprotect)) catch_at(program, SYS_mprotect, sites.protect, PROT_WRITE);
  if (needs.reads) {
    catch_at(program, SYS_read, sites.read, 0);
    catch_at(program, SYS_pread64, sites.read_at, 0);
  }
  program.answer(SECCOMP_RET_ALLOW);
  return install(program);
}

}  // namespace everycrash::preload
