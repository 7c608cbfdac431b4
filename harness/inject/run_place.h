// A place in which programs are run for real, again and again, each time on a tree that was chosen
// before.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "harness/base/error.h"
#include "harness/check/run/materialise.h"
#include "harness/model/file_system.h"
#include "harness/record/recorder.h"

namespace everycrash {

/// For one thread.
class RunPlace {
 public:
  /// OPTIONS say what is run, and where. Takes over their state directory and empties it. FOLDER
  /// exists and gets what runs are given.
  static Result<std::unique_ptr<RunPlace>> create(RecordOptions options,
                                                  std::filesystem::path folder);

  /// Those of the next run.
  [[nodiscard]] RecordOptions& options() { return options_; }

  /// Makes the state directory hold TREE.
  Status become(const FileSystem& tree);
  /// From now on the files that $EVERYCRASH_STDOUT and $EVERYCRASH_EFFECTS name hold PRINTED and
  /// the effects of EVENTS; nothing, at first.
  Status tell(std::string_view printed, std::string_view events);
  /// Gives the next run a trace file of its own, which stays in FOLDER until it is removed.
  const std::filesystem::path& begin_trace();

 private:
  RunPlace(RecordOptions options, std::filesystem::path folder);

  RecordOptions options_;
  std::filesystem::path folder_;
  TreeOnDisk directory_;
  uint64_t traces_ = 0;
};

/// Removes all that is in FOLDER, but not FOLDER itself.
[[nodiscard]] Status empty_folder(const std::filesystem::path& folder);

}  // namespace everycrash
