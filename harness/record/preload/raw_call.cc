#include "harness/record/preload/raw_call.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace everycrash::preload {

namespace {

// At kStubAddress: syscall; ret. At kRestorerAddress: mov $15 (rt_sigreturn), %rax; syscall, in the
// one spelling by which unwinders know a signal frame.
constexpr unsigned char kStubCode[] = {0x0f, 0x05, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
                                       0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0x48, 0xc7,
                                       0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};

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
  memcpy(reinterpret_cast<void*>(page), kStubCode, sizeof kStubCode);
  return direct_call(SYS_mprotect, page, kPage, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace everycrash::preload
