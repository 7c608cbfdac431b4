// The environment that a new program image needs to be recorded.
#pragma once

#include <stddef.h>

namespace everycrash::preload {

/// Keeps copies of our variables, and tells gate.h which runner this is. Returns the value of
/// EVERYCRASH_TRACE, or null.
const char* take_environment(char** environment);

/// What the plan of faults asks of the filter beside what is caught anyway.
struct FaultNeeds {
  bool reads = false;  ///< calls that read files or receive
  bool sends = false;  ///< sends meet faults: each has to come by the long way
  bool waits = false;  ///< partitions heal: poll(2) and its like have to notice
};
FaultNeeds needs_of_faults();

/// True if a new image of this process could open the library: it may have given up the rights to.
bool library_is_readable();

/// What ENVIRONMENT must become for an execve: itself if it has all that is needed, else a copy
/// made in STORAGE. Null if SIZE bytes are not enough (NEEDED says how many would be).
char** completed_environment(char** environment, void* storage, size_t size, size_t* needed);

}  // namespace everycrash::preload
