#include "harness/cli/document/operation_writer.h"

#include <vector>

#include "harness/cli/document/operation_words.h"
#include "harness/cli/document/outside_events.h"
#include "harness/explain/source.h"

namespace everycrash::cli {
namespace {

constexpr uint32_t kExcerptLines = 2;

reports::Frame written(const Frame& frame) {
  reports::Frame out{.function = frame.function,
                     .module = frame.module,
                     .module_offset = frame.module_offset,
                     .file = display_path(frame.source_file),
                     .line = frame.line,
                     .column = frame.column,
                     .language = name_of(frame.language),
                     .program = frame.program,
                     .command = frame.command,
                     .library = is_script_library(frame.source_file)};
  if (out.library) return out;
  if (const auto excerpt = read_excerpt(frame.source_file, frame.line, kExcerptLines)) {
    out.excerpt = {excerpt->first_line, excerpt->lines};
  }
  return out;
}

}  // namespace

std::string detail_of(const Operation& record) {
  std::string words;
  const auto add = [&](format::Flags flag, const char* word) {
    if (record.has(flag)) words.append(words.empty() ? "" : " ").append(word);
  };
  add(format::kCreated, "new");
  add(format::kTruncated, "emptied");
  add(format::kLost, "lost");
  add(format::kExchange, "exchange");
  return words;
}

reports::StackIndex OperationWriter::stack(uint64_t stack) {
  const auto known = known_.find(stack);
  if (known != known_.end()) return known->second;
  const std::vector<Frame> frames = names_.stacks().frames(stack);
  std::vector<reports::Frame> shown;
  for (const Frame& frame : frames) shown.push_back(written(frame));
  const auto user = frames.empty() ? 0u : static_cast<uint32_t>(user_frame(frames));
  return known_[stack] = stacks_.add(shown, user);
}

reports::InvolvedOperation OperationWriter::involve(const Operation& operation) {
  // A line can be printed in pieces: what counts is all of it.
  const std::string line =
      operation.kind == Kind::kPrint ? quoted_line(trace_, operation) : std::string();
  return {.sequence = operation.sequence,
          .description = line.empty() ? describe(operation) : "print " + line,
          .stack = stack(operation.stack),
          .kind = std::string(name_of(operation.kind)),
          .path = std::string(operation.path),
          .other_path = std::string(operation.other_path),
          .detail = detail_of(operation),
          .events = outside_events(operation)};
}

std::optional<reports::InvolvedOperation> OperationWriter::involve(uint64_t record) {
  const Operation* operation = trace_.find(record);
  if (operation == nullptr) return std::nullopt;
  return involve(*operation);
}

}  // namespace everycrash::cli
