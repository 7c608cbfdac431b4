// What comes after a crash: the tree once recovery, the workload or the checker has run on a state.
#include <fstream>

#include "harness/check/judge.h"

namespace everycrash {

Result<Aftermath> StateJudge::aftermath(const StateView& state) {
  const JudgeOptions& options = grounds_.options;
  Aftermath aftermath;
  const Command* command = nullptr;
  if (!options.recover.empty()) {
    aftermath.what = "recovery";
    command = &recover_;
  } else if (resumes()) {
    aftermath.what = "running it again";
    command = &resume_;
  } else if (selected(Judge::kChecker)) {
    aftermath.what = "the checker";
    command = &check_;
  } else {
    return aftermath;
  }
  if (Status done = put(state); !done) return tl::unexpected(done.error());
  std::ofstream(sandbox_->files() / "events", std::ios::trunc).close();
  const Result<CommandRun> run = sandbox_->run(*command, options.limit_ms);
  if (!run) return tl::unexpected(run.error());
  if (run->ending.how != Ending::How::kTimedOut) {
    Result<FileSystem> tree = read_tree(sandbox_->tree());
    if (!tree) return tl::unexpected(tree.error());
    aftermath.tree = std::move(*tree);
  }
  const Result<bool> changed = disk_.note_changes();
  if (!changed) return tl::unexpected(changed.error());
  return aftermath;
}

}  // namespace everycrash
