#include "harness/inject/two_runners.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "harness/base/file.h"

namespace everycrash {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kStep{1};
constexpr int64_t kDaySeconds = 24 * 3600;

uint32_t other(uint32_t runner) {
  return 1 - runner;
}

/// Tells who waits for the other from who computes. A runner waits by sleeping until it is woken,
/// or by looking again and again: it tries an operation that fails, asks for a lock, or reads a
/// file. To take a slow one for a waiting one does no harm: the order that follows is another one,
/// but no impossible one.
class Patience {
 public:
  Patience(const RunnerGroup& group, uint32_t runner) : group_(group), runner_(runner) { forget(); }

  /// Looks at the runner, about every millisecond.
  [[nodiscard]] bool is_over() {
    if (group_.changed(runner_) != changed_) forget();
    const Clock::time_point now = Clock::now();
    const bool sleeps = group_.sleeps(runner_);
    ++looks_;
    if (!sleeps) {
      ++awake_;
      awake_at_ = now;
    }
    const uint64_t tries = group_.passed(runner_) - passed_;
    const bool mostly_sleeps = 2 * awake_ < looks_;
    if (now - awake_at_ >= kSleeping) return true;
    if (mostly_sleeps && now - since_ >= (tries >= 2 ? kSleeping : kNapping)) return true;
    return tries >= kTriesOfSpinning && now - since_ >= kSpinning;
  }

 private:
  static constexpr milliseconds kSleeping{50};
  static constexpr milliseconds kNapping{250};
  static constexpr milliseconds kSpinning{1000};
  static constexpr uint64_t kTriesOfSpinning = 10;

  void forget() {
    changed_ = group_.changed(runner_);
    passed_ = group_.passed(runner_);
    since_ = awake_at_ = Clock::now();
    looks_ = awake_ = 0;
  }

  const RunnerGroup& group_;
  uint32_t runner_;
  uint64_t changed_ = 0, passed_ = 0;
  uint64_t looks_ = 0, awake_ = 0;  // since then
  Clock::time_point since_, awake_at_;
};

}  // namespace

Result<std::unique_ptr<TwoRunners>> TwoRunners::create(RecordOptions options,
                                                       std::filesystem::path folder) {
  Result<std::unique_ptr<RunPlace>> place = RunPlace::create(std::move(options), std::move(folder));
  if (!place) return tl::unexpected(place.error());
  return std::unique_ptr<TwoRunners>(new TwoRunners(std::move(*place)));
}

void TwoRunners::start_from(const FileSystem& tree, std::string printed, std::string events,
                            bool old) {
  start_ = tree;
  printed_ = std::move(printed);
  events_ = std::move(events);
  old_ = old;
}

Status TwoRunners::make_old() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  const timespec then[2] = {{now.tv_sec - kDaySeconds, 0}, {now.tv_sec - kDaySeconds, 0}};
  for (const auto& [path, node] : start_->paths()) {
    if (start_->node(node).attributes->times) continue;  // the workload's own
    const std::string file = (place_->options().state_directory / path).string();
    if (utimensat(AT_FDCWD, file.c_str(), then, AT_SYMLINK_NOFOLLOW) != 0)
      return system_error("cannot set the time of " + file, errno);
  }
  return {};
}

Status TwoRunners::prepare() {
  EVERYCRASH_ASSERT(start_.has_value());
  Status done = restore(*start_);
  return done && old_ ? make_old() : done;
}

bool TwoRunners::is_late() const {
  return Clock::now() >= deadline_;
}

Result<PairRun> TwoRunners::run(const TurnSchedule& schedule) {
  if (Status ok = prepare(); !ok) return tl::unexpected(ok.error());
  PairRun run{.trace_file = place_->begin_trace()};
  deadline_ = Clock::now() + place_->options().timeout;
  Result<std::unique_ptr<RunnerGroup>> group = RunnerGroup::create(place_->options());
  if (!group) return tl::unexpected(group.error());
  Status done = take_turns(**group, schedule, run);
  if (done) done = let_all_end(**group, run);
  if (!done) return tl::unexpected(done.error());
  if (Status ok = (*group)->finish(); !ok) return tl::unexpected(ok.error());
  for (uint32_t i = 0; i < 2; ++i) {
    run.ends[i] = (*group)->end(i);
    run.operations[i] = (*group)->passed(i);
  }
  return run;
}

Status TwoRunners::take_turns(RunnerGroup& group, const TurnSchedule& schedule, PairRun& run) {
  for (const Turn& turn : schedule.turns) {
    if (schedule.kill_first && turn.runner == 0 && group.started(0) && !group.ended(0)) {
      run.turns.push_back({.runner = 0,
                           .stop = TurnTaken::Stop::kKilled,
                           .first_record = group.next_record(),
                           .next_record = group.next_record()});
      group.kill(0);
      continue;
    }
    if (!group.started(turn.runner)) {
      if (Status ok = start(group, turn.runner); !ok) return ok;
    }
    if (group.ended(turn.runner)) continue;
    Result<TurnTaken> taken = take_turn(group, turn);
    if (!taken) return tl::unexpected(taken.error());
    run.turns.push_back(*taken);
    if (is_late()) return {};
  }
  return {};
}

/// A receiver outside knows what has been done by the time at which somebody comes.
Status TwoRunners::start(RunnerGroup& group, uint32_t runner) {
  group.wait(milliseconds(0));  // moves what was printed
  const std::filesystem::path& files = place_->options().work_directory;
  const Status done = place_->tell(printed_ + read_file(files / "stdout").value_or(""),
                                   events_ + read_file(files / "events").value_or(""));
  return done ? group.start(runner) : done;
}

/// Until the runner stands, ends, or waits for the other.
Result<TurnTaken> TwoRunners::take_turn(RunnerGroup& group, const Turn& turn) {
  using Stop = TurnTaken::Stop;
  TurnTaken taken{.runner = turn.runner, .first_record = group.next_record()};
  group.let(turn.runner, turn.until);
  Patience patience(group, turn.runner);
  for (;;) {
    group.wait(kStep);
    if (place_->options().interrupted != nullptr && *place_->options().interrupted)
      return fail(ErrorKind::kInterrupted, "interrupted");
    taken.stop = Stop::kStands;
    if (group.ended(turn.runner)) taken.stop = Stop::kEnded;
    if (group.ended(turn.runner) || group.stands(turn.runner)) break;
    taken.stop = Stop::kWaits;
    const bool may_wait = group.started(other(turn.runner)) && !group.ended(other(turn.runner));
    if ((patience.is_over() && may_wait) || is_late()) break;
  }
  if (taken.stop == Stop::kWaits) group.hold(turn.runner);
  taken.next_record = group.next_record();
  return taken;
}

/// Whoever is left goes on; the turn changes where one waits for the other.
Status TwoRunners::let_all_end(RunnerGroup& group, PairRun& run) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (group.started(i)) continue;
    if (Status ok = start(group, i); !ok) return ok;
  }
  uint32_t turn = group.ended(0) ? 1 : 0;
  while (!group.ended(0) || !group.ended(1)) {
    if (is_late()) {
      run.unusable = fmt::format("the two runners had not ended after {} s",
                                 place_->options().timeout.count() / 1000);
      return {};
    }
    Result<TurnTaken> taken = take_turn(group, {.runner = turn});
    if (!taken) return tl::unexpected(taken.error());
    run.turns.push_back(*taken);
    if (!group.ended(other(turn))) turn = other(turn);
  }
  return {};
}

}  // namespace everycrash
