#include "harness/check/oracles/acknowledged.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/check/oracles/half_file.h"
#include "harness/check/oracles/half_file_words.h"
#include "harness/check/oracles/spare_copy.h"

namespace everycrash {
namespace {

using enum Circumstance;

constexpr ApplicabilityRow kApplies[] = {
    {.lacks = {kByDefault, kAsked}, .then = {Applies::kNo}},
    {.lacks = {kPromises}, .then = {Applies::kNo, Unjudged::kNothingPromised}},
    {.then = {Applies::kYes}},
};
static_assert(is_sound(kApplies));

}  // namespace

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
    if (!older) continue;
    Facts<PromiseFact> facts;
    facts.set(PromiseFact::kIgnored, is_ignored(path, ignore))
        .set(PromiseFact::kOriginalWhole, is_spared_by_original(path, history, state));
    if (decide(kBrokenPromiseForgives, facts)) continue;
    std::string message =
        fmt::format("{} {} {}", path, content ? "is back at an older version" : "is gone",
                    promises.when(history, printed_bytes));
    const std::string beside = version_beside(history, path, name, state);
    if (!beside.empty()) message += fmt::format("; {}, whole", beside);
    complaints.push_back({.judge = Judge::kAcknowledged,
                          .path = path,
                          .message = std::move(message),
                          .wrong = content ? Wrong::kOlder : Wrong::kGone});
  }
  return complaints;
}

std::span<const ApplicabilityRow> AcknowledgedOracle::when() const {
  return kApplies;
}

void AcknowledgedOracle::leave_out(const Grounds& grounds, const Selection& selection,
                                   std::vector<NotJudged>& not_judged) const {
  // It judges the same names as the half-file oracle, which tells of the others too.
  if (selection.has(name()) && !selection.has(Judge::kHalfFile)) {
    tell_written_so(grounds, name(), not_judged);
  }
}

std::vector<Complaint> AcknowledgedOracle::judge(const Seen& seen) const {
  const StateView& state = seen.state;
  return find_broken_promises(seen.history(), seen.promises(), *state.tree, state.record,
                              state.printed.size() - state.printed_before,
                              seen.grounds.options.ignore);
}

}  // namespace everycrash
