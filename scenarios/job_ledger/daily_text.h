// The days, and the one right content of every file that the job makes for them. Pure.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/common/failure.h"

namespace scenarios::job_ledger {

/// "2026-01-01" for number 1; "2026-01-02" for number 2.
[[nodiscard]] std::string day_name(int number);

/// The facts of a day; of some days they are longer than a page (4096 bytes).
[[nodiscard]] std::string draft_text(const std::string& day);
/// What is published: made of the draft, and nothing else. Fails if that is not whole.
[[nodiscard]] Expected<std::string> post_text(std::string_view draft);
/// What done/DAY.md holds.
[[nodiscard]] std::string entry_text(const std::string& day);

/// The day that a draft or post says it is about; fails if the text is not whole.
[[nodiscard]] Expected<std::string> day_of(std::string_view text);

}  // namespace scenarios::job_ledger
