// Filling the result document from a trace and from what was found in it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/check/verdict.h"
#include "harness/explain/call_stacks.h"
#include "harness/explain/fault_clusters.h"
#include "harness/explain/kill_clusters.h"
#include "harness/explain/power_clusters.h"
#include "harness/explore/crash_point.h"
#include "harness/explore/point_names.h"
#include "harness/model/floor.h"
#include "harness/trace/trace.h"
#include "reports/result.h"

namespace everycrash::cli {

/// Owns the document while it grows. The trace must outlive it. Not thread-safe.
class DocumentBuilder {
 public:
  explicit DocumentBuilder(const Trace& trace)
      : DocumentBuilder(trace, std::make_shared<Symboliser>()) {}
  /// Builders that share a SYMBOLISER read each program's symbols once.
  DocumentBuilder(const Trace& trace, std::shared_ptr<Symboliser> symboliser);

  [[nodiscard]] const std::shared_ptr<Symboliser>& symboliser() const {
    return call_stacks_.symboliser();
  }
  /// FINDING, of the document FROM, as this document would say it: with its own stacks.
  [[nodiscard]] reports::Finding adopted(const reports::ResultDocument& from,
                                         reports::Finding finding);

  /// What was recorded: counts, notes on what is not supported, the list of operations.
  void describe_recording();
  /// Which places in the program change state, and at which of them a crash was tried.
  void describe_call_sites(const std::set<uint64_t>& crashed_records);
  /// Appends one finding of a killed process. COMPLAINTS are those against its example. The finding
  /// is valid until the next one is added.
  reports::Finding& add_kill_finding(const KillCluster& cluster, CrashPoint example,
                                     const std::vector<Complaint>& complaints);

  /// Appends a finding of a power loss, or adds the model to the finding that has the same cause.
  struct PowerExample {
    CrashKind crash;  ///< power or lost-fsync
    std::string model;
    int64_t tear_bytes;
    const UnitHistory& history;
    const std::vector<Complaint>& complaints;  ///< against the first failing state
    std::vector<CrashPoint> points;            ///< of all failing states
  };
  /// Returns the finding if it is new, else null.
  reports::Finding* add_power_finding(const PowerCluster& cluster, const PowerExample& example);
  /// From when on the listed operations are safe under one model; to be called after
  /// describe_recording().
  void add_durability(CrashKind crash, const std::string& model, const UnitHistory& units,
                      const Floor& floor);
  /// Appends a finding that only a real file system showed, ON.
  void add_real_finding(CrashKind crash, const Complaint& said, CrashPoint point,
                        const std::string& on);
  /// Appends a finding about calls that fail.
  void add_fault_finding(const FaultCluster& cluster);

  /// Habits in the trace that are often mistakes, and promises that a power loss breaks.
  void add_notes();
  void note_broken_promises(const std::string& crash, const std::string& message, uint64_t states);

  /// The place in the program that made the call with that stack.
  [[nodiscard]] CallSite site_of(uint64_t stack);

  [[nodiscard]] const PointNames& names() const { return names_; }
  /// The last place up to RECORD that has a name.
  [[nodiscard]] CrashPoint named_point(uint64_t record) const;
  [[nodiscard]] reports::InvolvedOperation involve(const Operation& operation);
  [[nodiscard]] reports::ResultDocument& document() { return document_; }

 private:
  [[nodiscard]] reports::StackIndex add_stack(uint64_t stack);

  const Trace& trace_;
  PointNames names_;
  CallStacks call_stacks_;
  reports::ResultDocument document_;
  reports::StackTable stacks_;
  std::map<uint64_t, reports::StackIndex> stack_of_;
  std::map<uint64_t, CallSite> sites_;
};

}  // namespace everycrash::cli
