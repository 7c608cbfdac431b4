// How a descriptor was opened.
#pragma once

#include <stdint.h>

namespace everycrash::preload {

/// format::kAppend, kSyncWrite, kDataSyncWrite and kDirect, from the descriptor's own flags.
uint32_t flags_of_descriptor(int descriptor);

/// True if the descriptor can write to its file.
bool can_write(int descriptor);

}  // namespace everycrash::preload
