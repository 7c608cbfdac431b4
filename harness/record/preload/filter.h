// The seccomp filter: which system calls are answered with SIGSYS.
#pragma once

#include <stdint.h>

namespace everycrash::preload {

/// The call that asks "is the filter in force?": fsync of this descriptor, which cannot exist.
inline constexpr int kProbeDescriptor = -0x7eca5;
inline constexpr long kProbeAnswer = 0x7eca5;

/// True if caught calls of this process are answered with SIGSYS. The handler must be installed.
bool filter_in_force();

/// Installs the filter for this thread and all that it starts. Returns 0 or an errno.
int install_filter();

/// Catches close(2) too, if it comes from between BEGIN and END: libc of this image. The loader
/// closes the libraries that it opens before our handler can be there, so close cannot be caught by
/// its number alone; and in the next image libc lies elsewhere, so each adds a filter of its own.
/// (A close by anyone but libc is not recorded. It changes nothing that a crash could leave.)
int install_close_filter(uintptr_t begin, uintptr_t end);

}  // namespace everycrash::preload
