// Where in the source a finding is to be shown, and under which rule: what the formats for machines
// (SARIF, annotations, JUnit) have in common. Pure functions, thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/result.h"

namespace everycrash::reports {

/// A line of source. `file` is relative to the root that was given where it lies below it.
struct Place {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;  ///< 0 = not known
  bool operator==(const Place&) const = default;
};

/// The line that somebody has to look at first: of the operation that was lost, or that opened the
/// time in which a crash does harm, or at which the crash came. Nothing where no stack of the
/// finding has a source line that belongs to the program (system headers do not).
[[nodiscard]] std::optional<Place> place_of(const ResultDocument& document, const Finding& finding,
                                            std::string_view root);

/// The line of the first frame of STACK to show, as place_of().
[[nodiscard]] std::optional<Place> place_of_stack(const ResultDocument& document, StackIndex stack,
                                                  std::string_view root);

/// "kill/half-file": what was broken by which kind of crash. Stable over runs and versions.
[[nodiscard]] std::string rule_of(const Finding& finding);

/// What rule_of() means, in a sentence.
[[nodiscard]] std::string describe_rule(const Finding& finding);

/// The sentence for a person who sees only one line: cause, crash, where.
[[nodiscard]] std::string sentence_of(const Finding& finding);

/// "everycrash: 2 findings, 1 known, in 310 states at 34 crash points": the whole run in a line.
[[nodiscard]] std::string headline_of(const ResultDocument& document);

/// "power, ext4", or "kill".
[[nodiscard]] std::string name_of(const Coverage& coverage);

/// The workload as a short name: its program without folders.
[[nodiscard]] std::string workload_name(const ResultDocument& document);

}  // namespace everycrash::reports
