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

struct CallName {
  int call;
  const char* name;
};

#define CALL(name)    \
  CallName {          \
    SYS_##name, #name \
  }
constexpr std::array kCalls = {
    CALL(open),      CALL(openat),      CALL(openat2),      CALL(creat),
    CALL(close),     CALL(close_range), CALL(dup2),         CALL(dup3),
    CALL(write),     CALL(pwrite64),    CALL(writev),       CALL(pwritev),
    CALL(pwritev2),  CALL(sendfile),    CALL(splice),       CALL(copy_file_range),
    CALL(ioctl),     CALL(rename),      CALL(renameat),     CALL(renameat2),
    CALL(link),      CALL(linkat),      CALL(symlink),      CALL(symlinkat),
    CALL(unlink),    CALL(unlinkat),    CALL(mkdir),        CALL(mkdirat),
    CALL(rmdir),     CALL(mknod),       CALL(mknodat),      CALL(bind),
    CALL(truncate),  CALL(ftruncate),   CALL(fallocate),    CALL(fsync),
    CALL(fdatasync), CALL(sync),        CALL(syncfs),       CALL(sync_file_range),
    CALL(msync),     CALL(munmap),      CALL(mmap),         CALL(chmod),
    CALL(fchmod),    CALL(fchmodat),    CALL(chown),        CALL(fchown),
    CALL(lchown),    CALL(fchownat),    CALL(utime),        CALL(utimes),
    CALL(futimesat), CALL(utimensat),   CALL(setxattr),     CALL(lsetxattr),
    CALL(fsetxattr), CALL(removexattr), CALL(lremovexattr), CALL(fremovexattr),
    CALL(sendto),    CALL(sendmsg),     CALL(connect),      CALL(listen),
    CALL(execve),    CALL(execveat),    CALL(exit_group),   CALL(io_uring_setup),
    CALL(flock),     CALL(fcntl)};
#undef CALL

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

std::string call_name(int call) {
  for (const CallName& entry : kCalls) {
    if (entry.call == call) return entry.name;
  }
  return fmt::format("call {}", call);
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

std::string explain_unsupported(const Operation& operation) {
  const std::string what = shown(operation.path);
  switch (static_cast<Unsupported>(operation.mode)) {
    case Unsupported::kStaticBinary:
      return fmt::format(
          "{} is statically linked, so its system calls cannot be recorded; "
          "test a dynamically linked build of it",
          what);
    case Unsupported::kForeignLoader:
      return fmt::format(
          "{} is linked against another C library than this machine's (musl?), "
          "so it cannot be recorded; test a build for glibc",
          what);
    case Unsupported::kForeignMachine:
      return fmt::format("{} is not a 64-bit x86 program and cannot be recorded", what);
    case Unsupported::kIoUring:
      return "the workload asked for io_uring, which cannot be recorded; it was answered ENOSYS, "
             "as "
             "on a kernel without it (turn io_uring off in the program if it does not go on alone)";
    case Unsupported::kSharedMapping:
      return fmt::format(
          "{} is written through a shared memory mapping that is too large to watch; "
          "use a smaller file or a mode without mmap",
          what);
    case Unsupported::kLockStolen:
      return "a process of the workload was killed inside a recorded call; run again";
    case Unsupported::kOutsideRename:
      return fmt::format(
          "{} was moved across the border of the state directory in a way that "
          "cannot be recorded; keep temporary files inside it",
          what);
    case Unsupported::kPreloadFailed:
      return fmt::format("recording could not start in {}", what);
    case Unsupported::kUnknownCall:
      return fmt::format("{} was changed by {}, which cannot be recorded yet", what,
                         call_name(operation.call));
    case Unsupported::kStaleView:
      return "the workload changed its root or mounted over the state directory; "
             "what it did there cannot be recorded";
  }
  return fmt::format("{}: unsupported for reason {}", what, operation.mode);
}

}  // namespace everycrash
