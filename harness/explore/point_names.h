// The names that people use for the places in a trace where a crash can come.
//
//   rename(state.json)#2       right after the second rename to state.json
//   write(log)#3+4096          inside the third write to log, when 4096 bytes of it are done
//   before:rename(state.json)#2   right before it (the same place as right after what came before)
//   after:mark_done#5          right after the fifth step marker "mark_done"
//   effect(charge order-17)#1  right after the first effect with that kind and key
//   print()#3                  right after the third print to standard output
//   start                      before the first operation
//
// Calls that failed have no name and are not counted.
// Paths are relative to the state directory; process ids and random suffixes in them are written as
// <pid> and <random>, so that a name means the same place in another run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/base/error.h"
#include "harness/explore/crash_point.h"
#include "harness/trace/chance_names.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// The path that the points of OPERATION are named by: of rename and link, the name that is made.
[[nodiscard]] std::string_view point_path(const Operation& operation);

/// The names of all crash points of a trace. Immutable; refers to the trace, which must outlive it.
class PointNames {
 public:
  explicit PointNames(const Trace& trace);

  [[nodiscard]] std::string name(CrashPoint point) const;
  /// The name under which a running program can be stopped there: a request is known as what it is
  /// only afterwards, so it has the name of its send, "send(127.0.0.1:8080)#2".
  [[nodiscard]] std::string live_name(CrashPoint point) const;
  /// The place called NAME; kUsage with the nearest names if there is none.
  [[nodiscard]] Result<CrashPoint> find(std::string_view name) const;

  /// The name without its occurrence: "rename(state.json)", "after:mark_done"; what the occurrences
  /// are counted by, and what two runs of one program share.
  [[nodiscard]] const std::string& base(uint64_t record) const {
    return bases_[places_[record].base];
  }
  [[nodiscard]] uint32_t occurrence(uint64_t record) const { return places_[record].occurrence; }

 private:
  struct Place {
    uint32_t base = 0;
    uint32_t occurrence = 0;  // 0: not a place that has a name
  };
  [[nodiscard]] std::optional<uint64_t> record_of(std::string_view base, uint32_t occurrence) const;
  [[nodiscard]] uint64_t place_before(uint64_t record) const;
  [[nodiscard]] std::string suggestions(std::string_view name) const;

  const Trace& trace_;
  ChanceNames chance_;
  std::vector<std::string> bases_;
  std::vector<Place> places_;  // by sequence number
  std::unordered_map<std::string, uint32_t> base_ids_;
};

/// The same name, taken apart for a live run (`everycrash inject`): no trace is needed.
struct PointPattern {
  std::string base;  ///< "rename(state.json)", "step mark_done", "effect charge order-17"
  uint64_t occurrence = 1;
  int64_t cut = -1;
  bool before = false;
};
[[nodiscard]] Result<PointPattern> parse_point(std::string_view name);

}  // namespace everycrash
