#include "harness/trace/operation.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "harness/trace/event.h"

namespace everycrash {
namespace {

std::string shown(std::string_view path) {
  return path.empty() ? "." : std::string(path);
}

std::string describe_success(const Operation& op) {
  const std::string path = shown(op.path);
  switch (op.kind) {
    case Kind::kOpen:
      return fmt::format("open {}{}{}", path, op.has(format::kCreated) ? " (new)" : "",
                         op.has(format::kTruncated) ? " (emptied)" : "");
    case Kind::kWrite:
    case Kind::kMapWrite:
    case Kind::kAllocate:
    case Kind::kSyncRange:
      return fmt::format("{} {} {}+{}", name_of(op.kind), path, op.offset, op.length);
    case Kind::kTruncate:
      return fmt::format("truncate {} to {}", path, op.length);
    case Kind::kChangeMode:
      return fmt::format("chmod {} to {:04o}", path, op.mode & 07777);
    case Kind::kRename:
      return fmt::format("rename {} {} {}", path, op.has(format::kExchange) ? "<->" : "->",
                         shown(op.other_path));
    case Kind::kLink:
      return fmt::format("link {} -> {}", path, shown(op.other_path));
    case Kind::kPrint:
      return fmt::format("print {} bytes", op.payload.size());
    case Kind::kSend:
      return fmt::format("send {} bytes to {}", op.length, op.path);
    case Kind::kEvent:
      return describe_events(op);
    case Kind::kExit:
      return op.events.empty() ? "exit" : describe_events(op);
    case Kind::kSetAttribute:
    case Kind::kRemoveAttribute:
      return fmt::format("{} {} {}", name_of(op.kind), path, op.other_path);
    default:
      return fmt::format("{} {}", name_of(op.kind), path);
  }
}

}  // namespace

bool changes_state(const Operation& operation) {
  if (operation.failed()) return false;
  if (!operation.events.empty() || tells(operation.kind)) return true;
  if (operation.kind == Kind::kOpen) {
    return operation.has(format::kCreated) || operation.has(format::kTruncated);
  }
  return traits_of(operation.kind)
      .has(kChangesContent | kChangesAttributes | kMakesPath | kMakesOther | kTakesPath);
}

std::string_view name_made_by(const Operation& operation) {
  if (gives_other_name(operation.kind)) return operation.other_path;
  if (!traits_of(operation.kind).has(kMakesPath)) return "";
  const bool found = operation.kind == Kind::kOpen && !operation.has(format::kCreated);
  return found || operation.has(format::kNameless) ? "" : operation.path;
}

std::string_view name_taken_by(const Operation& operation) {
  return takes_name(operation.kind) ? operation.path : "";
}

std::string_view name_of(Kind kind) {
  const std::string_view word = traits_of(kind).word;
  return word.empty() ? "unknown" : word;
}

std::string describe(const Operation& operation) {
  std::string text = describe_success(operation);
  if (operation.has(format::kLost) && !operation.failed()) text += " (lost)";
  if (operation.failed()) {
    text += fmt::format(" = {}", strerrorname_np(static_cast<int>(-operation.result))
                                     ? strerrorname_np(static_cast<int>(-operation.result))
                                     : "error");
  }
  if (operation.has(format::kInjected)) text += " (injected)";
  return text;
}

std::string describe_events(const Operation& operation) {
  const std::vector<Event> events = parse_events(operation.events);
  if (events.empty()) return "event";
  const Event& first = events.front();
  return first.is_effect() ? fmt::format("effect {} {}", first.kind, first.key)
                           : std::string(first.line);
}

}  // namespace everycrash
