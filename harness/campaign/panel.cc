#include "harness/campaign/panel.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "harness/campaign/workspace.h"
#include "harness/check/run/pid_namespace.h"
#include "harness/inject/clock_variants.h"

namespace everycrash {
namespace {

/// Gives the sandbox of JUDGE a sink of its own. Without a network for each sandbox all share the
/// one on this machine's loopback. Returns whether another judge can be made.
Result<bool> add_sink(const SinkOptions& options, Sink* host_sink, StateJudge& judge,
                      Panel& panel) {
  const int listener = judge.sandbox().take_listener();
  if (listener >= 0) {
    panel.sinks.push_back(std::make_unique<Sink>(listener, options, nullptr));
    judge.use_sink(panel.sinks.back().get());
    return true;
  }
  panel.limitations.emplace_back(OneNetwork{});
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
                  const Grounds& grounds, StateJudge& judge) {
  if (!options.check_server || grounds.options.check.empty()) return {};
  const std::filesystem::path place = workspace.path() / fmt::format("server-{}", number);
  std::filesystem::create_directory(place);
  Result<std::unique_ptr<CheckServer>> server =
      CheckServer::start({.recorded_path = options.recorded_path,
                          .work_directory = place,
                          .plain = options.plain,
                          .shared_processes = options.shared_processes},
                         grounds.options.check);
  if (!server) return tl::unexpected(server.error());
  judge.use_server(std::move(*server));
  return {};
}

Result<std::vector<std::unique_ptr<StateJudge>>> make_judges(const PanelOptions& options,
                                                             const Workspace& workspace,
                                                             Panel& panel) {
  const std::optional<SinkOptions>& sink = panel.grounds->options.effects.sink;
  std::vector<std::unique_ptr<StateJudge>> judges;
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
    judges.push_back(std::make_unique<StateJudge>(std::move(*sandbox), *panel.grounds));
    StateJudge& judge = *judges.back();
    if (Status ok = add_server(options, workspace, i, *panel.grounds, judge); !ok) {
      return tl::unexpected(ok.error());
    }
    if (!sink) continue;
    const Result<bool> more = add_sink(*sink, options.host_sink, judge, panel);
    if (!more) return tl::unexpected(more.error());
    if (!*more) break;
  }
  return judges;
}

}  // namespace

Panel::Panel() = default;
Panel::Panel(Panel&&) noexcept = default;
Panel::~Panel() = default;

CancelOnStop::CancelOnStop(Stop stop, std::vector<Sandbox*> sandboxes)
    : end_(eventfd(0, EFD_CLOEXEC)),
      watcher_([end = end_, asked = stop.descriptor, sandboxes = std::move(sandboxes)] {
        pollfd wanted[] = {{asked, POLLIN, 0}, {end, POLLIN, 0}};
        while (poll(wanted, 2, -1) < 0 && errno == EINTR) {
        }
        if (wanted[0].revents == 0) return;
        for (Sandbox* sandbox : sandboxes) sandbox->cancel();
      }) {}

CancelOnStop::~CancelOnStop() {
  const uint64_t one = 1;
  EVERYCRASH_ASSERT(write(end_, &one, sizeof one) == sizeof one);
  watcher_.join();
  close(end_);
}

Result<Panel> make_panel(const Trace& trace, PanelOptions options, const Workspace& workspace) {
  Result<History> history = History::of(trace);
  if (!history) return tl::unexpected(history.error());
  JudgeOptions& judging = options.judging;
  judging.effects.temporary = history->temporary();
  Result<Promises> promises = Promises::find(*history, judging.acknowledgement);
  if (!promises) return tl::unexpected(promises.error());
  Panel panel;
  panel.grounds = std::make_unique<Grounds>(
      Grounds{std::move(*history), std::move(*promises), std::move(judging), {}, {}});
  const EffectRules& rules = panel.grounds->options.effects;
  panel.grounds->effects = find_effects(trace, rules, rules.new_sink());
  if (const std::string lock = who_names_pid_namespace(trace); !lock.empty()) {
    options.shared_processes = true;
    panel.limitations.emplace_back(SharedProcesses{lock});
  }
  Result<std::vector<std::unique_ptr<StateJudge>>> judges = make_judges(options, workspace, panel);
  if (!judges) return tl::unexpected(judges.error());
  std::vector<Sandbox*> sandboxes;
  for (const std::unique_ptr<StateJudge>& judge : *judges) {
    sandboxes.push_back(&judge->sandbox());
    if (CheckServer* const server = judge->server()) sandboxes.push_back(&server->sandbox());
  }
  panel.cancel = std::make_unique<CancelOnStop>(options.stop, std::move(sandboxes));
  const Capabilities& capabilities = judges->front()->sandbox().capabilities();
  if (!capabilities.explanation.empty()) {
    panel.limitations.insert(panel.limitations.begin(), SandboxLimits{capabilities.explanation});
  }
  // By a clock that is two hours ahead whatever holds a time is found to vary.
  StateJudge& first = *judges->front();
  for (std::unique_ptr<StateJudge>& judge : *judges) {
    panel.seats.push_back(std::make_unique<SandboxSeat>(std::move(judge)));
  }
  Seat& seat = *panel.seats.front();
  Result<Selection> selection = first.decide([&seat](bool other) {
    return set_clock(other ? find_clock_variant("2 hours on") : nullptr,
                     [&seat](auto name, auto value) { seat.set_for_commands(name, value); });
  });
  if (!selection) return tl::unexpected(selection.error());
  panel.grounds->selection = std::move(*selection);
  if (!options.check_undisturbed) return panel;
  if (Status ok = seat.check_undisturbed(); !ok) return tl::unexpected(ok.error());
  return panel;
}

}  // namespace everycrash
