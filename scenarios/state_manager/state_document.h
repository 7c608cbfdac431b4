// The state of the whole job: one JSON document, `state.json`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/common/failure.h"

namespace scenarios::state_manager {

enum class StepStatus { kPending, kRunning, kDone, kFailed, kFailedStop };

[[nodiscard]] std::string_view status_name(StepStatus status);

/// Times are text as in the file (UTC); empty = not set. Fields that are not set are left out.
struct Step {
  std::string name;
  StepStatus status = StepStatus::kPending;
  int runner = 0;             ///< which runner works on it, while running
  std::string started_at;     ///< while running
  std::string updated_at;     ///< since it last stopped running
  std::string result;         ///< once done: the name of the output file
  int retry_count = 0;        ///< failed attempts that were followed by another one
  std::string last_error;     ///< of the last failed attempt
  std::string next_retry_at;  ///< while failed
};

/// A plain value; copies are independent.
struct StateDocument {
  std::string task_id;
  int64_t version = 0;  ///< counts saves; 0 = never saved
  std::vector<Step> steps;

  /// nullptr if there is no such step.
  [[nodiscard]] const Step* find(std::string_view name) const;
  [[nodiscard]] Step* find(std::string_view name);
};

/// A document with `steps` pending steps step-001, step-002, ...
[[nodiscard]] StateDocument new_document(int steps);
[[nodiscard]] std::string step_name(int number);

/// One step a line. Written by hand: a save of 100 steps must cost microseconds.
[[nodiscard]] std::string to_json(const StateDocument& document);

/// Fails on damaged JSON, a missing field and an unknown status.
[[nodiscard]] Expected<StateDocument> parse_document(const std::string& json);

/// The version in a document of which only the first bytes were read.
[[nodiscard]] std::optional<int64_t> version_in_head(std::string_view head);

}  // namespace scenarios::state_manager
