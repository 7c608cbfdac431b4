// Locks that say in which PID namespace their owner lives (Mercurial: HOST/NAMESPACE:PID). Seen
// from another one they can never be told to be stale, so who writes them must be judged where it
// ran.
#pragma once

#include <string>

#include "harness/trace/trace.h"

namespace everycrash {

/// The name, relative to the state directory, under which TRACE writes down the PID namespace of
/// this process, or the first of this machine; "" if it does not.
[[nodiscard]] std::string who_names_pid_namespace(const Trace& trace);

}  // namespace everycrash
