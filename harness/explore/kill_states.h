// Every state in which SIGKILL can leave the files of a recorded program.
//
// A killed process loses nothing that a call had finished, and the call in progress may be cut
// short: a write at any page boundary of the file. So the crash points are the places between
// operations and the page boundaries inside writes, and each has exactly one state. Many points
// share a state (a sync changes nothing; a save that writes the same bytes again ends where it
// began); each distinct one is checked once, at the last point that has it, since by then most was
// promised to the outside.
//
// What one look at the mapped files has found (several kMapWrite records in a row) comes in one
// step: in which order a program stored into those pages is not known, and a state that it never
// left must not be held against it.
//
// Two states are the same if the trees are equal and the same effects had happened; what had been
// printed does not separate them, as the later point has printed all that the earlier one had.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/base/digest.h"
#include "harness/base/error.h"
#include "harness/explore/crash_point.h"

namespace everycrash {

class Trace;

/// One distinct state and where it can be left.
struct KillState {
  CrashPoint point;     ///< the last crash point that has it; here it is checked
  uint32_t points = 0;  ///< how many crash points have it
  Digest digest;        ///< of tree and effects
};

/// All crash points of a trace and their distinct states. Immutable once made; 24 bytes a crash
/// point.
class KillStates {
 public:
  struct Options {
    bool all_points = false;  ///< do not join equal states: one state a crash point
  };
  /// Walks the trace once. Fails with kHarness where the trace contradicts itself.
  static Result<KillStates> enumerate(const Trace& trace, const Options& options);

  /// Distinct states, in the order of their points.
  [[nodiscard]] const std::vector<KillState>& states() const { return states_; }
  /// All crash points in the order of the trace, each with the index of its state.
  struct Point {
    CrashPoint point;
    uint32_t state;
  };
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  /// Files of which several pages were changed through a mapping between two calls, or one while
  /// another file was: the states between these changes are not among the states.
  [[nodiscard]] const std::set<std::string>& changed_at_once() const { return changed_at_once_; }

 private:
  std::vector<KillState> states_;
  std::vector<Point> points_;
  std::set<std::string> changed_at_once_;
};

}  // namespace everycrash
