#include "harness/record/runner_group.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <sstream>
#include <vector>

#include "harness/record/program_check.h"
#include "harness/record/recorder_run.h"

namespace everycrash {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kKeepToGates = 2;  // format::StopPlan::action
constexpr std::chrono::milliseconds kKillWait{5'000};

/// A file of /proc, "" if the process is gone: a stream would throw then.
std::string read_proc(const fs::path& path) {
  char text[4096];
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  const ssize_t size = read(file, text, sizeof text);
  close(file);
  return {text, static_cast<size_t>(std::max<ssize_t>(size, 0))};
}

std::vector<fs::path> tasks_of(int process) {
  std::vector<fs::path> tasks;
  std::error_code error;
  fs::directory_iterator it(fmt::format("/proc/{}/task", process), error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) tasks.push_back(it->path());
  return tasks;
}

std::vector<int> children_of(int process) {
  std::vector<int> found;
  for (const fs::path& task : tasks_of(process)) {
    std::istringstream list(read_proc(task / "children"));
    for (int child = 0; list >> child;) found.push_back(child);
  }
  return found;
}

/// True if no thread of PROCESS is running, about to, or waiting for a disk.
bool threads_sleep(int process) {
  for (const fs::path& task : tasks_of(process)) {
    const std::string text = read_proc(task / "stat");
    const size_t name_end = text.rfind(')');  // the name may hold anything
    if (name_end == std::string::npos || name_end + 2 >= text.size()) continue;
    const char state = text[name_end + 2];
    if (state == 'R' || state == 'D') return false;
  }
  return true;
}

bool all_sleep_below(int process) {
  for (const int child : children_of(process)) {
    if (!threads_sleep(child) || !all_sleep_below(child)) return false;
  }
  return true;
}

}  // namespace

struct RunnerGroup::Member {
  explicit Member(const RecordOptions& options_of_it) : options(options_of_it) {}
  RecordOptions options;
  std::optional<recording::Run> run;
  std::optional<ChildProcess> container;
  bool over = false;
  bool killed = false;
  bool more_report = true;
};

struct RunnerGroup::State {
  std::array<std::unique_ptr<Member>, format::kRunnersMax> members;
  std::optional<TraceWriter> trace;
  bool more_output = true;
};

RunnerGroup::RunnerGroup(std::unique_ptr<State> state) : state_(std::move(state)) {}

RunnerGroup::~RunnerGroup() {
  for (uint32_t i = 0; i < format::kRunnersMax; ++i) kill(i);
}

Result<std::unique_ptr<RunnerGroup>> RunnerGroup::create(const RecordOptions& options) {
  EVERYCRASH_ASSERT(!options.command.empty());
  std::error_code missing;
  const fs::path root = fs::canonical(options.state_directory, missing);
  if (missing) {
    return fail(ErrorKind::kUsage,
                fmt::format("the state directory {} cannot be used: {}",
                            options.state_directory.string(), missing.message()));
  }
  if (const auto program = find_recordable_program(options.command[0], root); !program) {
    return tl::unexpected(program.error());
  }
  auto state = std::make_unique<State>();
  for (uint32_t i = 0; i < format::kRunnersMax; ++i) {
    auto member = std::make_unique<Member>(options);
    member->options.environment["EVERYCRASH_RUNNER"] = std::to_string(i);
    member->run.emplace(recording::Run{member->options, root, {}, {}, {}, {}, {}, {}, {}});
    state->members[i] = std::move(member);
  }
  // Both print into one pipe and write one file of events: that is what the recorder knows them by.
  recording::Run& first = *state->members[0]->run;
  recording::Run& second = *state->members[1]->run;
  if (Status ok = recording::open_files(first); !ok) return tl::unexpected(ok.error());
  Result<recording::Pipe> report = recording::make_pipe();
  if (!report) return tl::unexpected(report.error());
  second.report = std::move(*report);
  const auto copy = [](const recording::Descriptor& from) {
    return recording::Descriptor(fcntl(from.get(), F_DUPFD_CLOEXEC, 0));
  };
  second.output.write_end = copy(first.output.write_end);
  second.stderr_file = copy(first.stderr_file);
  Result<TraceWriter> trace = recording::make_trace(first);
  if (!trace) return tl::unexpected(trace.error());
  state->trace.emplace(std::move(*trace));
  state->trace->header().plan.action = kKeepToGates;
  return std::unique_ptr<RunnerGroup>(new RunnerGroup(std::move(state)));
}

format::Gate& RunnerGroup::gate(uint32_t runner) const {
  return state_->trace->header().gates[runner];
}

Status RunnerGroup::start(uint32_t runner) {
  Member& member = *state_->members[runner];
  EVERYCRASH_ASSERT(!member.container);
  Result<ChildProcess> started = recording::start_workload(*member.run);
  if (!started) return tl::unexpected(started.error());
  member.container.emplace(std::move(*started));
  return {};
}

bool RunnerGroup::started(uint32_t runner) const {
  return state_->members[runner]->container.has_value();
}

void RunnerGroup::let(uint32_t runner, uint64_t operations) {
  format::Gate& own = gate(runner);
  __atomic_store_n(&own.limit, operations, __ATOMIC_RELEASE);
  __atomic_add_fetch(&own.changes, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &own.changes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

uint64_t RunnerGroup::passed(uint32_t runner) const {
  return __atomic_load_n(&gate(runner).passed, __ATOMIC_ACQUIRE);
}

uint64_t RunnerGroup::changed(uint32_t runner) const {
  return __atomic_load_n(&gate(runner).changed, __ATOMIC_ACQUIRE);
}

bool RunnerGroup::stands(uint32_t runner) const {
  const format::Gate& own = gate(runner);
  return __atomic_load_n(&own.waiting, __ATOMIC_ACQUIRE) > 0 && own.passed >= own.limit;
}

bool RunnerGroup::ended(uint32_t runner) const {
  return state_->members[runner]->over;
}

bool RunnerGroup::sleeps(uint32_t runner) const {
  const Member& member = *state_->members[runner];
  if (!member.container || member.over) return false;
  const int container = member.container->process();
  // One that has not come to start its command is on its way.
  return !children_of(container).empty() && threads_sleep(container) && all_sleep_below(container);
}

ProcessEnd RunnerGroup::end(uint32_t runner) const {
  const Member& member = *state_->members[runner];
  return member.killed ? ProcessEnd(TimedOut{}) : member.run->outcome.end;
}

void RunnerGroup::kill(uint32_t runner) {
  Member& member = *state_->members[runner];
  if (!member.container || member.over) return;
  member.container->signal(SIGTERM);  // at which it kills all below it
  member.container->wait(kKillWait);
  member.over = true;
  member.killed = true;
}

uint64_t RunnerGroup::next_record() const {
  return __atomic_load_n(&state_->trace->header().next_sequence, __ATOMIC_ACQUIRE);
}

void RunnerGroup::wait(std::chrono::milliseconds limit) {
  std::vector<pollfd> wanted;
  recording::Run& first = *state_->members[0]->run;
  if (state_->more_output) wanted.push_back({first.output.read_end.get(), POLLIN, 0});
  for (const std::unique_ptr<Member>& member : state_->members) {
    if (member->container && !member->over)
      wanted.push_back({member->container->descriptor(), POLLIN, 0});
  }
  poll(wanted.data(), wanted.size(), static_cast<int>(limit.count()));
  if (state_->more_output) state_->more_output = recording::drain_output(first);
  for (const std::unique_ptr<Member>& member : state_->members) {
    if (!member->container || member->over) continue;
    pollfd one = {member->container->descriptor(), POLLIN, 0};
    if (poll(&one, 1, 0) != 1) continue;
    member->container->wait(kKillWait);
    member->over = true;
    recording::drain_report(*member->run);
  }
}

Status RunnerGroup::finish() {
  for (uint32_t i = 0; i < format::kRunnersMax; ++i) kill(i);
  recording::drain_output(*state_->members[0]->run);
  for (const std::unique_ptr<Member>& member : state_->members) {
    if (!member->container || member->killed) continue;
    if (Status ok = recording::read_report(*member->run); !ok) return ok;
  }
  return state_->trace->seal();
}

}  // namespace everycrash
