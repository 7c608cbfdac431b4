#include "harness/campaign/real_judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mount.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "harness/base/exit_status.h"
#include "harness/campaign/campaign.h"
#include "harness/campaign/panel.h"
#include "harness/campaign/workload.h"
#include "harness/campaign/workspace.h"
#include "harness/check/run/command.h"
#include "harness/check/run/given_file.h"
#include "harness/check/run/sandbox.h"

namespace everycrash {
namespace {

/// As it was typed, or nearly so.
std::string text_of(const Command& command) {
  const std::vector<std::string>& argv = command.argv;
  const bool by_shell = argv.size() == 3 && argv[0] == "/bin/sh" && argv[1] == "-c";
  return by_shell ? argv[2] : fmt::format("{}", fmt::join(argv, " "));
}

/// The state directory of the disk, where a sandbox looks for its tree.
class BoundTree {
 public:
  BoundTree(const std::filesystem::path& from, std::filesystem::path to) : to_(std::move(to)) {
    std::error_code ignored;
    std::filesystem::create_directories(to_, ignored);
    bound_ = mount(from.c_str(), to_.c_str(), nullptr, MS_BIND, nullptr) == 0;
  }
  BoundTree(const BoundTree&) = delete;
  BoundTree& operator=(const BoundTree&) = delete;
  ~BoundTree() {
    if (bound_) static_cast<void>(umount2(to_.c_str(), MNT_DETACH));
  }
  [[nodiscard]] bool bound() const { return bound_; }

 private:
  std::filesystem::path to_;
  bool bound_;
};

Result<std::vector<Complaint>> run(Sandbox& sandbox, Command command, Judge judge, int limit_ms,
                                   const StateView& state) {
  const std::filesystem::path printed = sandbox.files() / "stdout";
  const std::filesystem::path effects = sandbox.files() / "effects";
  std::ofstream(printed, std::ios::binary) << state.printed;
  std::ofstream(effects, std::ios::binary) << effect_lines(state.events);
  set_variable(command.environment, "EVERYCRASH_DIR", sandbox.directory().string());
  set_variable(command.environment, "EVERYCRASH_STDOUT", printed.string());
  set_variable(command.environment, "EVERYCRASH_EFFECTS", effects.string());
  set_variable(command.environment, "PWD", sandbox.directory().string());
  const Result<CommandRun> ended = sandbox.run(command, limit_ms);
  if (!ended) return tl::unexpected(ended.error());
  if (ended->ending.succeeded()) return std::vector<Complaint>{};
  const bool unsure =
      ended->ending.how == Ending::How::kExited && ended->ending.value == kExitUnavailable;
  const std::string message = fmt::format("{}: {}{}{}", text_of(command), describe(ended->ending),
                                          ended->output.empty() ? "" : "\n", ended->output);
  return std::vector<Complaint>{{.judge = judge,
                                 .verdict = unsure ? Verdict::kNotMeasured : Verdict::kViolated,
                                 .message = message,
                                 .wrong = unsure ? Wrong::kCannotTell : Wrong::kRejected}};
}

}  // namespace

Result<std::vector<Complaint>> judge_in_place(const Campaign& campaign, Disk& disk,
                                              const StateView& state) {
  const JudgeOptions& judging = campaign.grounds().options;
  const std::filesystem::path folder = campaign.input.workspace.path() / "in-place";
  remove_tree(folder);
  std::filesystem::create_directory(folder);
  const BoundTree tree(disk.state_directory(), folder / "tree");
  if (!tree.bound()) return system_error("cannot bind the mounted state", errno);
  const Result<std::unique_ptr<Sandbox>> sandbox =
      Sandbox::start({.recorded_path = campaign.input.workload.state_directory,
                      .work_directory = folder,
                      .plain = campaign.plan().plain});
  if (!sandbox) return tl::unexpected(sandbox.error());
  if (!judging.recover.empty()) {
    Result<std::vector<Complaint>> said =
        run(**sandbox, judging.recover, Judge::kRecovery, judging.limit_ms, state);
    if (!said || !said->empty()) return said;
  }
  return run(**sandbox, judging.check, Judge::kChecker, judging.limit_ms, state);
}

}  // namespace everycrash
