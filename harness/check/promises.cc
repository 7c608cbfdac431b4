#include "harness/check/promises.h"

#include <fmt/format.h>
#include <regex.h>

#include <algorithm>
#include <string_view>

#include "harness/check/history.h"

namespace everycrash {

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
  const auto after =
      std::upper_bound(promises_.begin(), promises_.end(), printed_bytes,
                       [](size_t bytes, const Print& print) { return bytes < print.bytes; });
  return after == promises_.begin() ? 0 : std::prev(after)->sequence;
}

std::string Promises::when(const History& history, size_t printed_bytes) const {
  if (at_exit_) return "after the run had ended with success";
  const auto after =
      std::upper_bound(promises_.begin(), promises_.end(), printed_bytes,
                       [](size_t bytes, const Print& print) { return bytes < print.bytes; });
  if (after == promises_.begin()) return "";
  std::string_view text(history.printed().data(), std::prev(after)->bytes);
  while (text.ends_with('\n')) text.remove_suffix(1);
  constexpr size_t kShown = 80;
  return fmt::format("after \"{}\" was printed",
                     text.substr(text.rfind('\n') + 1).substr(0, kShown));
}

}  // namespace everycrash
