#include "harness/explain/kill_window.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <vector>

#include "harness/explore/point_names.h"
#include "harness/trace/event.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

bool brings(const Operation* operation, std::string_view effect) {
  if (operation == nullptr) return false;
  for (const Event& event : parse_events(operation->events)) {
    if (fmt::format("{} {}", event.kind, event.key) == effect) return true;
  }
  return false;
}

KillWindow window_of_effect(const Trace& trace, const HarmEnds& ends) {
  if (ends.effect_fault == EffectFault::kLoss) {
    return brings(trace.find(ends.closer), ends.path) ? KillWindow::kRecordBeforeEffect
                                                      : KillWindow::kEffectLost;
  }
  return brings(trace.find(ends.opener), ends.path) ? KillWindow::kEffectBeforeRecord
                                                    : KillWindow::kEffectTwice;
}

/// True if what closes the window of harm is about the file that what opens it is about; also where
/// nothing is known to close it.
bool is_about_one_file(const Operation& opener, const Operation* closer) {
  if (closer == nullptr || (opener.inode != 0 && opener.inode == closer->inode)) return true;
  const std::string_view path = point_path(opener);
  return path == closer->path || path == closer->other_path;
}

bool is_there_between(const Operation& opener, const Operation* closer) {
  const std::string_view made = name_made_by(opener);
  return closer != nullptr && !made.empty() && made == name_taken_by(*closer);
}

/// Where the ends alone are known.
KillWindow window_of_ends(const Operation& opener, const Operation* closer) {
  if (closer == nullptr) return KillWindow::kAfter;
  if (is_there_between(opener, closer)) return KillWindow::kExists;
  const bool removed = opener.kind == Kind::kWrite && opener.path == name_taken_by(*closer);
  return removed ? KillWindow::kUntilRemoved : KillWindow::kBetween;
}

/// True if CLOSER goes on with writing the file that OPENER wrote to.
bool goes_on_writing(const Operation& opener, const Operation* closer) {
  if (closer == nullptr) return true;
  return changes_content(closer->kind) && is_about_one_file(opener, closer);
}

/// True if what is wrong is, as far as it is known, the content of the file of OPENER: the
/// complaint is not about another one, and neither are attributes what sets it right.
bool is_about_content(const HarmEnds& ends, const Operation& opener, const Operation* closer) {
  const bool by_attributes = closer != nullptr && changes_attributes(closer->kind);
  return (ends.path.empty() || ends.path == point_path(opener)) && !by_attributes;
}

/// True if WRITE is one to a file that was opened to be appended to: a log is never whole.
bool appends(const Trace& trace, const Operation& write) {
  const auto& records = trace.records();
  for (auto at = records.rbegin(); at != records.rend(); ++at) {
    if (at->sequence > write.sequence || at->kind != Kind::kOpen || at->failed()) continue;
    if (at->inode == write.inode && at->process == write.process) {
      return (at->open_flags & O_APPEND) != 0;
    }
  }
  return false;
}

/// Of a window that a whole write or a part of one opens.
KillWindow window_of_write(const Trace& trace, const HarmEnds& ends, const Operation& opener,
                           const Operation* closer) {
  if (ends.judge == Judge::kHalfFile) return KillWindow::kPartlyWritten;
  const bool whole = !ends.cut;
  if (whole && !goes_on_writing(opener, closer)) return window_of_ends(opener, closer);
  if (!appends(trace, opener)) return KillWindow::kPartlyWritten;
  return whole ? window_of_ends(opener, closer) : KillWindow::kWithinAppend;
}

KillWindow window_of_event(const Operation& opener) {
  const std::vector<Event> events = parse_events(opener.payload);
  return !events.empty() && events.back().is_effect() ? KillWindow::kUnrecordedEffect
                                                      : KillWindow::kAfterStep;
}

}  // namespace

KillWindow window_between(const Trace& trace, const HarmEnds& ends) {
  if (ends.judge == Judge::kExactlyOnce) return window_of_effect(trace, ends);
  const Operation* opener = trace.find(ends.opener);
  if (opener == nullptr) return KillWindow::kFromTheStart;
  const Operation* closer = trace.find(ends.closer);
  if (ends.judge == Judge::kNoLeftovers && !ends.path.empty() &&
      ends.path == name_made_by(*opener)) {
    return KillWindow::kStaysBehind;
  }
  if (is_there_between(*opener, closer)) return KillWindow::kExists;
  const bool one_file = ends.judge == Judge::kHalfFile || is_about_one_file(*opener, closer);
  const bool about_content = is_about_content(ends, *opener, closer);
  switch (opener->kind) {
    case Kind::kOpen:
      if (!about_content || (!one_file && opener->has(format::kCreated))) {
        return window_of_ends(*opener, closer);
      }
      return opener->has(format::kTruncated) && !opener->has(format::kCreated)
                 ? KillWindow::kEmptied
                 : KillWindow::kBeforeContent;
    case Kind::kTruncate:
      return about_content && (ends.judge == Judge::kHalfFile || goes_on_writing(*opener, closer))
                 ? KillWindow::kCut
                 : window_of_ends(*opener, closer);
    case Kind::kWrite:
    case Kind::kMapWrite:
      return window_of_write(trace, ends, *opener, closer);
    case Kind::kUnlink:
    case Kind::kRemoveDirectory:
      return one_file ? KillWindow::kRemoved : window_of_ends(*opener, closer);
    case Kind::kPrint:
      return KillWindow::kPromiseBeforeRecord;
    case Kind::kEvent:
      return window_of_event(*opener);
    default:
      return window_of_ends(*opener, closer);
  }
}

}  // namespace everycrash
