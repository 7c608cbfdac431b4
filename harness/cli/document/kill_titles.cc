#include "harness/cli/document/kill_titles.h"

#include <fmt/format.h>

#include "harness/cli/document/operation_words.h"
#include "harness/explore/point_names.h"
#include "harness/trace/event.h"

namespace everycrash::cli {
namespace {

std::string title_of_effect(const KillCluster& cluster) {
  switch (cluster.window) {
    case KillWindow::kRecordBeforeEffect:
      return fmt::format("The effect {} can get lost: the files record it before it happens",
                         cluster.path);
    case KillWindow::kEffectLost:
      return fmt::format("The effect {} can get lost", cluster.path);
    case KillWindow::kEffectBeforeRecord:
      return fmt::format("The effect {} can happen twice: it happens before the files record it",
                         cluster.path);
    default:
      return fmt::format("The effect {} can happen twice", cluster.path);
  }
}

std::string title_of_event(const Operation& opener) {
  const std::vector<Event> events = parse_events(opener.payload);
  if (events.empty()) return "A crash after the step  is not survived";
  const Event& last = events.back();
  if (!last.is_effect()) return fmt::format("A crash after the step {} is not survived", last.step);
  return fmt::format("The effect {} {} happens before the files record it", last.kind, last.key);
}

std::string title_of_promise(const Trace& trace, const Operation& print, const Operation* closer) {
  const std::string line = quoted_line(trace, print);
  return fmt::format("{} is acknowledged before {}", line.empty() ? "A result" : line,
                     closer == nullptr ? "it is in the files" : edge_of(*closer, true));
}

std::string title_of_ends(const Operation& opener, const Operation& closer) {
  const std::string first = call_of(opener);
  const std::string last = tells(closer.kind) ? edge_of(closer, false) : call_of(closer);
  return fmt::format("A crash between {} and {} is not survived", first,
                     first == last ? "the next one" : last);
}

/// Of a window that an operation on a file opens.
std::string title_of_file(const KillCluster& cluster, const Operation& opener,
                          const Operation* closer) {
  const std::string file = shown_path(point_path(opener));
  switch (cluster.window) {
    case KillWindow::kStaysBehind:
      return fmt::format("{} stays behind after a crash", shown_path(cluster.path));
    case KillWindow::kExists:
      return fmt::format("A crash while {} exists is not survived", closer->path);
    case KillWindow::kBeforeContent:
      return fmt::format("{} exists before its content is written", file);
    case KillWindow::kEmptied:
      return fmt::format("{} is emptied before its new content is written", file);
    case KillWindow::kCut:
      return fmt::format("{} is cut before its new content is written", file);
    case KillWindow::kPartlyWritten:
      return fmt::format("{} is only partly written", file);
    case KillWindow::kWithinAppend:
      return fmt::format("A crash within {} is not survived", call_of(opener));
    case KillWindow::kUntilRemoved:
      return fmt::format("A crash once {} is written, until it is removed, is not survived",
                         opener.path);
    case KillWindow::kRemoved:
      return fmt::format("{} is removed before its successor is there", file);
    case KillWindow::kBetween:
      return title_of_ends(opener, *closer);
    default:
      return fmt::format("A crash right after {} is not survived", describe(opener));
  }
}

}  // namespace

std::string title_of(const Trace& trace, const KillCluster& cluster) {
  const Operation* opener = trace.find(cluster.opener);
  const Operation* closer = trace.find(cluster.closer);
  switch (cluster.window) {
    case KillWindow::kFromTheStart:
      return "The state before the first operation is not accepted";
    case KillWindow::kEffectTwice:
    case KillWindow::kEffectBeforeRecord:
    case KillWindow::kEffectLost:
    case KillWindow::kRecordBeforeEffect:
      return title_of_effect(cluster);
    case KillWindow::kUnrecordedEffect:
    case KillWindow::kAfterStep:
      return title_of_event(*opener);
    case KillWindow::kPromiseBeforeRecord:
      return title_of_promise(trace, *opener, closer);
    default:
      return title_of_file(cluster, *opener, closer);
  }
}

std::string time_of_fault(const Trace& trace, const KillCluster& cluster) {
  if (cluster.judge != Judge::kExactlyOnce) return "";
  const Operation* opener = trace.find(cluster.opener);
  const Operation* closer = trace.find(cluster.closer);
  const bool lost = cluster.window == KillWindow::kEffectLost ||
                    cluster.window == KillWindow::kRecordBeforeEffect;
  if (opener == nullptr && closer == nullptr) return "";
  if (opener == nullptr) return fmt::format("before {}", edge_of(*closer, !lost));
  const std::string from = edge_of(*opener, lost);
  if (closer == nullptr) return fmt::format("after {}", from);
  return fmt::format("between {} and {}", from, edge_of(*closer, !lost));
}

}  // namespace everycrash::cli
