// Setting up the judges of a run.
#pragma once

#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "harness/base/error.h"
#include "harness/campaign/gaps.h"
#include "harness/campaign/seat.h"
#include "harness/campaign/stop.h"
#include "harness/check/judge.h"

namespace everycrash {

class Sandbox;
class Sink;
class Workspace;

/// Ends what runs in sandboxes when somebody asks for an end, so that nobody waits for a slow
/// checker. The sandboxes must outlive it.
class CancelOnStop {
 public:
  CancelOnStop(Stop stop, std::vector<Sandbox*> sandboxes);
  ~CancelOnStop();
  CancelOnStop(const CancelOnStop&) = delete;
  CancelOnStop& operator=(const CancelOnStop&) = delete;

 private:
  int end_;  // eventfd
  std::thread watcher_;
};

/// Judges that share one view of the trace. Movable.
struct Panel {
  Panel();
  Panel(Panel&&) noexcept;
  Panel& operator=(Panel&&) = delete;
  ~Panel();

  std::unique_ptr<Grounds> grounds;
  std::vector<std::unique_ptr<Sink>> sinks;  ///< one for each judge, where they have a network each
  std::vector<std::unique_ptr<Seat>> seats;  ///< at least one
  std::vector<Limitation> limitations;       ///< what this machine did not allow
  std::unique_ptr<CancelOnStop> cancel;      // goes first
};

struct PanelOptions {
  JudgeOptions judging;
  std::filesystem::path recorded_path;  ///< of the state directory
  bool plain = false;
  bool shared_processes = false;  ///< commands see the processes of this machine
  bool check_server = false;      ///< the checker can judge many states in one process
  size_t workers = 1;
  Sink* host_sink = nullptr;      ///< what the recorded run talked to, if it is still there
  bool check_undisturbed = true;  ///< judge the end of the recorded run first
  Stop stop = {};
};

/// Starts the sandboxes, decides which oracles apply, and makes sure that the state at the end of
/// the undisturbed run is a good one (kHarness if it is not). Starts processes: call it before
/// threads.
[[nodiscard]] Result<Panel> make_panel(const Trace& trace, PanelOptions options,
                                       const Workspace& workspace);

}  // namespace everycrash
