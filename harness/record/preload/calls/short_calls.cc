// libc's write(), fsync() and fdatasync() begin, for a process with a single thread, with
//
//     mov $NUMBER, %eax; syscall; cmp $-4096, %rax; ja error; ret
//
// of which the first two instructions become a jump to the code below, which goes back to the third
// with the result in %rax. At that place nothing is live but the arguments: it is a function that
// has not pushed anything, so what any function may change, we may. Two parties see the change: a
// program that reads its own libc's code, and one whose other threads stand in these seven bytes;
// the second cannot be, since the loader has just begun to run constructors.
//
// The filter still catches every such call that comes another way.

#include "harness/record/preload/calls/short_calls.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/record/preload/calls/dispatch.h"
#include "harness/record/preload/core/fault.h"
#include "harness/record/preload/core/gate.h"
#include "harness/record/preload/core/object.h"
#include "harness/record/preload/core/raw_call.h"
#include "harness/record/preload/core/session.h"
#include "harness/record/preload/core/signals.h"

namespace everycrash::preload {

namespace {

constexpr size_t kReplaced = 7;
constexpr size_t kSearched = 64;
constexpr uintptr_t kPage = 4096;

enum Which : uint32_t { kWrite, kFileSync, kDataSync };

struct ShortCall {
  long number;
  bool (*concerns_us)(int descriptor, struct stat& status);
};
constexpr ShortCall kCalls[] = {
    {SYS_write, may_be_sent_to}, {SYS_fsync, may_concern_us}, {SYS_fdatasync, may_concern_us}};

}  // namespace

extern "C" {
// Where libc goes on, by Which.
__attribute__((visibility("hidden"))) constinit uintptr_t everycrash_short_returns[3] = {};
void everycrash_short_write();
void everycrash_short_file_sync();
void everycrash_short_data_sync();

// Called by the entries with the stack pointer as it was in libc's function.
__attribute__((visibility("hidden"), used)) long everycrash_short_call(int descriptor,
                                                                       const void* bytes,
                                                                       size_t size, uintptr_t stack,
                                                                       uint32_t which) {
  const ShortCall& known = kCalls[which];
  ucontext_t context;
  Call call = {known.number, {descriptor, to_long(bytes), static_cast<long>(size)}, &context};
  if (!known.concerns_us(descriptor, call.status)) return call.make();
  greg_t* registers = context.uc_mcontext.gregs;
  registers[REG_RIP] = static_cast<greg_t>(everycrash_short_returns[which]);
  registers[REG_RSP] = static_cast<greg_t>(stack);
  call.jumped = true;
  constexpr KernelMask kAll = ~KernelMask{0};
  raw_call(SYS_rt_sigprocmask, SIG_SETMASK, to_long(&kAll), to_long(&call.mask()), sizeof kAll);
  long result;
  do result = make_under_lock(call);
  while (wait_at_gate(*session.header, result) || answer_fault_question(call, result));
  raw_call(SYS_rt_sigprocmask, SIG_SETMASK, to_long(&call.mask()), 0, sizeof kAll);
  return result == kNotOurs ? call.make() : result;
}
}

asm(R"(
  .macro everycrash_short_entry name, which
  .hidden \name
  .globl \name
  .type \name, @function
\name:
  .cfi_startproc
  movq %rsp, %rcx
  movl $\which, %r8d
  subq $8, %rsp
  .cfi_def_cfa_offset 16
  call everycrash_short_call
  addq $8, %rsp
  .cfi_def_cfa_offset 8
  jmp *(everycrash_short_returns + 8 * \which)(%rip)
  .cfi_endproc
  .size \name, .-\name
  .endm

  .text
  everycrash_short_entry everycrash_short_write, 0
  everycrash_short_entry everycrash_short_file_sync, 1
  everycrash_short_entry everycrash_short_data_sync, 2
)");

namespace {

/// FUNCTION of libc, which lies between BEGIN and END, jumps to ENTRY instead of making its call.
void shorten(uintptr_t begin, uintptr_t end, uintptr_t function, Which which, void (*entry)()) {
  const auto number = static_cast<unsigned char>(kCalls[which].number);
  const unsigned char expected[] = {0xb8, number, 0x00, 0x00, 0x00, 0x0f, 0x05,   // mov; syscall
                                    0x48, 0x3d,   0x00, 0xf0, 0xff, 0xff, 0x77};  // cmp; ja
  if (function < begin || function + kSearched + sizeof expected > end) return;   // someone else's
  auto* code = reinterpret_cast<unsigned char*>(function);
  size_t at = 0;
  while (at < kSearched && memcmp(code + at, expected, sizeof expected) != 0) ++at;
  if (at == kSearched) return;
  unsigned char* site = code + at;

  constexpr intptr_t kJumpSize = 5;
  intptr_t distance =
      reinterpret_cast<intptr_t>(entry) - (reinterpret_cast<intptr_t>(site) + kJumpSize);
  auto short_distance = static_cast<int32_t>(distance);
  if (short_distance != distance) return;
  unsigned char jump[kReplaced] = {0xe9, 0, 0, 0, 0, 0xcc, 0xcc};
  memcpy(jump + 1, &short_distance, sizeof short_distance);

  uintptr_t page = reinterpret_cast<uintptr_t>(site) & ~(kPage - 1);
  auto length = static_cast<long>(reinterpret_cast<uintptr_t>(site) + kReplaced - page);
  auto address = static_cast<long>(page);
  if (raw_call(SYS_mprotect, address, length, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return;
  everycrash_short_returns[which] = reinterpret_cast<uintptr_t>(site) + kReplaced;
  memcpy(site, jump, kReplaced);
  raw_call(SYS_mprotect, address, length, PROT_READ | PROT_EXEC);
}

}  // namespace

void shorten_write(uintptr_t begin, uintptr_t end) {
  shorten(begin, end, reinterpret_cast<uintptr_t>(&write), kWrite, everycrash_short_write);
}

void shorten_syncs(uintptr_t begin, uintptr_t end) {
  shorten(begin, end, reinterpret_cast<uintptr_t>(&fsync), kFileSync, everycrash_short_file_sync);
  shorten(begin, end, reinterpret_cast<uintptr_t>(&fdatasync), kDataSync,
          everycrash_short_data_sync);
}

}  // namespace everycrash::preload
