// Which faults a run is to meet, as text: what everycrash hands to the library of faults.
//
// One line a fault: its point, then KEY=VALUE words. Blanks, line ends and '%' in values are
// written %20, %0a, %25. Lines in any order; the first fault that names a call is the one that it
// meets.
//
//   control fifo=/tmp/fiu-ctrl        not a fault: where fiu-ctrl reaches the process
//   sync/lost path=state.json*        these syncs succeed without being done
//
// A fault POINT is the libfiu failure point everycrash/POINT. Compiled into the library, too, which
// lives inside other programs: no allocation, no C++ library.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "harness/trace/format.h"

namespace everycrash::faults {

enum class Point : uint32_t {
  kNone = 0,
  kSyncLost = 1,  ///< fsync, fdatasync, msync, sync_file_range; sync and syncfs where path is "*"
};

/// The name of the failure point in libfiu: "everycrash/sync/lost".
[[nodiscard]] const char* name_of(Point point);

struct Fault {
  Point point = Point::kNone;
  char path[1024] = {};  ///< a glob, see matches_glob()
};

/// A value. Thread-safe to read.
struct Plan {
  static constexpr size_t kFaultsMax = 16;
  Fault faults[kFaultsMax];
  size_t count = 0;
  char fifo[1024] = {};  ///< prefix of the pipes of fiu-ctrl, absolute; "" = no remote control
};

/// True if GLOB names PATH, which is relative to the state directory ("" = itself, named "." or
/// "*"): `*`, also over slashes, `?`, `[a-z]`, `[!a-z]`. A glob without a slash names files by
/// their last part, in whatever folder.
[[nodiscard]] bool matches_glob(const char* glob, const char* path, size_t size);

/// The point that a call of that kind on PATH is to meet; kNone for most.
[[nodiscard]] Point point_of(const Plan& plan, format::Kind kind, const char* path, size_t size);

/// Adds a fault or sets the pipes, unless there are too many or the value is too long (false).
[[nodiscard]] bool add_fault(Plan& plan, Point point, const char* path);
[[nodiscard]] bool set_fifo(Plan& plan, const char* prefix);

/// Reads TEXT; null if it is understood, else what is wrong with it.
[[nodiscard]] const char* parse_plan(const char* text, Plan& plan);

/// Writes PLAN such that parse_plan() reads the same. Returns the size without the NUL that ends
/// it, or 0 if it does not fit into SIZE bytes.
[[nodiscard]] size_t write_plan(const Plan& plan, char* text, size_t size);

}  // namespace everycrash::faults
