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

/// Catches close and mprotect too, if they come from between BEGIN and END: libc of this image. The
/// loader makes both before our handler can be there, so they cannot be caught by their number
/// alone; and in the next image libc lies elsewhere, so each adds a filter of its own. (Made by
/// anyone but libc they go unseen: a close changes nothing that a crash could leave.)
int install_libc_filter(uintptr_t begin, uintptr_t end);

}  // namespace everycrash::preload
