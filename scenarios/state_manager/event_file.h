// The file that $EVERYCRASH_EVENTS names: what happened outside the state directory, a line each.
#pragma once

#include <string>

namespace state_manager {

/// Appends one line with one write(2), so that lines of several processes never mix. Does nothing
/// if the variable is not set. A file that cannot be written is ignored: it must not change what
/// the job does.
void append_event(const std::string& line);

}  // namespace state_manager
