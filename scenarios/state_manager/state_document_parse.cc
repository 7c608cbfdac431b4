#include <nlohmann/json.hpp>

#include <algorithm>

#include "scenarios/state_manager/state_document.h"

namespace scenarios::state_manager {
namespace {

using Json = nlohmann::ordered_json;

StepStatus parse_status(const std::string& name) {
  for (const StepStatus status : {StepStatus::kPending, StepStatus::kRunning, StepStatus::kDone,
                                  StepStatus::kFailed, StepStatus::kFailedStop}) {
    if (status_name(status) == name) return status;
  }
  throw std::invalid_argument("unknown status '" + name + "'");
}

Step parse_step(const std::string& name, const Json& json) {
  Step step;
  step.name = name;
  step.status = parse_status(json.at("status").get<std::string>());
  step.runner = json.value("runner", 0);
  step.started_at = json.value("started_at", "");
  step.updated_at = json.value("updated_at", "");
  step.result = json.value("result", "");
  step.retry_count = json.value("retry_count", 0);
  step.last_error = json.value("last_error", "");
  step.next_retry_at = json.value("next_retry_at", "");
  return step;
}

}  // namespace

Expected<StateDocument> parse_document(const std::string& json) {
  // The one boundary at which the library's exceptions are caught.
  try {
    const Json root = Json::parse(json);
    StateDocument document;
    document.task_id = root.at("task_id").get<std::string>();
    document.version = root.at("version").get<int64_t>();
    for (const auto& [name, step] : root.at("steps").items()) {
      document.steps.push_back(parse_step(name, step));
    }
    return document;
  } catch (const Json::parse_error& error) {
    if (json.empty()) return failed("it is empty");
    const size_t place = std::min(error.byte, json.size());
    return failed((place == json.size() ? "it ends early, after byte " : "it is damaged at byte ") +
                  std::to_string(place) + " of " + std::to_string(json.size()));
  } catch (const std::exception& error) {
    return failed(error.what());
  }
}

}  // namespace scenarios::state_manager
