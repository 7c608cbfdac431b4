// Programs that would not see a clock that we set.
//
// The clock of a workload is set by replacing the functions of libc that tell the time
// (faults/clock.h). A read of the vDSO is no system call and goes through nothing that could be
// replaced, so a run cannot tell that it happened. What a program needs for it is in its file: the
// name by which it looks the function up, "__vdso_clock_gettime" or one like it. Who has that name
// and is neither libc nor its loader reads the clock by itself (all that Go builds does). A read by
// a bare system call is not told here, nor by the run.
#pragma once

#include <filesystem>
#include <string>

namespace everycrash {

class Trace;

/// True for a program or library that looks up a clock of the vDSO itself. False for libc and its
/// loader, which do so for the functions that are replaced, for what is no program, and for what
/// cannot be read.
[[nodiscard]] bool has_own_clock(const std::filesystem::path& image);

/// The name of an image of that run that would not see a clock that we set; "" if there is none.
[[nodiscard]] std::string program_with_own_clock(const Trace& trace);

}  // namespace everycrash
