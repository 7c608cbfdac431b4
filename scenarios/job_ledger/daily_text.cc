#include "scenarios/job_ledger/daily_text.h"

#include <chrono>
#include <cstdint>
#include <cstdio>

namespace scenarios::job_ledger {
namespace {

constexpr std::string_view kHeading = "# ";
constexpr std::string_view kEnd = "\n-- the end --\n";
constexpr uint64_t kLongDayOneIn = 2;

uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash ^ (hash >> 31);
}

}  // namespace

std::string day_name(int number) {
  using std::chrono::days;
  using std::chrono::sys_days;
  using std::chrono::year;
  const std::chrono::year_month_day day =
      sys_days(year(2026) / std::chrono::January / 1) + days(number - 1);
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text;
}

std::string draft_text(const std::string& day) {
  const int facts = hash_of(day) % kLongDayOneIn == 0 ? 150 : 5;
  std::string text = std::string(kHeading) + day + "\n";
  for (int fact = 1; fact <= facts; ++fact) {
    text += "fact " + std::to_string(fact) + " of " + day + ": " +
            std::to_string(hash_of(day + std::to_string(fact)) % 100000) + "\n";
  }
  return text + std::string(kEnd);
}

Expected<std::string> post_text(std::string_view draft) {
  const auto day = day_of(draft);
  if (!day) return tl::unexpected(day.error());
  std::string text = std::string(kHeading) + *day + "\n\nThe news of " + *day + ".\n";
  const size_t facts_start = draft.find('\n') + 1;
  return text + std::string(draft.substr(facts_start));
}

std::string entry_text(const std::string& day) {
  return std::string(kHeading) + day + "\n\nPublished." + std::string(kEnd);
}

Expected<std::string> day_of(std::string_view text) {
  if (!text.starts_with(kHeading) || !text.ends_with(kEnd)) {
    return failed("a text of " + std::to_string(text.size()) + " bytes that is not whole");
  }
  return std::string(text.substr(kHeading.size(), text.find('\n') - kHeading.size()));
}

}  // namespace scenarios::job_ledger
