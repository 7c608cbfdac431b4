#include "harness/cli/document/power_titles.h"

#include <fmt/format.h>

#include <set>

#include "harness/cli/document/operation_words.h"
#include "harness/model/unit.h"
#include "harness/trace/trace.h"

namespace everycrash::cli {
namespace {

/// What ROOT lost, with the rest of the same write.
std::string words_of_root(const Trace& trace, const UnitHistory& history, UnitId root,
                          const std::vector<UnitId>& lost) {
  const Unit& unit = history.unit(root);
  if (!is_content(unit.kind)) return history.describe(root, trace);
  const std::optional<LostBytes> bytes = lost_bytes_of(history, root, lost);
  if (!bytes) return history.describe(root, trace);
  const int64_t count = bytes->end - bytes->begin;
  return fmt::format("{} {} written to {}{}", count, count == 1 ? "byte" : "bytes",
                     trace.find(unit.record)->path,
                     bytes->begin == 0 ? "" : fmt::format(" at {}", bytes->begin));
}

/// "the 3 bytes written to a and 2 more changes".
std::string words_of_lost(const Trace& trace, const UnitHistory& history, const PowerCause& cause) {
  std::string lost = words_of_root(trace, history, cause.roots.front(), cause.lost);
  if (!lost.starts_with("the ")) lost = "the " + lost;
  std::set<uint64_t> records;
  for (const UnitId root : cause.roots) records.insert(history.unit(root).record);
  if (records.size() > 1) {
    lost += fmt::format(" and {} more {}", records.size() - 1,
                        records.size() == 2 ? "change" : "changes");
  }
  return lost;
}

std::string words_of_kept(const Trace& trace, const UnitHistory& history, const PowerCause& cause) {
  const Operation& kept = *trace.find(cause.kept_record);
  if (cause.kept_unit == kNoUnit) return describe(kept);
  if (is_content(history.unit(cause.kept_unit).kind)) {
    return fmt::format("the write to {}", kept.path);
  }
  return history.describe(cause.kept_unit, trace);
}

/// Where a part of one operation is on disk, and LOST, another part of it, is not.
std::string words_of_torn(const Trace& trace, const UnitHistory& history, const PowerCause& cause,
                          const std::string& lost) {
  const Operation& operation = *trace.find(cause.kept_record);
  const std::optional<TornSize> torn = torn_size_of(history, cause);
  if (!torn)
    return fmt::format("a part of {} reached the disk, {} did not", describe(operation), lost);
  std::string what = lost;
  if (torn->lost == torn->size) {
    what = "its data";
  } else if (torn->lost > 0 && torn->first_lost + torn->lost == torn->size) {
    what = fmt::format("its last {} {}", torn->lost, torn->lost == 1 ? "byte" : "bytes");
  }
  return fmt::format("the size of {}, {} {}, reached the disk, {} did not", operation.path,
                     torn->size, torn->size == 1 ? "byte" : "bytes", what);
}

std::string sentence(const Trace& trace, const UnitHistory& history, const PowerCause& cause) {
  const Operation* kept = trace.find(cause.kept_record);
  switch (cause.harm) {
    case PowerHarm::kFromTheStart:
      return "it fails from the beginning, with nothing lost";
    case PowerHarm::kNothingLost:
      return fmt::format("after {} it fails with nothing lost", describe(*kept));
    default:
      break;
  }
  const std::string lost = words_of_lost(trace, history, cause);
  switch (cause.harm) {
    case PowerHarm::kEnded:
      return fmt::format("the run had ended, but {} had not reached the disk", lost);
    case PowerHarm::kPromised: {
      const std::string line = quoted_line(trace, *kept);
      return fmt::format("{} was printed, but {} had not reached the disk",
                         line.empty() ? "a line" : line, lost);
    }
    case PowerHarm::kEffectDone:
      return fmt::format("{} happened, but {} had not reached the disk", describe_events(*kept),
                         lost);
    case PowerHarm::kTorn:
      return words_of_torn(trace, history, cause, lost);
    case PowerHarm::kReordered:
      return fmt::format("{} reached the disk, {} did not", words_of_kept(trace, history, cause),
                         lost);
    default:
      return fmt::format("{} did not reach the disk", lost);
  }
}

}  // namespace

std::string title_of(const Trace& trace, const UnitHistory& history, const PowerCause& cause) {
  std::string title = sentence(trace, history, cause);
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

}  // namespace everycrash::cli
