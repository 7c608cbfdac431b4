// How the operations of one run are written into a result document: in words, with their stacks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "harness/explain/run_names.h"
#include "harness/trace/trace.h"
#include "reports/result.h"

namespace everycrash::cli {

/// What the kind and the numbers of RECORD do not say: "new emptied".
[[nodiscard]] std::string detail_of(const Operation& record);

/// For one trace. Refers to all that it is given. For one thread.
class OperationWriter {
 public:
  OperationWriter(const Trace& trace, const RunNames& names, reports::StackTable& stacks)
      : trace_(trace), names_(names), stacks_(stacks) {}

  /// Position of that stack in the document.
  reports::StackIndex stack(uint64_t stack);
  reports::InvolvedOperation involve(const Operation& operation);
  /// The operation with that sequence number; nothing for 0 and others that there is none of.
  std::optional<reports::InvolvedOperation> involve(uint64_t record);

  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] const RunNames& names() const { return names_; }
  /// "rename(state.json)#2".
  [[nodiscard]] std::string point(CrashPoint point) const { return names_.points().name(point); }
  /// The name of the last place up to RECORD that has one.
  [[nodiscard]] std::string place(uint64_t record) const {
    return point(names_.named_point(record));
  }

 private:
  const Trace& trace_;
  const RunNames& names_;
  reports::StackTable& stacks_;
  std::map<uint64_t, reports::StackIndex> known_;
};

}  // namespace everycrash::cli
