#include "harness/cli/real_judge.h"

#include <fmt/format.h>
#include <sys/mount.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "harness/check/run/command.h"
#include "harness/check/run/given_file.h"
#include "harness/check/run/sandbox.h"
#include "harness/cli/options.h"
#include "harness/cli/workspace.h"

namespace everycrash::cli {
namespace {

constexpr int kCannotTell = 77;

/// The state directory of the disk, where a sandbox looks for its tree.
class Bound {
 public:
  Bound(const std::filesystem::path& from, std::filesystem::path to) : to_(std::move(to)) {
    std::error_code ignored;
    std::filesystem::create_directories(to_, ignored);
    bound_ = mount(from.c_str(), to_.c_str(), nullptr, MS_BIND, nullptr) == 0;
  }
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;
  ~Bound() {
    if (bound_) static_cast<void>(umount2(to_.c_str(), MNT_DETACH));
  }
  [[nodiscard]] bool bound() const { return bound_; }

 private:
  std::filesystem::path to_;
  bool bound_;
};

Result<std::vector<Complaint>> run(Sandbox& sandbox, const std::string& text, Judge judge,
                                   const TestOptions& options, const StateView& state) {
  Command command = parse_command(text, options.base);
  const std::filesystem::path printed = sandbox.files() / "stdout";
  const std::filesystem::path effects = sandbox.files() / "effects";
  std::ofstream(printed, std::ios::binary) << state.printed;
  std::ofstream(effects, std::ios::binary) << effect_lines(state.events);
  set_variable(command.environment, "EVERYCRASH_DIR", sandbox.directory().string());
  set_variable(command.environment, "EVERYCRASH_STDOUT", printed.string());
  set_variable(command.environment, "EVERYCRASH_EFFECTS", effects.string());
  set_variable(command.environment, "PWD", sandbox.directory().string());
  const auto limit = parse_duration(options.check_timeout, "--check-timeout");
  if (!limit) return tl::unexpected(limit.error());
  const Result<CommandRun> ended = sandbox.run(command, static_cast<int>(limit->count()));
  if (!ended) return tl::unexpected(ended.error());
  if (ended->ending.succeeded()) return std::vector<Complaint>{};
  const bool unsure =
      ended->ending.how == Ending::How::kExited && ended->ending.value == kCannotTell;
  const std::string message = fmt::format("{}: {}{}{}", text, describe(ended->ending),
                                          ended->output.empty() ? "" : "\n", ended->output);
  return std::vector<Complaint>{{.judge = judge,
                                 .verdict = unsure ? Verdict::kNotMeasured : Verdict::kViolated,
                                 .message = message,
                                 .wrong = unsure ? Wrong::kCannotTell : Wrong::kRejected}};
}

}  // namespace

Result<std::vector<Complaint>> judge_in_place(const Campaign& campaign, Disk& disk,
                                              const StateView& state) {
  const TestOptions& options = campaign.exploration.options;
  const std::filesystem::path folder = campaign.exploration.workspace.path() / "in-place";
  remove_tree(folder);
  std::filesystem::create_directory(folder);
  const Bound tree(disk.state_directory(), folder / "tree");
  if (!tree.bound()) return system_error("cannot bind the mounted state", errno);
  const Result<std::unique_ptr<Sandbox>> sandbox =
      Sandbox::start({.recorded_path = campaign.exploration.workload.state_directory,
                      .work_directory = folder,
                      .plain = options.plain});
  if (!sandbox) return tl::unexpected(sandbox.error());
  if (!options.recover.empty()) {
    Result<std::vector<Complaint>> said =
        run(**sandbox, options.recover, Judge::kRecovery, options, state);
    if (!said || !said->empty()) return said;
  }
  return run(**sandbox, options.check, Judge::kChecker, options, state);
}

}  // namespace everycrash::cli
