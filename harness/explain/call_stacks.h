// The whole call stack of an operation: the functions of the program, and the lines of the scripts
// behind them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/explain/symbols.h"
#include "harness/trace/script.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// Call stacks of one trace, which must outlive it. For one thread at a time.
class CallStacks {
 public:
  /// SYMBOLISER may be shared by several; it reads each program's symbols once.
  CallStacks(const Trace& trace, std::shared_ptr<Symboliser> symboliser);

  /// Frames of the kStack record with that sequence number, innermost first: those of a script that
  /// the program interprets, those of the program itself, and those of the script that had it run.
  /// Empty for 0. Files of scripts are absolute where they are found.
  [[nodiscard]] std::vector<Frame> frames(uint64_t sequence) const;

  [[nodiscard]] const std::shared_ptr<Symboliser>& symboliser() const { return symboliser_; }

 private:
  const Trace& trace_;
  std::shared_ptr<Symboliser> symboliser_;
  ProgramRuns programs_;
};

}  // namespace everycrash
