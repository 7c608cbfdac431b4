// System calls made from a page of our own, the only place where the filter lets them pass.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace everycrash::preload {

/// Where the page lies in every process; the filter compares the instruction pointer with it. Far
/// below the area that mmap hands out, far above a program's own image.
inline constexpr uintptr_t kStubAddress = 0x7000deadb000;
inline constexpr uintptr_t kRestorerAddress = kStubAddress + 16;

/// Where a handler sends its caller to make a call there itself, after the handler has returned:
/// with the caller's own stack and signal mask, as if nothing had happened. Enter with the call's
/// registers and %rcx = where to go on (the call would have changed %rcx and %r11 anyway).
inline constexpr uintptr_t kResumeAddress = kStubAddress + 32;
/// The same, for calls that take a signal mask: %r11 = the mask to be used in place of the one that
/// the call names by its first, fourth, fifth, or (as pselect6 does) sixth argument.
inline constexpr uintptr_t kResumeMaskFirst = kStubAddress + 64;
inline constexpr uintptr_t kResumeMaskFourth = kStubAddress + 96;
inline constexpr uintptr_t kResumeMaskFifth = kStubAddress + 128;
inline constexpr uintptr_t kResumeMaskPair = kStubAddress + 160;

/// Maps the page. False if the place is taken.
bool map_stub();

/// Makes a system call and returns what the kernel gave: >= 0, or -errno. Async-signal-safe;
/// touches no errno. Compiled with -mno-red-zone, since the call pushes a return address.
inline long raw_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                     long f = 0) {
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  long result = number;
  asm volatile("call *%[stub]"
               : "+a"(result)
               : [stub] "r"(kStubAddress), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory", "cc");
  return result;
}

inline long to_long(const void* pointer) {
  return reinterpret_cast<long>(pointer);
}

}  // namespace everycrash::preload
