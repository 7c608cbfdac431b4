// A crash state as the commands of one sandbox find it: the tree, and beside it the files that
// EVERYCRASH_STDOUT and EVERYCRASH_EFFECTS name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/run/given_file.h"
#include "harness/check/run/materialise.h"
#include "harness/check/run/sandbox.h"
#include "harness/model/file_system.h"

namespace everycrash {

/// What commands may know of a crash. Refers to what its maker holds.
struct GivenState {
  const FileSystem* tree = nullptr;
  std::string_view printed;  ///< all that had been printed by then
  std::string_view events;   ///< all lines of $EVERYCRASH_EVENTS by then
};

/// Holds one state after another in the tree and the files of SANDBOX, which must outlive it. Not
/// thread-safe.
class GivenStates {
 public:
  explicit GivenStates(const Sandbox& sandbox);

  /// Sets the variables in ENVIRONMENT that say where a state is.
  void add_to(std::vector<std::string>& environment) const;
  /// Makes STATE the one that commands find. Fails as TreeOnDisk::become() and GivenFile::hold().
  Status put(const GivenState& state);
  /// To be called after a command, see TreeOnDisk::note_changes().
  Result<bool> note_changes() { return disk_.note_changes(); }
  /// What this user cannot make of states, see TreeOnDisk::notes().
  [[nodiscard]] const std::vector<std::string>& notes() const { return disk_.notes(); }

 private:
  const Sandbox& sandbox_;
  TreeOnDisk disk_;
  GivenFile stdout_, effects_;
  std::string events_;  // of which effects_ holds the effects
};

}  // namespace everycrash
