#include "harness/cli/document/bounds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/text.h"

namespace everycrash::cli {
namespace {

std::string words(const InOrder& bound) {
  if (bound.interrupted) return "until it was interrupted, in the order of the run";
  return fmt::format("the first {} in the order of the run",
                     bound.what == InOrder::What::kStates ? "states" : "calls");
}

std::string words(const PowerBound& bound) {
  const PowerCoverage& coverage = bound.coverage;
  if (coverage.exhaustive()) return "every state that the model allows";
  std::string text = fmt::format(
      "{} of {} windows exhaustive; in the others every set that loses or keeps at most "
      "{} "
      "unit{} against a prefix, pairs, and {} random ones from seed {}",
      coverage.exhausted, coverage.windows, bound.bounds.depth, bound.bounds.depth == 1 ? "" : "s",
      bound.bounds.random_sets, bound.bounds.seed);
  if (coverage.cut > 0) {
    text += fmt::format("; cut short at {} sets a round in {} rounds of large windows",
                        bound.bounds.window_limit, coverage.cut);
  }
  if (!coverage.finished && coverage.distinct >= bound.states_max) {
    text += fmt::format("; ended after {} states", coverage.distinct);
  } else if (!coverage.finished) {
    text += "; ended before that by the budget";
  }
  return text;
}

std::string words(const SomeFullDisks& bound) {
  return fmt::format("the disk becomes full at {} of {} writes", bound.tried, bound.writes);
}

std::string words(const NeverMet& bound) {
  return words_for(bound);
}

std::string words(const NotBegun&) {
  return "not begun after the first finding";
}

std::string words(const UnseenClock& bound) {
  return fmt::format("{} asks the kernel for the time, without libc", bound.program);
}

std::string words(const Recoveries& bound) {
  return fmt::format("{} recoveries crashed, {} states that one crash does not leave",
                     bound.crashed, bound.new_states);
}

std::string words(const OfEachRecovery& bound) {
  return "of each recovery " +
         std::visit([](const auto& each) { return words(each); }, bound.bound);
}

std::string words(const DeeperChains& bound) {
  return fmt::format(
      "{} crashes in a row (--again-depth), which leave {} states that recovery was "
      "not crashed on",
      bound.crashes, bound.states);
}

std::string words(const NotRecovered& bound) {
  return fmt::format("{} states not recovered from, for want of time", bound.states);
}

std::string words(const Orders& bound) {
  std::string text = fmt::format("{} of {} orders with one preemption", bound.one, bound.one_of);
  if (bound.two_of > 0) text += fmt::format(", {} of {} with two", bound.two, bound.two_of);
  if (bound.crashes_left > 0) {
    text += fmt::format(", none after {} that left a lock",
                        reports::counted(bound.crashes_left, "crash"));
  }
  return text;
}

std::string words(const DiskContents& bound) {
  return fmt::format("{} schedules of background writes, at most {} disk contents each; {} trees",
                     bound.schedules, bound.images, bound.trees);
}

std::string words(const RandomRounds& bound) {
  return fmt::format("{} random rounds from seed {}", bound.rounds, bound.seed);
}

std::string words(const UnjudgedState& gap) {
  return gap.reason;
}

std::string words(const MoreReasons& gap) {
  return fmt::format("and {} more reasons like these", gap.count);
}

std::string words(const StoresBetweenCalls& gap) {
  const std::string others = gap.more == 0 ? "" : fmt::format(" and {} more", gap.more);
  return fmt::format(
      "kills between two stores into {}{}: what was changed through a mapping between "
      "two system calls is taken as one step, since its order is not known",
      gap.path, others);
}

std::string words(const StartsByUnseenClock& gap) {
  return fmt::format(
      "starts with the clock {}: {} looks up the kernel's clock (vDSO) itself, not through libc, "
      "and would be told the real time",
      gap.clock, gap.program);
}

std::string words(const RealRefused& gap) {
  return fmt::format("real {}: {}", gap.file_system, gap.why);
}

std::string words(const PartsLeftOut& gap) {
  std::vector<std::string> names;
  for (const PartsLeftOut::Part& part : gap.parts) {
    names.push_back(
        fmt::format("{}{}{}", name_of(part.crash), part.under.empty() ? "" : " ", part.under));
  }
  return fmt::format("--fail-fast: {} {} not explored after the first finding",
                     fmt::join(names, ", "), names.size() == 1 ? "was" : "were");
}

std::string words(const RejectedBeforeRecovery& gap) {
  return fmt::format(
      "again: {} states fail for what one crash shows already, so no second one was "
      "tried there (--crash kill,power names them)",
      gap.states);
}

std::string words(const FailedRecoveries& gap) {
  return fmt::format("again: {} recoveries did not succeed and were not crashed", gap.count);
}

std::string words(const FailedRecovery& gap) {
  return fmt::format("recovery after {}: {}", gap.point, gap.why);
}

std::string words(const UnusableStart& gap) {
  return fmt::format("two runners after a crash that left {}: {}", gap.lock, gap.why);
}

std::string words(const VariesSerially& gap) {
  return fmt::format("serial: {} is not the same each time; give a checker", gap.path);
}

std::string words(const UnjudgedOrder& gap) {
  return "two runners: " + gap.reason;
}

std::string words(const WaitsForKilled&) {
  return "two runners, of which the first is killed: the second has not ended, as if it waited for "
         "the first; orders of this kind were not tried any more";
}

std::string words(const SandboxLimits& limitation) {
  return limitation.explanation;
}

std::string words(const SharedProcesses& limitation) {
  return fmt::format(
      "{} names the PID namespace that the workload ran in: what runs on a state runs in it too, "
      "among the processes of this machine",
      limitation.lock);
}

std::string words(const OneNetwork&) {
  return "no network of its own can be had for each worker, so there is one worker only, which "
         "shares the sink on this machine's loopback";
}

std::string words(const NoMemoryFileSystem& limitation) {
  return fmt::format(
      "no memory file system can be written: states are built in {}, "
      "more slowly",
      limitation.folder);
}

std::string words(const OneFaultedRunAtATime& limitation) {
  using Why = OneFaultedRunAtATime::Why;
  const auto why = [&]() -> std::string {
    switch (limitation.why) {
      case Why::kSinkListens:
        return "the sink listens there";
      case Why::kFails:
        return "without it the workload fails";
      case Why::kOtherEffects:
        return "without it the workload does not have the same effects";
      case Why::kNotAllowed:
        return limitation.refusal;
    }
    return "";
  };
  return fmt::format(
      "runs with failing calls are made one after the other, in the network of this machine ({})",
      why());
}

}  // namespace

std::string words_for(const std::vector<Bound>& bounds) {
  std::string text;
  for (const Bound& bound : bounds) {
    text += text.empty() ? "" : "; ";
    text += std::visit([](const auto& each) { return words(each); }, bound);
  }
  return text;
}

std::string words_for(const Gap& gap) {
  return std::visit([](const auto& each) { return words(each); }, gap);
}

std::string words_for(const Limitation& limitation) {
  return std::visit([](const auto& each) { return words(each); }, limitation);
}

std::string words_for(const NeverMet& never) {
  constexpr size_t kShown = 3;
  const size_t shown = std::min(kShown, never.paths.size());
  std::string names =
      fmt::format("{}", fmt::join(never.paths.begin(),
                                  never.paths.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (never.paths.size() > kShown) {
    names += fmt::format(" and {} more", never.paths.size() - kShown);
  }
  return fmt::format("no call on {} could be made to fail: other runs do not call it so", names);
}

}  // namespace everycrash::cli
