#include "harness/check/oracles.h"

#include <fmt/format.h>
#include <regex.h>

#include <algorithm>

#include "harness/check/half_file.h"
#include "harness/check/spare_copy.h"

namespace everycrash {
std::vector<HalfFile> find_half_files(const History& history, const FileSystem& state,
                                      uint64_t record, const IgnoreGlobs& ignore) {
  std::vector<HalfFile> found;
  for (const auto& [path, name] : history.judged()) {
    const std::optional<Content> content = content_at(state, path);
    const bool good = content ? name.latest(content).has_value() : name.absence_allowed;
    if (good || is_ignored(path, ignore) || is_spared_by_original(path, history, state)) continue;
    HalfFile half;
    half.complaint = {Judge::kHalfFile, Verdict::kViolated, path,
                      half_file_message(history, path, name, state)};
    const bool finished = std::any_of(
        name.versions.begin(), name.versions.end(),
        [&](const Version& version) { return version.content && version.finished <= record; });
    half.never_finished = name.absent_first && !finished;
    found.push_back(std::move(half));
  }
  return found;
}

Result<Promises> Promises::find(const History& history, const Acknowledgement& acknowledgement) {
  using What = Acknowledgement::What;
  Promises promises;
  if (acknowledgement.what == What::kEveryPrint) promises.promises_ = history.prints();
  if (acknowledgement.what == What::kExit) {
    promises.at_exit_ = true;
    promises.promises_ = {{history.printed().size(), history.end()}};
  }
  if (acknowledgement.what != What::kMatchingLines) return promises;

  regex_t pattern;
  const int wrong = regcomp(&pattern, acknowledgement.pattern.c_str(), REG_EXTENDED | REG_NOSUB);
  if (wrong != 0) {
    char why[256];
    regerror(wrong, &pattern, why, sizeof why);
    return fail(ErrorKind::kUsage, fmt::format("--ack: '{}' is no regular expression: {}",
                                               acknowledgement.pattern, why));
  }
  const std::string& text = history.printed();
  auto print = history.prints().begin();
  for (size_t start = 0, end; (end = text.find('\n', start)) != std::string::npos;
       start = end + 1) {
    while (print->bytes < end + 1) ++print;
    if (regexec(&pattern, text.substr(start, end - start).c_str(), 0, nullptr, 0) == 0) {
      promises.promises_.push_back({end + 1, print->sequence});
    }
  }
  regfree(&pattern);
  return promises;
}

uint64_t Promises::last(uint64_t record, size_t printed_bytes) const {
  if (at_exit_) return record >= promises_.front().sequence ? promises_.front().sequence : 0;
  const auto after = std::upper_bound(
      promises_.begin(), promises_.end(), printed_bytes,
      [](size_t bytes, const History::Print& print) { return bytes < print.bytes; });
  return after == promises_.begin() ? 0 : std::prev(after)->sequence;
}

std::string Promises::when(const History& history, size_t printed_bytes) const {
  if (at_exit_) return "after the run had ended with success";
  const auto after = std::upper_bound(
      promises_.begin(), promises_.end(), printed_bytes,
      [](size_t bytes, const History::Print& print) { return bytes < print.bytes; });
  if (after == promises_.begin()) return "";
  std::string_view text(history.printed().data(), std::prev(after)->bytes);
  while (text.ends_with('\n')) text.remove_suffix(1);
  constexpr size_t kShown = 80;
  return fmt::format("after \"{}\" was printed",
                     text.substr(text.rfind('\n') + 1).substr(0, kShown));
}

std::vector<Complaint> find_broken_promises(const History& history, const Promises& promises,
                                            const FileSystem& state, uint64_t record,
                                            size_t printed_bytes, const IgnoreGlobs& ignore) {
  std::vector<Complaint> complaints;
  const uint64_t promised_at = promises.last(record, printed_bytes);
  if (promised_at == 0) return complaints;
  for (const auto& [path, name] : history.judged()) {
    const auto after = std::upper_bound(
        name.versions.begin(), name.versions.end(), promised_at,
        [](uint64_t sequence, const Version& version) { return sequence < version.since; });
    const auto promised = static_cast<size_t>(after - name.versions.begin());  // index + 1
    const std::optional<Content> content = content_at(state, path);
    const std::optional<size_t> latest = content ? name.latest(content) : name.settled_absence;
    const bool was_there = promised > 0 && name.versions[promised - 1].content.has_value();
    const bool older = latest ? *latest + 1 < promised : !content && was_there;
    if (!older || is_ignored(path, ignore) || is_spared_by_original(path, history, state)) continue;
    std::string message =
        fmt::format("{} {} {}", path, content ? "is back at an older version" : "is gone",
                    promises.when(history, printed_bytes));
    const std::string beside = version_beside(history, path, name, state);
    if (!beside.empty()) message += fmt::format("; {}, whole", beside);
    complaints.push_back({Judge::kAcknowledged, Verdict::kViolated, path, std::move(message)});
  }
  return complaints;
}

}  // namespace everycrash
