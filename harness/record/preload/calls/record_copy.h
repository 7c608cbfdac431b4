// Copies inside the kernel whose source may make them wait.
#pragma once

#include "harness/record/preload/core/call.h"

namespace everycrash::preload {

/// What record_sendfile and record_splice answer if the source had nothing after all.
inline constexpr long kTryAgain = INT64_MIN + 1;

/// For sendfile and splice, without the lock: false if the target cannot concern us, else true once
/// the source can be read without waiting.
bool wait_for_source(const Call& call);

}  // namespace everycrash::preload
