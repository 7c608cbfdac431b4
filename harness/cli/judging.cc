#include "harness/cli/judging.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "harness/cli/interrupt.h"

namespace everycrash::cli {
namespace {

Result<JudgeOptions> judge_options(const PanelOptions& options) {
  const reports::Judging& judging = options.judging;
  JudgeOptions judge;
  if (!judging.check.empty()) judge.check = parse_command(judging.check, judging.base);
  if (!judging.recover.empty()) judge.recover = parse_command(judging.recover, judging.base);
  judge.resume = make_command(options.workload, judging.base);
  judge.resume.own_proc = true;
  judge.resume_asked = judging.resume;
  for (const std::string& name : judging.oracles) {
    const std::optional<Judge> oracle = oracle_named(name);
    if (!oracle) {
      return fail(
          ErrorKind::kUsage,
          fmt::format(
              "--oracle {}: there is no such oracle\nThere are: half-file, acknowledged, resume, "
              "no-leftovers, exactly-once, recovery-twice",
              name));
    }
    judge.oracles.insert(*oracle);
  }
  judge.acknowledgement = acknowledgement_named(judging.acknowledgement);
  judge.ignore = IgnoreGlobs(judging.ignore);
  judge.limit_ms = static_cast<int>(judging.limit_ms);
  return judge;
}

}  // namespace

Acknowledgement acknowledgement_named(const std::string& text) {
  using What = Acknowledgement::What;
  if (text.empty() || text == "stdout") return {What::kEveryPrint, ""};
  if (text == "none") return {What::kNothing, ""};
  if (text == "exit") return {What::kExit, ""};
  return {What::kMatchingLines, text};
}

CancelOnInterrupt::CancelOnInterrupt(std::vector<Sandbox*> sandboxes)
    : stop_(eventfd(0, EFD_CLOEXEC)), watcher_([stop = stop_, sandboxes = std::move(sandboxes)] {
        pollfd wanted[] = {{interrupt_descriptor(), POLLIN, 0}, {stop, POLLIN, 0}};
        while (poll(wanted, 2, -1) < 0 && errno == EINTR) {
        }
        if (wanted[0].revents == 0) return;
        for (Sandbox* sandbox : sandboxes) sandbox->cancel();
      }) {}

CancelOnInterrupt::~CancelOnInterrupt() {
  const uint64_t one = 1;
  EVERYCRASH_ASSERT(write(stop_, &one, sizeof one) == sizeof one);
  watcher_.join();
  close(stop_);
}

Result<reports::Judging> judging_of(const TestOptions& options) {
  const Result<std::chrono::milliseconds> limit =
      parse_duration(options.check_timeout, "--check-timeout");
  if (!limit) return tl::unexpected(limit.error());
  return reports::Judging{.base = options.base.string(),
                          .check = options.check,
                          .recover = options.recover,
                          .resume = options.resume,
                          .oracles = options.oracles,
                          .acknowledgement = options.acknowledgement,
                          .ignore = options.ignore,
                          .limit_ms = static_cast<uint64_t>(limit->count())};
}

Result<Panel> make_panel(const Trace& trace, const PanelOptions& options,
                         const Workspace& workspace) {
  Result<JudgeOptions> judge = judge_options(options);
  if (!judge) return tl::unexpected(judge.error());
  Result<History> history = History::of(trace);
  if (!history) return tl::unexpected(history.error());
  Result<Promises> promises = Promises::find(*history, judge->acknowledgement);
  if (!promises) return tl::unexpected(promises.error());
  Panel panel;
  panel.grounds = std::make_unique<Grounds>(
      Grounds{std::move(*history), std::move(*promises), std::move(*judge), {}});
  for (size_t i = 0; i < options.workers; ++i) {
    const std::filesystem::path folder = workspace.path() / fmt::format("worker-{}", i);
    std::filesystem::create_directory(folder);
    Result<std::unique_ptr<Sandbox>> sandbox = Sandbox::start(
        {.recorded_path = options.recorded_path, .work_directory = folder, .plain = options.plain});
    if (!sandbox) return tl::unexpected(sandbox.error());
    panel.judges.push_back(std::make_unique<StateJudge>(std::move(*sandbox), *panel.grounds));
  }
  std::vector<Sandbox*> sandboxes;
  for (const std::unique_ptr<StateJudge>& judge_of_panel : panel.judges) {
    sandboxes.push_back(&judge_of_panel->sandbox());
  }
  panel.cancel = std::make_unique<CancelOnInterrupt>(std::move(sandboxes));
  Result<Selection> selection = panel.judges.front()->decide();
  if (!selection) return tl::unexpected(selection.error());
  panel.grounds->selection = std::move(*selection);
  if (!options.check_undisturbed) return panel;
  if (Status ok = panel.judges.front()->check_undisturbed(); !ok) return tl::unexpected(ok.error());
  return panel;
}

}  // namespace everycrash::cli
