// From failing states to findings: which of them have one cause.
//
// For a killed process, a failing state has a beginning: going back from it in time, over all crash
// points that fail in the same way, one comes to the operation that opened the window (the file was
// emptied, the old name was removed, the effect was sent). All windows that are opened by the same
// kind of operation, from the same place in the program, on the same kind of file, have one cause;
// a loop that saves a hundred times has one, not a hundred.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/verdict.h"
#include "harness/explain/call_stacks.h"
#include "harness/explore/crash_point.h"
#include "harness/explore/kill_states.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// What one cause brought about.
struct Cluster {
  std::string key;      ///< what the cause is, as text; its hash names the finding
  uint64_t opener = 0;  ///< record that opened the first window; 0 = broken from the start
  Judge judge = Judge::kChecker;
  std::string path;                               ///< of the first complaint
  EffectFault effect_fault = EffectFault::kNone;  ///< of it
  uint64_t closer = 0;             ///< record after which the window is closed again; 0 = never
  uint32_t example = 0;            ///< index of the first failing state
  std::vector<uint32_t> states;    ///< all failing states, in trace order
  std::vector<CrashPoint> points;  ///< all crash points that have one of them

  /// 12 hexadecimal digits, stable as long as the cause is.
  [[nodiscard]] std::string id() const;
};

/// Replaces every run of digits by '#', and names made for one process or at random: the pattern
/// that "out/step-017.txt" shares with its siblings.
[[nodiscard]] std::string path_pattern(std::string_view path, int32_t process);
/// The same; CHANCE knows what names of the run chance made.
[[nodiscard]] std::string path_pattern(std::string_view path, int32_t process,
                                       const ChanceNames& chance);

/// The last line that RECORD, a print, ended or began: in quotes, a long one cut; "" if it is
/// empty. A line can be printed in pieces (Python, unbuffered, prints its end on its own).
[[nodiscard]] std::string printed_line(const Trace& trace, const Operation& record);

/// The record after which STATE first fails, 0: at all its points. Its tree is the same at all of
/// them, but what had been printed is not, and a promise can be all that is wrong with it.
using FirstFailing = std::function<uint64_t(uint32_t state)>;

/// COMPLAINTS holds, for each state of KILLS, what was said against it (empty = nothing).
/// FIRST_FAILING is asked about the states that the checker rejects; null: they fail at all their
/// points. Clusters come in trace order.
[[nodiscard]] std::vector<Cluster> cluster_kill_states(
    const Trace& trace, const KillStates& kills,
    const std::vector<std::vector<Complaint>>& complaints, const SiteOf& site_of,
    const FirstFailing& first_failing = nullptr);

/// The time in which a crash leads to the effect's fault: "between effect charge order-17 and the
/// rename that records it (state.tmp -> state.json)". Empty for clusters of other judges.
[[nodiscard]] std::string window_of(const Trace& trace, const Cluster& cluster);

/// One line that says what goes wrong there, in plain words.
[[nodiscard]] std::string title_of(const Trace& trace, const Cluster& cluster);

}  // namespace everycrash
