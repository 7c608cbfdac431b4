// Names that a run makes and takes away again, known again in other runs.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "harness/trace/chance_names.h"

namespace everycrash {

/// A value; safe to read from several threads.
class TemporaryNames {
 public:
  /// Looks at the next record of the run: all of them, and then the names are added.
  void learn(const Operation& record) { chance_.learn(record); }

  /// PROCESSES are the ids of those of the run that had the name.
  void add(const std::string& path, const std::set<int32_t>& processes);

  /// True for these, and for what another run would have called them: with the number of its own
  /// process, or other random letters, in the name.
  [[nodiscard]] bool contains(std::string_view path) const;

  /// As the run called them.
  [[nodiscard]] const std::set<std::string>& names() const { return names_; }

 private:
  ChanceNames chance_;
  std::set<std::string> names_;
  std::set<std::string> patterns_;
};

}  // namespace everycrash
