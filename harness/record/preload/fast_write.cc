// libc's write() begins, for a process with a single thread, with
//
//     mov $1, %eax; syscall; cmp $-4096, %rax; ja error; ret
//
// of which the first two instructions become a jump to the code below, which goes back to the third
// with the result in %rax. At that place nothing is live but the arguments: it is a function that
// has not pushed anything, so what any function may change, we may. Two parties see the change: a
// program that reads its own libc's code, and one whose other threads stand in these seven bytes;
// the second cannot be, since the loader has just begun to run constructors.
//
// The filter still catches every write that comes another way.

#include "harness/record/preload/fast_write.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/record/preload/dispatch.h"
#include "harness/record/preload/fault.h"
#include "harness/record/preload/gate.h"
#include "harness/record/preload/object.h"
#include "harness/record/preload/raw_call.h"
#include "harness/record/preload/signals.h"

namespace everycrash::preload {

namespace {

constexpr unsigned char kExpected[] = {0xb8, 0x01, 0x00, 0x00, 0x00, 0x0f, 0x05,   // mov; syscall
                                       0x48, 0x3d, 0x00, 0xf0, 0xff, 0xff, 0x77};  // cmp; ja
constexpr size_t kReplaced = 7;
constexpr size_t kSearched = 64;
constexpr uintptr_t kPage = 4096;

}  // namespace

extern "C" {
// Where libc goes on.
__attribute__((visibility("hidden"))) constinit uintptr_t everycrash_write_return = 0;
void everycrash_write_entry();

// Called by the entry with the stack pointer as it was in write().
__attribute__((visibility("hidden"), used)) long everycrash_write(int descriptor, const void* bytes,
                                                                  size_t size, uintptr_t stack) {
  ucontext_t context;
  Call call = {SYS_write, {descriptor, to_long(bytes), static_cast<long>(size)}, &context};
  if (!may_be_sent_to(descriptor, call.status)) return call.make();
  context.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(everycrash_write_return);
  context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(stack);
  call.jumped = true;
  constexpr KernelMask kAll = ~KernelMask{0};
  raw_call(SYS_rt_sigprocmask, SIG_SETMASK, to_long(&kAll), to_long(&call.mask()), sizeof kAll);
  long result;
  do result = make_under_lock(call);
  while (wait_at_gate(result) || answer_fault_question(call, result));
  raw_call(SYS_rt_sigprocmask, SIG_SETMASK, to_long(&call.mask()), 0, sizeof kAll);
  return result == kNotOurs ? call.make() : result;
}
}

asm(R"(
  .text
  .hidden everycrash_write_entry
  .globl everycrash_write_entry
  .type everycrash_write_entry, @function
everycrash_write_entry:
  .cfi_startproc
  movq %rsp, %rcx
  subq $8, %rsp
  .cfi_def_cfa_offset 16
  call everycrash_write
  addq $8, %rsp
  .cfi_def_cfa_offset 8
  jmp *everycrash_write_return(%rip)
  .cfi_endproc
  .size everycrash_write_entry, .-everycrash_write_entry
)");

void shorten_write(uintptr_t begin, uintptr_t end) {
  auto start = reinterpret_cast<uintptr_t>(&write);
  if (start < begin || start + kSearched + sizeof kExpected > end) return;  // someone else's
  auto* code = reinterpret_cast<unsigned char*>(start);
  size_t at = 0;
  while (at < kSearched && memcmp(code + at, kExpected, sizeof kExpected) != 0) ++at;
  if (at == kSearched) return;
  unsigned char* site = code + at;

  constexpr intptr_t kJumpSize = 5;
  intptr_t distance = reinterpret_cast<intptr_t>(&everycrash_write_entry) -
                      (reinterpret_cast<intptr_t>(site) + kJumpSize);
  auto short_distance = static_cast<int32_t>(distance);
  if (short_distance != distance) return;
  unsigned char jump[kReplaced] = {0xe9, 0, 0, 0, 0, 0xcc, 0xcc};
  memcpy(jump + 1, &short_distance, sizeof short_distance);

  uintptr_t page = reinterpret_cast<uintptr_t>(site) & ~(kPage - 1);
  auto length = static_cast<long>(reinterpret_cast<uintptr_t>(site) + kReplaced - page);
  auto address = static_cast<long>(page);
  if (raw_call(SYS_mprotect, address, length, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return;
  everycrash_write_return = reinterpret_cast<uintptr_t>(site) + kReplaced;
  memcpy(site, jump, kReplaced);
  raw_call(SYS_mprotect, address, length, PROT_READ | PROT_EXEC);
}

}  // namespace everycrash::preload
