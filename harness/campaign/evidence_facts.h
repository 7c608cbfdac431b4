// What the minimal state of a finding looks like: what was lost, the trees before, at and after the
// crash, and the broken file in between. A value; trees share their pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/file_system.h"

namespace everycrash {

/// What of one operation the state has lost.
struct LostPartFacts {
  uint64_t sequence = 0;
  uint64_t units_lost = 0;
  uint64_t units = 0;  ///< of the operation, in all
  std::vector<std::string>
      what;  ///< "bytes 0 to 812 of a.tmp": the first ones, as the model says it
};

/// A tree at some moment of a run.
struct Moment {
  uint64_t sequence = 0;  ///< after this record
  FileSystem tree;
};

struct EvidenceFacts {
  enum class LeftOut : uint8_t {
    kNothing,
    kTrees,        ///< building them for so many findings takes too long
    kAftermath,    ///< it is run for the first findings only, while it ends in time
    kEndless,      ///< what ran on the state did not end
    kInterrupted,  ///< and so it is not known
  };
  std::vector<LostPartFacts> lost;
  std::optional<Moment> before;     ///< as the program saw it
  std::optional<FileSystem> crash;  ///< as the crash left it
  std::optional<FileSystem> after;  ///< after recovery, the resumed run, or the checker
  std::string after_what;           ///< which of these ran
  std::string broken_file;          ///< "" = none
  std::optional<Moment> old_file;   ///< when it was whole before
  std::optional<Moment> new_file;   ///< when it was to be whole again
  std::string printed;              ///< the end of what had been printed by then
  LeftOut left_out = LeftOut::kNothing;
};

}  // namespace everycrash
