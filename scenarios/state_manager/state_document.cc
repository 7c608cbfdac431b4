#include "scenarios/state_manager/state_document.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace scenarios::state_manager {
namespace {

constexpr std::string_view kVersionField = "\"version\":";

bool needs_escape(char c) {
  return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
}

void append_escaped(std::string& out, char c) {
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
  out += escape;
}

void append_text(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const auto stop = std::find_if(text.begin(), text.end(), needs_escape);
    out.append(text.begin(), stop);
    text.remove_prefix(static_cast<size_t>(stop - text.begin()));
    if (text.empty()) break;
    append_escaped(out, text.front());
    text.remove_prefix(1);
  }
  out += '"';
}

void append_number(std::string& out, std::string_view field, int64_t value) {
  if (value == 0) return;
  out += field;
  out += std::to_string(value);
}

void append_field(std::string& out, std::string_view field, std::string_view text) {
  if (text.empty()) return;
  out += field;
  append_text(out, text);
}

void append_step(std::string& out, const Step& step) {
  append_text(out, step.name);
  out += ":{\"status\":";
  append_text(out, status_name(step.status));
  append_number(out, ",\"runner\":", step.runner);
  append_field(out, ",\"started_at\":", step.started_at);
  append_field(out, ",\"updated_at\":", step.updated_at);
  append_field(out, ",\"result\":", step.result);
  append_number(out, ",\"retry_count\":", step.retry_count);
  append_field(out, ",\"last_error\":", step.last_error);
  append_field(out, ",\"next_retry_at\":", step.next_retry_at);
  out += '}';
}

}  // namespace

std::string_view status_name(StepStatus status) {
  switch (status) {
    case StepStatus::kPending:
      return "pending";
    case StepStatus::kRunning:
      return "running";
    case StepStatus::kDone:
      return "done";
    case StepStatus::kFailed:
      return "failed";
    case StepStatus::kFailedStop:
      return "failed_stop";
  }
  return "unknown";
}

const Step* StateDocument::find(std::string_view name) const {
  for (const Step& step : steps) {
    if (step.name == name) return &step;
  }
  return nullptr;
}

Step* StateDocument::find(std::string_view name) {
  return const_cast<Step*>(static_cast<const StateDocument*>(this)->find(name));
}

std::string step_name(int number) {
  char name[24];
  std::snprintf(name, sizeof name, "step-%03d", number);
  return name;
}

StateDocument new_document(int steps) {
  StateDocument document;
  document.task_id = "batch-" + std::to_string(steps);
  for (int number = 1; number <= steps; ++number) {
    Step step;
    step.name = step_name(number);
    document.steps.push_back(std::move(step));
  }
  return document;
}

std::string to_json(const StateDocument& document) {
  std::string out;
  out.reserve(128 + document.steps.size() * 128);
  out += "{\"task_id\":";
  append_text(out, document.task_id);
  out += ',';
  out += kVersionField;
  out += std::to_string(document.version);
  out += ",\"steps\":{";
  std::string_view separator = "\n";
  for (const Step& step : document.steps) {
    out += separator;
    append_step(out, step);
    separator = ",\n";
  }
  out += "\n}}\n";
  return out;
}

std::optional<int64_t> version_in_head(std::string_view head) {
  const size_t field = head.find(kVersionField);
  if (field == std::string_view::npos) return std::nullopt;
  const char* const first = head.data() + field + kVersionField.size();
  const char* const last = head.data() + head.size();
  int64_t version = 0;
  const auto [end, error] = std::from_chars(first, last, version);
  if (error != std::errc() || end == last || *end != ',') return std::nullopt;
  return version;
}

}  // namespace scenarios::state_manager
