#include "harness/record/preload/calls/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/record/preload/calls/elf_check.h"
#include "harness/record/preload/calls/mappings.h"
#include "harness/record/preload/core/environment.h"
#include "harness/record/preload/core/plan.h"
#include "harness/record/preload/core/session.h"
#include "harness/record/preload/core/user_memory.h"
#include "harness/record/preload/stacks/script_frames.h"

namespace everycrash::preload {

namespace {

constexpr size_t kArgumentsMax = 512;  // pieces that one record is made of

bool is_at(const Call& call) {
  return call.number == SYS_execveat;
}

// The program file of an execve, opened for reading; or -errno.
long open_program(const Call& call) {
  if (!is_at(call)) {
    return raw_call(SYS_openat, AT_FDCWD, call.arguments[0], O_RDONLY | O_CLOEXEC);
  }
  char first = 0;
  bool empty = (call.arguments[4] & AT_EMPTY_PATH) != 0 &&
               copy_from_user(&first, call.pointer<void>(1), 1) && first == 0;
  if (!empty) {
    return raw_call(SYS_openat, call.arguments[0], call.arguments[1], O_RDONLY | O_CLOEXEC);
  }
  Buffer<64> link;
  link.add("/proc/self/fd/");
  link.add_number(static_cast<unsigned>(call.descriptor(0)));
  return raw_call(SYS_openat, AT_FDCWD, to_long(link.data), O_RDONLY | O_CLOEXEC);
}

Path name_of_program(const Call& call) {
  Path name;
  long size =
      copy_string_from_user(name.data, sizeof name.data, call.pointer<char>(is_at(call) ? 1 : 0));
  if (size > 0) name.size = static_cast<size_t>(size);
  return name;
}

// What the program does is then done for the script that now runs, if one does.
void note_start(const Path& program) {
  if (stops_alone()) return;
  const ScriptFrames frames = script_position() == 0 ? ScriptFrames{} : script_frames();
  iovec piece = {const_cast<char*>(frames.text.data), frames.text.size};
  format::RecordHeader record = {};
  record.kind = static_cast<uint16_t>(format::Kind::kStart);
  record.call = format::kNoCall;
  record.mode = static_cast<uint32_t>(frames.language);
  record.other_offset = static_cast<int64_t>(session.program);
  append(record, program.text(), Text{}, Payload{&piece, 1, piece.iov_len});
}

}  // namespace

void record_program(int argument_count, char** arguments) {
  Path executable;
  long size = raw_call(SYS_readlink, to_long("/proc/self/exe"), to_long(executable.data),
                       sizeof executable.data - 1);
  if (size > 0) executable.size = static_cast<size_t>(size);
  Path folder;
  size = raw_call(SYS_getcwd, to_long(folder.data), sizeof folder.data);
  // With the NUL; "(unreachable)/..." is none.
  if (size > 1 && folder.data[0] == '/') folder.size = static_cast<size_t>(size) - 1;
  iovec pieces[kArgumentsMax];
  Payload payload = {pieces, 0, 0};
  for (int i = 0; i < argument_count && payload.count < kArgumentsMax; ++i) {
    size_t length = strlen(arguments[i]) + 1;
    pieces[payload.count++] = {arguments[i], length};
    payload.size += length;
  }
  format::RecordHeader record = {};
  record.kind = static_cast<uint16_t>(format::Kind::kProcess);
  record.call = format::kNoCall;
  record.other_inode = static_cast<uint64_t>(raw_call(SYS_getppid));
  session.program = append(record, executable.text(), folder.text(), payload);
}

long look_at_program(const Call& call) {
  record_mapped_changes();
  long file = open_program(call);
  if (file < 0) return kNotOurs;
  format::Unsupported reason = format::Unsupported::kPreloadFailed;
  bool recordable = library_is_readable() && trace_is_writable() &&
                    can_be_recorded(static_cast<int>(file), reason);
  bool runnable = is_at(call) || raw_call(SYS_access, call.arguments[0], X_OK) == 0;
  const Path name = name_of_program(call);
  if (!recordable && runnable) {
    append_unsupported(reason, name.text(), static_cast<int>(call.number));
  }
  if (runnable) note_start(name);
  raw_call(SYS_close, file);
  return kNotOurs;
}

// Not inlined: what it keeps on the stack must not weigh on every other call.
__attribute__((noinline)) long execute(const Call& call) {
  int index = is_at(call) ? 3 : 2;
  auto** environment = call.pointer<char*>(index);
  char* probe = nullptr;
  if (environment != nullptr &&
      !copy_from_user(static_cast<void*>(&probe), environment, sizeof probe)) {
    return pass(call);
  }
  // A small one on the stack: in a child of vfork, mapped memory would stay with the parent.
  alignas(8) char storage[1536];
  size_t needed = 0;
  long mapped = 0;
  char** completed = completed_environment(environment, storage, sizeof storage, &needed);
  if (completed == nullptr) {
    mapped = raw_call(SYS_mmap, 0, static_cast<long>(needed), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped < 0) return mapped;
    completed =
        completed_environment(environment, reinterpret_cast<void*>(mapped), needed, &needed);
  }
  Call changed = call;
  changed.arguments[index] = to_long(completed);
  // Here and now: the environment would be gone once the handler has returned. The new image
  // inherits the mask, so it must be the program's own.
  raw_call(SYS_rt_sigprocmask, SIG_SETMASK, to_long(&call.mask()), 0, sizeof call.mask());
  long result = changed.make();
  if (mapped != 0) raw_call(SYS_munmap, mapped, static_cast<long>(needed));
  return result;
}

}  // namespace everycrash::preload
