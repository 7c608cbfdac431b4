// Scripts in a trace: which of their lines made a call, or had a program run that made it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/trace/script_text.h"

namespace everycrash {

class Trace;

/// Frames of the script that executed when the kStack record SEQUENCE was taken, innermost first;
/// empty if there was none.
[[nodiscard]] std::vector<ScriptFrame> script_of_stack(const Trace& trace, uint64_t sequence);

/// What they are written in.
[[nodiscard]] ScriptLanguage script_language(const Trace& trace, uint64_t sequence);

/// A program of the workload, as one of its processes ran it.
struct ProgramRun {
  std::string name;         ///< that it was called by, without folders
  std::string command;      ///< its arguments, as one types them in a shell
  std::string_view folder;  ///< its current folder when it began; "" = unknown
  ScriptLanguage language = ScriptLanguage::kNone;
  std::vector<ScriptFrame> started_by;  ///< the line of a script that had it run, itself or by way
                                        ///< of other programs; innermost first
  std::string_view script_folder;       ///< `folder` of that script's interpreter
};

/// All programs of a trace. Not thread-safe to build, afterwards read-only. The trace must outlive
/// it.
class ProgramRuns {
 public:
  explicit ProgramRuns(const Trace& trace);
  /// What ran when the kStack record SEQUENCE was taken, or nullptr if it is not known.
  [[nodiscard]] const ProgramRun* of_stack(uint64_t sequence) const;

 private:
  [[nodiscard]] const ProgramRun* find(int64_t sequence) const;

  const Trace& trace_;
  std::map<int64_t, ProgramRun> runs_;  // by the sequence of their kProcess
};

}  // namespace everycrash
