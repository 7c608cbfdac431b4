// Setting up the judges of a run, from what was asked for on the command line or kept in a result.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/judge.h"
#include "harness/cli/options.h"
#include "harness/cli/workload.h"
#include "harness/cli/workspace.h"
#include "harness/trace/trace.h"
#include "reports/result.h"

namespace everycrash::cli {

/// Ends what runs in sandboxes when an interrupt comes, so that nobody waits for a slow checker.
/// The sandboxes must outlive it.
class CancelOnInterrupt {
 public:
  explicit CancelOnInterrupt(std::vector<Sandbox*> sandboxes);
  ~CancelOnInterrupt();
  CancelOnInterrupt(const CancelOnInterrupt&) = delete;
  CancelOnInterrupt& operator=(const CancelOnInterrupt&) = delete;

 private:
  int stop_;  // eventfd
  std::thread watcher_;
};

/// Judges that share one view of the trace.
struct Panel {
  std::unique_ptr<Grounds> grounds;
  std::vector<std::unique_ptr<Sink>> sinks;  ///< one for each judge, where they have a network each
  std::vector<std::unique_ptr<StateJudge>> judges;
  std::vector<std::string> remarks;  ///< what this machine did not allow, and what was done
  std::unique_ptr<CancelOnInterrupt> cancel;  // goes first
};

struct PanelOptions {
  reports::Judging judging;
  std::vector<std::string> workload;
  std::filesystem::path recorded_path;  ///< of the state directory
  bool plain = false;
  bool shared_processes = false;  ///< commands see the processes of this machine
  bool check_server = false;      ///< the checker can judge many states in one process
  size_t workers = 1;
  Sink* host_sink = nullptr;      ///< what the recorded run talked to, if it is still there
  bool check_undisturbed = true;  ///< judge the end of the recorded run first
};

/// What --ack TEXT says.
[[nodiscard]] Acknowledgement acknowledgement_named(const std::string& text);

/// What OPTIONS say about judging. Fails with kUsage.
[[nodiscard]] Result<reports::Judging> judging_of(const TestOptions& options,
                                                  const Workload& workload);

/// Starts the sandboxes, decides which oracles apply, and makes sure that the state at the end of
/// the undisturbed run is a good one (kHarness if it is not). Starts processes: call it before
/// threads.
[[nodiscard]] Result<Panel> make_panel(const Trace& trace, const PanelOptions& options,
                                       const Workspace& workspace);

}  // namespace everycrash::cli
