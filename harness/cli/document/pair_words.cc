#include "harness/cli/document/pair_words.h"

#include <fmt/format.h>

#include "harness/check/verdict.h"
#include "harness/explore/point_names.h"
#include "harness/inject/two_runners.h"

namespace everycrash::cli {
namespace {

const char* runner_name(uint32_t runner) {
  return runner == 0 ? "first" : "second";
}

std::string end_of(const TurnTaken& turn, const PairRun& run, const std::string& place) {
  switch (turn.stop) {
    case TurnTaken::Stop::kStands:
      return fmt::format("goes on and stands still {}", place);
    case TurnTaken::Stop::kEnded:
      return fmt::format("goes on to its end ({})", describe(run.ends[turn.runner]));
    case TurnTaken::Stop::kWaits:
      return fmt::format("waits for the other {}", place);
    case TurnTaken::Stop::kKilled:
      return fmt::format("is killed where it stands, {}", place);
  }
  return "";
}

}  // namespace

std::string title_of(const PointNames& names, const PairCause& cause, const Complaint& said) {
  if (said.judge == Judge::kExactlyOnce) {
    return fmt::format("Of two runners at once, both do the effect {}", said.path);
  }
  if (cause.undone != 0 && cause.undoes != 0) {
    const std::string& undoes = names.base(cause.undoes);
    const std::string& undone = names.base(cause.undone);
    return fmt::format("Of two runners at once, one does {} over the other's {}", undoes, undone);
  }
  const std::string where =
      cause.stood == 0 ? "before its first operation" : "after " + names.base(cause.stood);
  return fmt::format("{} while another runner stands still {}{}",
                     said.path.empty() ? "A second runner does harm" : said.path + " is broken",
                     where, cause.killed ? ", to be killed there" : "");
}

std::string words_of(const PairPlace& place) {
  std::string words = "before its first operation";
  if (!place.after.empty()) {
    words = fmt::format("{}{}#{}", place.after.starts_with("after:") ? "" : "after ", place.after,
                        place.occurrence);
  }
  if (!place.lock) return words;
  return fmt::format("{}, about to lock {}", words, place.lock->empty() ? "." : *place.lock);
}

std::vector<std::string> schedule_of(const PointNames& names, const Trace& trace,
                                     const PairRun& run) {
  std::vector<std::string> lines;
  for (const TurnTaken& turn : run.turns) {
    const std::string place = words_of(place_of(names, trace, turn.runner, turn.next_record));
    lines.push_back(fmt::format("the {} {}", runner_name(turn.runner), end_of(turn, run, place)));
  }
  return lines;
}

}  // namespace everycrash::cli
