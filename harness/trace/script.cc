#include "harness/trace/script.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "harness/base/quoting.h"

namespace everycrash {
namespace {

constexpr size_t kFields = 3;  // of a frame: line, function, file
constexpr size_t kCommandMax = 100;

/// The texts of a kStack or kStart record.
std::string_view script_text(const Operation& record) {
  if (record.kind == Kind::kStart) return record.payload;
  const uint64_t addresses = static_cast<uint64_t>(record.length) * sizeof(uint64_t);
  return record.payload.substr(std::min<uint64_t>(addresses, record.payload.size()));
}

std::string_view take_field(std::string_view& text) {
  const size_t end = text.find('\0');
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), field.size() + 1));
  return field;
}

std::optional<uint32_t> number_of(std::string_view text) {
  uint32_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<ScriptFrame> parse(std::string_view text) {
  std::vector<ScriptFrame> frames;
  while (!text.empty()) {
    ScriptFrame frame;
    frame.line = number_of(take_field(text)).value_or(0);
    frame.function = take_field(text);
    frame.file = take_field(text);
    frames.push_back(frame);
  }
  return frames;
}

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string command_of(std::string_view arguments) {
  std::string command;
  while (!arguments.empty() && command.size() < kCommandMax) {
    command += (command.empty() ? "" : " ") + shell_quote(take_field(arguments));
  }
  if (command.size() > kCommandMax || !arguments.empty()) {
    size_t end = std::min(command.size(), kCommandMax);
    while (end > 0 && (static_cast<unsigned char>(command[end - 1]) & 0xc0) == 0x80) --end;
    command.resize(end);
    command += "...";
  }
  return command;
}

/// What a program was called by: its file, PATH, may be one for several names (redis-server,
/// busybox), or carry a version. A login shell's "-bash" is no name.
std::string name_of_run(std::string_view path, std::string_view arguments) {
  const std::string called(base_name(take_field(arguments)));
  return called.empty() || called.front() == '-' ? std::string(base_name(path)) : called;
}

}  // namespace

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
    if (!number_of(take_field(text))) return "a line that is no number";
    take_field(text);
    take_field(text);
  }
  return nullptr;
}

std::vector<ScriptFrame> script_of_stack(const Trace& trace, uint64_t sequence) {
  const Operation* record = trace.find(sequence);
  if (record == nullptr || record->kind != Kind::kStack) return {};
  return parse(script_text(*record));
}

ScriptLanguage script_language(const Trace& trace, uint64_t sequence) {
  const Operation* record = trace.find(sequence);
  if (record == nullptr || record->kind != Kind::kStack) return ScriptLanguage::kNone;
  return static_cast<ScriptLanguage>(record->mode);
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

ProgramRuns::ProgramRuns(const Trace& trace) : trace_(trace) {
  std::map<int32_t, const Operation*> starts;  // process -> the last kStart, if not yet used
  for (const Operation& record : trace.records()) {
    if (record.kind == Kind::kStart) starts[record.process] = &record;
    if (record.kind != Kind::kProcess) continue;
    ProgramRun run;
    run.name = name_of_run(record.path, record.payload);
    run.command = command_of(record.payload);
    run.folder = record.other_path;
    if (const Operation* start = std::exchange(starts[record.process], nullptr)) {
      const ProgramRun* before = find(start->other_offset);
      if (start->mode != static_cast<uint32_t>(ScriptLanguage::kNone)) {
        run.language = static_cast<ScriptLanguage>(start->mode);
        run.started_by = parse(start->payload);
        if (before != nullptr) run.script_folder = before->folder;
      } else if (before != nullptr) {
        run.language = before->language;
        run.started_by = before->started_by;
        run.script_folder = before->script_folder;
      }
    }
    runs_.emplace(static_cast<int64_t>(record.sequence), std::move(run));
  }
}

const ProgramRun* ProgramRuns::of_stack(uint64_t sequence) const {
  const Operation* stack = trace_.find(sequence);
  return stack == nullptr || stack->kind != Kind::kStack ? nullptr : find(stack->other_offset);
}

const ProgramRun* ProgramRuns::find(int64_t sequence) const {
  const auto run = runs_.find(sequence);
  return run == runs_.end() ? nullptr : &run->second;
}

}  // namespace everycrash
