#include "harness/cli/judging.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "harness/check/oracles/all_oracles.h"
#include "harness/check/run/pid_namespace.h"
#include "harness/cli/clock_variants.h"
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
  Result<EffectRules> effects = effect_rules(judging.effects);
  if (!effects) return tl::unexpected(effects.error());
  judge.effects = std::move(*effects);
  judge.occurrence = occurrence_named(judging.effects.times);
  return judge;
}

/// Gives the sandbox of the latest judge a sink of its own. Without a network for each sandbox all
/// share the one on this machine's loopback. Returns whether another judge can be made.
Result<bool> add_sink(const SinkOptions& options, Sink* host_sink, Panel& panel) {
  StateJudge& judge = *panel.judges.back();
  const int listener = judge.sandbox().take_listener();
  if (listener >= 0) {
    panel.sinks.push_back(std::make_unique<Sink>(listener, options, nullptr));
    judge.use_sink(panel.sinks.back().get());
    return true;
  }
  panel.remarks.emplace_back(
      "no network of its own can be had for each worker, so there is one worker only, which shares "
      "the sink on this machine's loopback");
  if (host_sink == nullptr) {
    uint16_t port = options.port;
    const Result<int> socket = listen_on_loopback(port);
    if (!socket) return tl::unexpected(socket.error());
    panel.sinks.push_back(std::make_unique<Sink>(*socket, options, nullptr));
    host_sink = panel.sinks.back().get();
  }
  judge.use_sink(host_sink);
  return false;
}

/// With --check-server: the checker's own process beside the worker NUMBER, started once.
Status add_server(const PanelOptions& options, const Workspace& workspace, size_t number,
                  Panel& panel) {
  if (!options.check_server || panel.grounds->options.check.empty()) return {};
  const std::filesystem::path place = workspace.path() / fmt::format("server-{}", number);
  std::filesystem::create_directory(place);
  Result<std::unique_ptr<CheckServer>> server =
      CheckServer::start({.recorded_path = options.recorded_path,
                          .work_directory = place,
                          .plain = options.plain,
                          .shared_processes = options.shared_processes},
                         panel.grounds->options.check);
  if (!server) return tl::unexpected(server.error());
  panel.judges.back()->use_server(std::move(*server));
  return {};
}

Status add_judges(const PanelOptions& options, const Workspace& workspace, Panel& panel) {
  const std::optional<SinkOptions>& sink = panel.grounds->options.effects.sink;
  for (size_t i = 0; i < options.workers; ++i) {
    const std::filesystem::path folder = workspace.path() / fmt::format("worker-{}", i);
    std::filesystem::create_directory(folder);
    Result<std::unique_ptr<Sandbox>> sandbox =
        Sandbox::start({.recorded_path = options.recorded_path,
                        .work_directory = folder,
                        .plain = options.plain,
                        .shared_processes = options.shared_processes,
                        .listen_port = sink ? sink->port : uint16_t{0}});
    if (!sandbox) return tl::unexpected(sandbox.error());
    panel.judges.push_back(std::make_unique<StateJudge>(std::move(*sandbox), *panel.grounds));
    if (Status ok = add_server(options, workspace, i, panel); !ok) return ok;
    if (!sink) continue;
    const Result<bool> more = add_sink(*sink, options.host_sink, panel);
    if (!more) return tl::unexpected(more.error());
    if (!*more) break;
  }
  return {};
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

Result<reports::Judging> judging_of(const TestOptions& options, const Workload& workload) {
  const Result<std::chrono::milliseconds> limit =
      parse_duration(options.check_timeout, "--check-timeout");
  if (!limit) return tl::unexpected(limit.error());
  const EffectOptions& given = options.effects;
  const Occurrence right = given.at_least_once  ? Occurrence::kAtLeastOnce
                           : given.at_most_once ? Occurrence::kAtMostOnce
                                                : Occurrence::kExactlyOnce;
  const reports::EffectJudging effects{
      .commands = given.commands,
      .folders = given.folders,
      .peers = given.peers,
      .sink = workload.sink ? to_text(workload.sink->options) : given.sink,
      .times = std::string(name_of(right))};
  return reports::Judging{.base = options.base.string(),
                          .check = options.check,
                          .recover = options.recover,
                          .resume = options.resume,
                          .oracles = options.oracles,
                          .acknowledgement = options.acknowledgement,
                          .ignore = options.ignore,
                          .effects = effects,
                          .limit_ms = static_cast<uint64_t>(limit->count())};
}

Result<Panel> make_panel(const Trace& trace, const PanelOptions& options,
                         const Workspace& workspace) {
  Result<JudgeOptions> judge = judge_options(options);
  if (!judge) return tl::unexpected(judge.error());
  Result<History> history = History::of(trace);
  if (!history) return tl::unexpected(history.error());
  judge->effects.temporary = history->temporary();
  Result<Promises> promises = Promises::find(*history, judge->acknowledgement);
  if (!promises) return tl::unexpected(promises.error());
  Panel panel;
  panel.grounds = std::make_unique<Grounds>(
      Grounds{std::move(*history), std::move(*promises), std::move(*judge), {}, {}});
  const EffectRules& rules = panel.grounds->options.effects;
  panel.grounds->effects = find_effects(trace, rules, rules.new_sink());
  PanelOptions placed = options;
  if (const std::string lock = who_names_pid_namespace(trace); !lock.empty()) {
    placed.shared_processes = true;
    panel.remarks.push_back(fmt::format(
        "{} names the PID namespace that the workload ran in: what runs on a state runs in it too, "
        "among the processes of this machine",
        lock));
  }
  if (Status ok = add_judges(placed, workspace, panel); !ok) return tl::unexpected(ok.error());
  std::vector<Sandbox*> sandboxes;
  for (const std::unique_ptr<StateJudge>& judge_of_panel : panel.judges) {
    sandboxes.push_back(&judge_of_panel->sandbox());
    if (CheckServer* const server = judge_of_panel->server()) {
      sandboxes.push_back(&server->sandbox());
    }
  }
  panel.cancel = std::make_unique<CancelOnInterrupt>(std::move(sandboxes));
  // By a clock that is two hours ahead whatever holds a time is found to vary.
  StateJudge& first = *panel.judges.front();
  Result<Selection> selection = first.decide([&first](bool other) {
    return set_clock(other ? find_clock_variant("2 hours on") : nullptr, first);
  });
  if (!selection) return tl::unexpected(selection.error());
  panel.grounds->selection = std::move(*selection);
  if (!options.check_undisturbed) return panel;
  if (Status ok = panel.judges.front()->check_undisturbed(); !ok) return tl::unexpected(ok.error());
  return panel;
}

}  // namespace everycrash::cli
