// Which of the things that a run printed are promises, and when each was made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/print.h"

namespace everycrash {

class History;

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
  std::vector<Print> promises_;
  bool at_exit_ = false;
};

}  // namespace everycrash
