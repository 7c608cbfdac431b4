#include "harness/trace/script.h"

#include <algorithm>
#include <utility>

#include "harness/base/path_text.h"
#include "harness/base/quoting.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

constexpr size_t kCommandMax = 100;

std::string command_of(std::string_view arguments) {
  std::string command;
  while (!arguments.empty() && command.size() < kCommandMax) {
    command += (command.empty() ? "" : " ") + shell_quote(take_text(arguments));
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
  const std::string called(base_name(take_text(arguments)));
  return called.empty() || called.front() == '-' ? std::string(base_name(path)) : called;
}

}  // namespace

std::vector<ScriptFrame> script_of_stack(const Trace& trace, uint64_t sequence) {
  const Operation* record = trace.find(sequence);
  if (record == nullptr || record->kind != Kind::kStack) return {};
  return script_frames_of(*record);
}

ScriptLanguage script_language(const Trace& trace, uint64_t sequence) {
  const Operation* record = trace.find(sequence);
  if (record == nullptr || record->kind != Kind::kStack) return ScriptLanguage::kNone;
  return static_cast<ScriptLanguage>(record->mode);
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
        run.started_by = script_frames_of(*start);
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
