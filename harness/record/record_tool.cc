// record_tool DIR TRACE [--quiet | --calls] -- COMMAND...: records a command and prints its trace,
// for tests. --calls prints the system calls on the state directory alone, a line each, with tabs
// between process, thread, call, result, path, other path, and the size of the payload. Exit
// status: the command's own, 128 + signal, or 125 if it could not be recorded.

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "harness/record/recorder.h"
#include "harness/record/unsupported.h"
#include "harness/trace/script.h"
#include "harness/trace/trace.h"

namespace {

int status_of(const everycrash::ProcessEnd& end) {
  if (const auto* exited = std::get_if<everycrash::Exited>(&end)) return exited->code;
  if (const auto* signaled = std::get_if<everycrash::Signaled>(&end)) return 128 + signaled->signal;
  return 124;
}

void print(const everycrash::Trace& trace) {
  for (const everycrash::Operation& operation : trace.records()) {
    using everycrash::Kind;
    if (operation.kind == Kind::kMappings || operation.kind == Kind::kStack) continue;
    for (const everycrash::ScriptFrame& frame :
         everycrash::script_of_stack(trace, operation.stack)) {
      fmt::print("    {} at {}:{}\n", frame.function, frame.file, frame.line);
    }
    fmt::print("{} {}/{} {} = {} flags {:#x} inode {} stack {}\n", operation.sequence,
               operation.process, operation.thread, everycrash::describe(operation),
               operation.result, operation.flags, operation.inode,
               trace.stack(operation.stack).size());
  }
}

void print_calls(const everycrash::Trace& trace) {
  using everycrash::Kind;
  for (const everycrash::Operation& operation : trace.records()) {
    const bool told = everycrash::is_operation(operation.kind) || operation.kind == Kind::kPrint ||
                      operation.kind == Kind::kUnsupported;
    if (!told || operation.call < 0) continue;
    fmt::print("{}\t{}\t{}\t{}\t{}\t{}\t{}\n", operation.process, operation.thread,
               operation.kind == Kind::kUnsupported ? "unsupported"
                                                    : everycrash::call_name(operation.call),
               operation.result, operation.path, operation.other_path, operation.payload.size());
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  everycrash::RecordOptions options;
  if (argument_count < 5) return 125;
  options.state_directory = arguments[1];
  options.trace_file = arguments[2];
  options.work_directory = options.trace_file.parent_path();
  int next = 3;
  bool quiet = false;
  bool calls = false;
  for (; next < argument_count && std::string_view(arguments[next]) != "--"; ++next) {
    if (std::string_view(arguments[next]) == "--quiet") quiet = true;
    if (std::string_view(arguments[next]) == "--calls") calls = true;
  }
  options.command.assign(arguments + next + 1, arguments + argument_count);
  const auto outcome = everycrash::record(options);
  if (!outcome) {
    fmt::print(stderr, "{}\n", outcome.error().message);
    return 125;
  }
  fmt::print(stderr, "{}", outcome->stderr_tail);
  const auto trace = everycrash::Trace::open(options.trace_file);
  if (!trace) {
    fmt::print(stderr, "{}\n", trace.error().message);
    return 125;
  }
  if (calls) {
    print_calls(*trace);
  } else if (!quiet) {
    print(*trace);
  }
  return status_of(outcome->end);
}
