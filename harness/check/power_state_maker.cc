#include "harness/check/power_state_maker.h"

#include <fmt/format.h>

#include <algorithm>

namespace everycrash {

Outputs::Outputs(const Trace& trace) : steps_{{0, 0, 0}} {
  for (const Operation& record : trace.records()) {
    const bool changes = is_operation(record.kind) && changes_state(record);
    if (changes || record.kind == Kind::kPrint) end_ = record.sequence;
    if (record.kind != Kind::kPrint && record.events.empty()) continue;
    if (record.kind == Kind::kPrint) printed_ += record.payload;
    events_ += record.events;
    steps_.push_back({record.sequence, printed_.size(), events_.size()});
  }
}

Outputs::Step Outputs::step(uint64_t record) const {
  const auto after =
      std::upper_bound(steps_.begin(), steps_.end(), record,
                       [](uint64_t wanted, const Step& step) { return wanted < step.record; });
  return *(after - 1);
}

std::string_view Outputs::printed_until(uint64_t record) const {
  return std::string_view(printed_).substr(0, step(record).printed);
}

std::string_view Outputs::events_until(uint64_t record) const {
  return std::string_view(events_).substr(0, step(record).events);
}

Result<StateView> PowerStateMaker::make(size_t number) {
  const PowerState& state = states_[number];
  const Result<const FileSystem*> tree = builder_.build(state.point.record, state.lost);
  if (!tree) return tl::unexpected(tree.error());
  // Verdicts are remembered by the tree that exploration saw.
  if ((*tree)->digest() != state.tree) {
    return harness_error(fmt::format(
        "the state after record {} without {} units is not what exploration found it to be",
        state.point.record, state.lost.size()));
  }
  return StateView{.tree = *tree,
                   .record = state.point.record,
                   .printed = outputs_.printed_until(state.point.record),
                   .events = outputs_.events_until(state.point.record),
                   .lost = &state.lost};
}

}  // namespace everycrash
