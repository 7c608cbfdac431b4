#include "harness/record/preload/core/raw_call.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace everycrash::preload {

namespace {

extern "C" const char everycrash_stub[];
extern "C" const char everycrash_stub_end[];

// Copied to kStubAddress. The restorer is in the one spelling by which unwinders know a signal
// frame. The resuming parts leave the caller's red zone alone and keep every register and flag.
asm(R"(
  .pushsection .rodata
  .balign 16
  .hidden everycrash_stub, everycrash_stub_end
  .globl everycrash_stub, everycrash_stub_end
everycrash_stub:
  syscall
  ret
  .org everycrash_stub + 16, 0xcc
  movq $15, %rax  # rt_sigreturn
  syscall
  .org everycrash_stub + 32, 0xcc
  leaq -128(%rsp), %rsp
  pushq %rcx
  syscall
  ret $128
  .org everycrash_stub + 64, 0xcc
  leaq -128(%rsp), %rsp
  pushq %rcx
  pushq %rdi
  pushq %r11
  movq %rsp, %rdi
  syscall
  leaq 8(%rsp), %rsp
  popq %rdi
  ret $128
  .org everycrash_stub + 96, 0xcc
  leaq -128(%rsp), %rsp
  pushq %rcx
  pushq %r10
  pushq %r11
  movq %rsp, %r10
  syscall
  leaq 8(%rsp), %rsp
  popq %r10
  ret $128
  .org everycrash_stub + 128, 0xcc
  leaq -128(%rsp), %rsp
  pushq %rcx
  pushq %r8
  pushq %r11
  movq %rsp, %r8
  syscall
  leaq 8(%rsp), %rsp
  popq %r8
  ret $128
  .org everycrash_stub + 160, 0xcc
  leaq -128(%rsp), %rsp
  pushq %rcx
  pushq %r9
  pushq %r11
  movq %rsp, %r11
  pushq $8
  pushq %r11
  movq %rsp, %r9
  syscall
  leaq 24(%rsp), %rsp
  popq %r9
  ret $128
everycrash_stub_end:
  .popsection
)");

constexpr size_t kPage = 4096;

// Before the page is there. The filter, which may be in force already, lets both calls pass.
long direct_call(long number, long a, long b, long c, long d = 0, long e = 0, long f = 0) {
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  long result = number;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory", "cc");
  return result;
}

}  // namespace

bool map_stub() {
  auto wanted = static_cast<long>(kStubAddress);
  long page = direct_call(SYS_mmap, wanted, kPage, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1);
  if (page != wanted) return false;
  memcpy(reinterpret_cast<void*>(page), everycrash_stub,
         static_cast<size_t>(everycrash_stub_end - everycrash_stub));
  return direct_call(SYS_mprotect, page, kPage, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace everycrash::preload
