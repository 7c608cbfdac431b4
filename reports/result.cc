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
  const std::string key = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", frame.function,
                                      frame.module, frame.module_offset, frame.file, frame.line,
                                      frame.column, frame.language, frame.program, frame.command);
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

std::string dangling_index(const ResultDocument& document) {
  const auto bad_stack = [&](StackIndex index) {
    return index < kNoStack || index >= static_cast<int64_t>(document.stacks.size());
  };
  const auto bad_operation = [&](const auto& operation) { return bad_stack(operation.stack); };
  for (size_t i = 0; i < document.stacks.size(); ++i) {
    const Stack& stack = document.stacks[i];
    bool bad = stack.user_frame >= stack.frames.size();
    for (const uint32_t frame : stack.frames) bad |= frame >= document.frames.size();
    if (bad) return fmt::format("stacks[{}] names a frame that is not there", i);
  }
  for (const Finding& finding : document.findings) {
    bool bad = finding.crash_operation && bad_operation(*finding.crash_operation);
    bad |= finding.cause_operation && bad_operation(*finding.cause_operation);
    bad |= finding.until_operation && bad_operation(*finding.until_operation);
    for (const EarlierCrash& earlier : finding.earlier) {
      bad |= earlier.operation && bad_operation(*earlier.operation);
    }
    bad |= finding.kept_operation && bad_operation(*finding.kept_operation);
    for (const InvolvedOperation& lost : finding.lost_operations) bad |= bad_operation(lost);
    if (bad) return fmt::format("finding {} names a stack that is not there", finding.id);
  }
  if (document.shard_material) {
    const ShardMaterial& material = *document.shard_material;
    for (const ShardVerdict& verdict : material.states) {
      if (verdict.complaints >= material.complaints.size())
        return fmt::format("the verdict on {} names complaints that are not there", verdict.state);
    }
  }
  for (const Durability& durability : document.durability) {
    if (durability.since.size() != document.operations.size()) {
      return fmt::format("durability under {} is not about the operations", durability.model);
    }
  }
  for (const TimelineOperation& operation : document.operations) {
    if (bad_operation(operation)) {
      return fmt::format("operation {} names a stack that is not there", operation.sequence);
    }
  }
  for (const Note& note : document.notes) {
    if (bad_operation(note))
      return fmt::format("note {} names a stack that is not there", note.rule);
  }
  return "";
}

}  // namespace everycrash::reports
