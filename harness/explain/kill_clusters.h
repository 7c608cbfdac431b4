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
#include "harness/explain/call_site.h"
#include "harness/explain/kill_window.h"
#include "harness/explore/crash_point.h"

namespace everycrash {

class KillStates;
class Trace;

/// What one cause brought about.
struct KillCluster {
  std::string key;      ///< what the cause is, as text; its hash names the finding
  uint64_t opener = 0;  ///< record that opened the first window; 0 = broken from the start
  Judge judge = Judge::kChecker;
  std::string path;                               ///< of the first complaint
  EffectFault effect_fault = EffectFault::kNone;  ///< of it
  uint64_t closer = 0;  ///< record after which the window is closed again; 0 = never
  KillWindow window = KillWindow::kFromTheStart;
  uint32_t example = 0;            ///< index of the first failing state
  std::vector<uint32_t> states;    ///< all failing states, in trace order
  std::vector<CrashPoint> points;  ///< all crash points that have one of them

  /// 12 hexadecimal digits, stable as long as the cause is.
  [[nodiscard]] std::string id() const;
};

/// The record after which STATE first fails, 0: at all its points. Its tree is the same at all of
/// them, but what had been printed is not, and a promise can be all that is wrong with it.
using FirstFailing = std::function<uint64_t(uint32_t state)>;

/// COMPLAINTS holds, for each state of KILLS, what was said against it (empty = nothing).
/// FIRST_FAILING is asked about the states that the checker rejects; null: they fail at all their
/// points. Clusters come in trace order.
[[nodiscard]] std::vector<KillCluster> cluster_kill_states(
    const Trace& trace, const KillStates& kills,
    const std::vector<std::vector<Complaint>>& complaints, const SiteOf& site_of,
    const FirstFailing& first_failing = nullptr);

}  // namespace everycrash
