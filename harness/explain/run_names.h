// What places of a run, and calls of its program, are named: for keys of findings and for people.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "harness/explain/call_site.h"
#include "harness/explain/call_stacks.h"
#include "harness/explore/crash_point.h"
#include "harness/explore/point_names.h"

namespace everycrash {

/// Names of one trace, which must outlive it. For one thread.
class RunNames {
 public:
  explicit RunNames(const Trace& trace) : RunNames(trace, std::make_shared<Symboliser>()) {}
  /// Those that share a SYMBOLISER read each program's symbols once.
  RunNames(const Trace& trace, std::shared_ptr<Symboliser> symboliser)
      : points_(trace), stacks_(trace, std::move(symboliser)) {}

  [[nodiscard]] const PointNames& points() const { return points_; }
  [[nodiscard]] const CallStacks& stacks() const { return stacks_; }
  /// The last place up to RECORD that has a name.
  [[nodiscard]] CrashPoint named_point(uint64_t record) const;
  /// The place in the program that made the call with that stack.
  [[nodiscard]] CallSite site_of(uint64_t stack) const;

 private:
  PointNames points_;
  CallStacks stacks_;
  mutable std::map<uint64_t, CallSite> sites_;
};

}  // namespace everycrash
