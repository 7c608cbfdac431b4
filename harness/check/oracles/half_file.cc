#include "harness/check/oracles/half_file.h"

#include <algorithm>
#include <utility>

#include "harness/check/oracles/half_file_words.h"
#include "harness/check/oracles/spare_copy.h"
#include "harness/trace/name_guesses.h"

namespace everycrash {
namespace {

using enum Circumstance;

constexpr ApplicabilityRow kApplies[] = {
    {.lacks = {kByDefault, kAsked}, .then = {Applies::kNo}},
    {.then = {Applies::kYes}},
};
static_assert(is_sound(kApplies));

Wrong wrong_with(const FileSystem& state, const std::string& path) {
  const NodeId found = state.find(path);
  if (found == kNoNode) return Wrong::kMissing;
  if (!state.node(found).is_file()) return Wrong::kForeign;
  return state.node(found).size == 0 ? Wrong::kEmpty : Wrong::kHalfWritten;
}

/// Adds a fact about those of the judged files that fit, if there are any.
template <typename Fits>
void tell_files(const Grounds& grounds, Unjudged why, const Fits& fits,
                std::vector<NotJudged>& not_judged) {
  NotJudged fact{.why = why, .judge = Judge::kHalfFile};
  for (const auto& [path, versions] : grounds.history.judged()) {
    if (fits(path, versions) && !is_ignored(path, grounds.options.ignore)) {
      fact.names.push_back(path);
    }
  }
  if (!fact.names.empty()) not_judged.push_back(std::move(fact));
}

}  // namespace

std::vector<Complaint> find_half_files(const History& history, const FileSystem& state,
                                       uint64_t record, const IgnoreGlobs& ignore,
                                       Facts<HalfFileFact> known) {
  std::vector<Complaint> found;
  for (const auto& [path, name] : history.judged()) {
    const std::optional<Content> content = content_at(state, path);
    const bool good = content ? name.latest(content).has_value() : name.absence_allowed;
    if (good) continue;
    const bool finished = std::any_of(
        name.versions.begin(), name.versions.end(),
        [&](const Version& version) { return version.content && version.finished <= record; });
    Facts<HalfFileFact> facts = known;
    facts.set(HalfFileFact::kIgnored, is_ignored(path, ignore))
        .set(HalfFileFact::kOriginalWhole, is_spared_by_original(path, history, state))
        .set(HalfFileFact::kNeverFinished, name.absent_first && !finished);
    if (decide(kHalfFileForgives, facts)) continue;
    found.push_back({.judge = Judge::kHalfFile,
                     .path = path,
                     .message = half_file_message(history, path, name, state),
                     .wrong = wrong_with(state, path)});
  }
  return found;
}

void tell_written_so(const Grounds& grounds, Judge judge, std::vector<NotJudged>& not_judged) {
  constexpr size_t kShown = 10;
  const auto& names = grounds.history.not_judged();
  size_t shown = 0;
  for (const auto& [path, flaw] : names) {
    if (is_ignored(path, grounds.options.ignore)) continue;
    if (shown++ == kShown) {
      not_judged.push_back(
          {.why = Unjudged::kMoreWrittenSo, .judge = judge, .count = names.size() - kShown});
      return;
    }
    not_judged.push_back(
        {.why = Unjudged::kWrittenSo, .judge = judge, .names = {path}, .flaw = flaw});
  }
}

std::span<const ApplicabilityRow> HalfFileOracle::when() const {
  return kApplies;
}

void HalfFileOracle::leave_out(const Grounds& grounds, const Selection& selection,
                               std::vector<NotJudged>& not_judged) const {
  if (!selection.has(name())) return;
  tell_written_so(grounds, name(), not_judged);
  if (!selection.has(Judge::kResume) && !grounds.options.asks_for(name())) {
    tell_files(
        grounds, Unjudged::kNewFiles,
        [](const std::string&, const NameHistory& versions) {
          return versions.absent_first && versions.contents() == 1;
        },
        not_judged);
  }
  tell_files(
      grounds, Unjudged::kSpareCopies,
      [&](const std::string& path, const NameHistory& versions) {
        return versions.versions.size() > 1 && grounds.history.judged().contains(original_of(path));
      },
      not_judged);
}

std::vector<Complaint> HalfFileOracle::judge(const Seen& seen) const {
  const Selection& selection = seen.grounds.selection;
  Facts<HalfFileFact> known;
  known.set(HalfFileFact::kMadeWhole, seen.next != nullptr && seen.next->clean())
      .set(HalfFileFact::kNextRunTells,
           selection.has(Judge::kResume) || selection.has(Judge::kNoLeftovers))
      .set(HalfFileFact::kAsked, seen.grounds.options.asks_for(name()));
  return find_half_files(seen.history(), *seen.state.tree, seen.state.record,
                         seen.grounds.options.ignore, known);
}

}  // namespace everycrash
