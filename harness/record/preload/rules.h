// Which handler a caught call has.
#pragma once

#include "harness/record/preload/call.h"

namespace everycrash::preload {

struct Rule {
  long (*handler)(const Call&) = nullptr;
  /// The argument by which the call names a file, if it does so by a descriptor and nothing else:
  /// most such calls are on files that are none of ours, and should not wait for the lock to find
  /// that out.
  int descriptor = -1;
  /// That descriptor may also be a socket, see may_be_sent_to.
  bool sends = false;
};

/// The rule for a system call; without a handler if it has none.
const Rule& rule_of(long number);

}  // namespace everycrash::preload
