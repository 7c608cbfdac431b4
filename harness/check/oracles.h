// Verdicts on a crash state that need no process: half file and acknowledged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/history.h"
#include "harness/check/verdict.h"
#include "harness/model/difference.h"
#include "harness/model/file_system.h"

namespace everycrash {

/// A complaint of the half-file oracle.
struct HalfFile {
  Complaint complaint;
  /// The workload had not finished this file once by then: a run that goes on can make it again.
  bool never_finished = false;
};

/// Judged names (but for those that IGNORE covers) that hold none of their versions, or are missing
/// though they never could be. A spare copy is none where its original is whole (spare_copy.h).
[[nodiscard]] std::vector<HalfFile> find_half_files(const History& history, const FileSystem& state,
                                                    uint64_t record, const IgnoreGlobs& ignore);

/// Which of the printed lines are promises.
struct Acknowledgement {
  enum class What : uint8_t {
    kEveryPrint,
    kMatchingLines,  ///< whole lines that `pattern` is found in (POSIX extended, regex(7))
    kExit,           ///< only the end of the whole run
    kNothing,
  } what = What::kEveryPrint;
  std::string pattern;
};

/// When promises were made; precomputed, so that a state costs a binary search.
class Promises {
 public:
  /// Fails with kUsage if the pattern is none.
  static Result<Promises> find(const History& history, const Acknowledgement& acknowledgement);

  /// Sequence of the last promise made by RECORD, when that many bytes had been printed; 0 = none.
  [[nodiscard]] uint64_t last(uint64_t record, size_t printed_bytes) const;
  /// When that was, for messages: 'after "saved" was printed'.
  [[nodiscard]] std::string when(const History& history, size_t printed_bytes) const;
  [[nodiscard]] bool empty() const { return promises_.empty(); }

 private:
  std::vector<History::Print> promises_;
  bool at_exit_ = false;
};

/// Judged names whose promised version is gone: they hold an older one, or are absent. (What is no
/// version at all is the half-file oracle's affair.)
[[nodiscard]] std::vector<Complaint> find_broken_promises(const History& history,
                                                          const Promises& promises,
                                                          const FileSystem& state, uint64_t record,
                                                          size_t printed_bytes,
                                                          const IgnoreGlobs& ignore);

}  // namespace everycrash
