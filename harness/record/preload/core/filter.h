// The seccomp filter: which system calls are answered with SIGSYS.
#pragma once

#include <stdint.h>

#include "harness/record/preload/core/environment.h"

namespace everycrash::preload {

/// The call that asks "is the filter in force?": fsync of this descriptor, which cannot exist.
inline constexpr int kProbeDescriptor = -0x7eca5;
inline constexpr long kProbeAnswer = 0x7eca5;

/// What our filters give to the handler as si_errno: a program may have filters of its own, and
/// what those catch is not ours.
inline constexpr int kFilterTag = 0xecc5;

/// True if NUMBER can be caught in this run, whatever its arguments: of a run that stops alone
/// (plan.h) only what leads to its point is.
bool is_caught(long number);

/// True if caught calls of this process are answered with SIGSYS. The handler must be installed.
bool filter_in_force();

/// Installs the filter for this thread and all that it starts. Returns 0 or an errno. Calls that
/// read, receive and wait are caught only where NEEDS say so.
int install_filter(const FaultNeeds& needs);

/// Where libc makes one system call, also by syscall(2): the addresses behind its instructions.
struct CallSites {
  static constexpr int kMax = 8;
  int number = 0;
  uintptr_t at[kMax];
  int count = 0;
};

/// A range of code.
struct Code {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

/// Where libc, which lies between BEGIN and END, makes calls that the loader makes too.
struct LibcSites {
  static constexpr int kCalls = 4;
  CallSites of[kCalls];
};
LibcSites find_libc_sites(uintptr_t begin, uintptr_t end);

/// Catches calls of Caught::kBehindLoader too, if they come from SITES, and where NEEDS say so
/// those that read. The loader makes them before our handler can be there, so they cannot be caught
/// by their number alone; and in the next image libc lies elsewhere, so each adds a filter of its
/// own. It names exact addresses, which differ from the loader's even in their last digits: a range
/// would some day, in some image, cover the loader. Not so the range of IMAGE, the program
/// that the kernel has loaded: it puts no loader there. Some close files without libc (Go).
/// (Made by others these calls go unseen: a close changes nothing that a killed process leaves.)
int install_libc_filter(const LibcSites& sites, const Code& image, const FaultNeeds& needs);

}  // namespace everycrash::preload
