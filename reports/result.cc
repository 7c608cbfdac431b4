#include "reports/result.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/error.h"

namespace everycrash::reports {

const char* name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSurvived:
      return "survived";
    case Outcome::kViolated:
      return "violated";
    case Outcome::kNotMeasured:
      return "not measured";
    case Outcome::kHarnessBroken:
      return "harness broken";
    case Outcome::kNothing:
      return "nothing";
  }
  return "unknown";
}

size_t count_failing(const ResultDocument& document) {
  return static_cast<size_t>(
      std::count_if(document.findings.begin(), document.findings.end(),
                    [](const Finding& finding) { return finding.waived.empty(); }));
}

uint32_t StackTable::add_frame(const Frame& frame) {
  const std::string key = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", frame.function, frame.module,
                                      frame.module_offset, frame.file, frame.line, frame.column);
  const auto [entry, is_new] =
      frames_.try_emplace(key, static_cast<uint32_t>(document_.frames.size()));
  if (is_new) document_.frames.push_back(frame);
  return entry->second;
}

StackIndex StackTable::add(const std::vector<Frame>& frames, uint32_t user_frame) {
  if (frames.empty()) return kNoStack;
  EVERYCRASH_ASSERT(user_frame < frames.size());
  Stack stack{{}, user_frame};
  for (const Frame& frame : frames) stack.frames.push_back(add_frame(frame));
  const auto [entry, is_new] =
      stacks_.try_emplace(stack.frames, static_cast<StackIndex>(document_.stacks.size()));
  if (is_new) document_.stacks.push_back(std::move(stack));
  return entry->second;
}

}  // namespace everycrash::reports
