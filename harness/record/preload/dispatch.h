// From a caught call to what is done with it.
#pragma once

#include <signal.h>

namespace everycrash::preload {

/// The handler of SIGSYS.
void on_sigsys(int signal, siginfo_t* info, void* context);

}  // namespace everycrash::preload
