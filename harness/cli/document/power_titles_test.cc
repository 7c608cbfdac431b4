#include "harness/cli/document/power_titles.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/explain/cause_words.h"
#include "harness/model/persistence_model.h"
#include "harness/model/unit.h"
#include "harness/trace/workload_text.h"

namespace everycrash::cli {
namespace {

/// Some units of what one line does: all of them, or those of one kind.
struct Lost {
  uint64_t line;  // from 1
  std::optional<UnitKind> kind = std::nullopt;
};

/// The title where LOST is missing after all LINES, and the line KEPT (0: none) makes it matter.
std::string title(const std::vector<std::string>& lines, const char* model,
                  const std::vector<Lost>& lost, uint64_t kept, bool at_end = false) {
  const Result<Trace> trace = record_text(lines);
  EXPECT_TRUE(trace) << trace.error().message;
  const Result<UnitHistory> history = expand(*trace, **find_model(model), {});
  EXPECT_TRUE(history);
  const uint64_t before = trace->records().size() - lines.size();
  SmallestLoss smallest{
      .point = trace->records().size(), .kept = kept == 0 ? 0 : before + kept, .at_end = at_end};
  for (const Lost& each : lost) {
    const auto [first, last] = history->units_of(before + each.line);
    for (UnitId unit = first; unit < last; ++unit) {
      if (!each.kind || history->unit(unit).kind == *each.kind) smallest.lost.push_back(unit);
    }
  }
  const CauseWords words(*trace, [](uint64_t) { return CallSite(); });
  const PowerCause cause = cause_of(*trace, *history, std::move(smallest), words);
  return title_of(*trace, *history, cause);
}

const std::vector<std::string> kSave = {"create t", "write t 0 \"new\"", "rename t f",
                                        "print \"saved:\"", "print \"2\""};

TEST(PowerTitles, name_what_was_kept_and_what_was_lost) {
  EXPECT_EQ(title(kSave, "xfs", {{2}}, 3),
            "The rename of t to f reached the disk, the 3 bytes written to t did not");
}

TEST(PowerTitles, say_a_kept_write_by_its_file) {
  EXPECT_EQ(
      title({"create f", "write f 0 \"new\"", "create db", "write db 0 \"f\""}, "posix", {{2}}, 4),
      "The write to db reached the disk, the 3 bytes written to f did not");
}

TEST(PowerTitles, tell_a_size_without_its_data) {
  EXPECT_EQ(title({"create f", "write f 0 \"new\""}, "posix", {{2, UnitKind::kData}}, 2),
            "The size of f, 3 bytes, reached the disk, its data did not");
}

TEST(PowerTitles, tell_a_size_without_what_was_appended) {
  EXPECT_EQ(title({"create f", "write f 0 \"old\"", "write f 3 \"new\""}, "posix",
                  {{3, UnitKind::kData}}, 3),
            "The size of f, 6 bytes, reached the disk, its last 3 bytes did not");
}

TEST(PowerTitles, name_the_whole_line_of_a_promise_that_was_printed_in_pieces) {
  EXPECT_EQ(title(kSave, "ext4", {{3}}, 5),
            "\"saved:2\" was printed, but the rename of t to f had not reached the disk");
}

TEST(PowerTitles, count_what_else_is_lost) {
  EXPECT_EQ(title({"create a", "create b", "write a 0 \"1\"", "write b 0 \"2\"", "print \"x\""},
                  "posix", {{3}, {4}}, 5),
            "\"x\" was printed, but the 1 byte written to a and 1 more change had not reached the "
            "disk");
}

TEST(PowerTitles, tell_what_matters_only_at_the_end) {
  EXPECT_EQ(title(kSave, "xfs", {{2}}, 5, true),
            "The run had ended, but the 3 bytes written to t had not reached the disk");
}

TEST(PowerTitles, tell_what_fails_with_nothing_lost) {
  EXPECT_EQ(title(kSave, "xfs", {}, 3), "After rename t -> f it fails with nothing lost");
  EXPECT_EQ(title(kSave, "xfs", {}, 0), "It fails from the beginning, with nothing lost");
}

}  // namespace
}  // namespace everycrash::cli
