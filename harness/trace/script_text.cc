#include "harness/trace/script_text.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "harness/trace/operation.h"

namespace everycrash {
namespace {

constexpr size_t kFields = 3;  // of a frame: line, function, file

/// The texts of a kStack or kStart record.
std::string_view script_text(const Operation& record) {
  if (record.kind == Kind::kStart) return record.payload;
  const uint64_t addresses = static_cast<uint64_t>(record.length) * sizeof(uint64_t);
  return record.payload.substr(std::min<uint64_t>(addresses, record.payload.size()));
}

std::optional<uint32_t> number_of(std::string_view text) {
  uint32_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string_view take_text(std::string_view& text) {
  const size_t end = text.find('\0');
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), field.size() + 1));
  return field;
}

const char* problem_of_script(const Operation& record) {
  if (record.kind == Kind::kStack) {
    const uint64_t room = record.payload.size() / sizeof(uint64_t);
    if (record.length < 0 || static_cast<uint64_t>(record.length) > room) {
      return "more addresses than it has room for";
    }
  }
  if (record.mode > static_cast<uint32_t>(ScriptLanguage::kShell)) return "an unknown language";
  std::string_view text = script_text(record);
  const bool none = record.mode == static_cast<uint32_t>(ScriptLanguage::kNone);
  if (none != text.empty()) return "frames of a script without its language, or the reverse";
  const auto fields = static_cast<size_t>(std::count(text.begin(), text.end(), '\0'));
  if (!text.empty() && (text.back() != '\0' || fields % kFields != 0 ||
                        fields / kFields > format::kScriptFramesMax)) {
    return "not a list of frames";
  }
  while (!text.empty()) {
    if (!number_of(take_text(text))) return "a line that is no number";
    take_text(text);
    take_text(text);
  }
  return nullptr;
}

std::vector<ScriptFrame> script_frames_of(const Operation& record) {
  std::string_view text = script_text(record);
  std::vector<ScriptFrame> frames;
  while (!text.empty()) {
    ScriptFrame frame;
    frame.line = number_of(take_text(text)).value_or(0);
    frame.function = take_text(text);
    frame.file = take_text(text);
    frames.push_back(frame);
  }
  return frames;
}

const char* name_of(ScriptLanguage language) {
  switch (language) {
    case ScriptLanguage::kPython:
      return "python";
    case ScriptLanguage::kShell:
      return "shell";
    default:
      return "";
  }
}

}  // namespace everycrash
