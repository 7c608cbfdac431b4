// sendfile, copy_file_range, splice and cloning: bytes that the kernel moves by itself. What
// arrived in the state directory is read back from there; what went to standard output, from its
// source.

#include "harness/record/preload/calls/record_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "harness/record/preload/calls/file_view.h"
#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/calls/recording.h"
#include "harness/record/preload/core/fault.h"
#include "harness/record/preload/core/object.h"
#include "harness/record/preload/core/plan.h"
#include "harness/record/preload/core/user_memory.h"

namespace everycrash::preload {

namespace {

struct Copy {
  int source;
  int target;
  const int64_t* source_offset;  // of the program; null = the file position
  const int64_t* target_offset;
  int length;  // which argument says how many bytes
  Call call;   // the form in which it is made
};

struct Offset {
  const int64_t* given;
  int64_t value = 0;

  // Before the call: it moves the offset, wherever that is kept.
  Offset(int descriptor, const int64_t* offset) : given(offset) {
    if (given != nullptr) {
      if (!copy_from_user(&value, given, sizeof value)) value = 0;
    } else {
      value = raw_call(SYS_lseek, descriptor, 0, SEEK_CUR);
    }
  }
};

void note_unknown(const Call& call, Text about) {
  append_unsupported(format::Unsupported::kUnknownCall, about, static_cast<int>(call.number));
}

long copy_to_stdout(const Call& caught, const Copy& copy) {
  Offset source(copy.source, copy.source_offset);
  Recording recording(format::Kind::kPrint, caught, Text{});
  long result = recording.make(copy.call);
  if (result <= 0) {
    session.header->in_call = 0;
    return result;
  }
  recording.record().length = result;
  FileView view(copy.source, source.value, static_cast<size_t>(result));
  if (!view.valid()) note_unknown(caught, text_of("standard output"));
  return recording.finish(Payload{&view.bytes(), 1, view.bytes().iov_len});
}

long copy_to_state(const Call& caught, Copy copy, const Object& object) {
  Object from;
  look_at_descriptor(copy.source, from);
  Offset source(copy.source, copy.source_offset);
  Offset target(copy.target, copy.target_offset);
  Recording recording(format::Kind::kWrite, caught, object);
  format::RecordHeader& record = recording.record();
  record.flags |= open_flags_of(copy.target);
  uint64_t cut = planned_cut(format::Kind::kWrite, object.path.text());
  if (ordered_cut(caught) < cut) cut = ordered_cut(caught);
  recording.set_bytes(copy.call.arguments[copy.length]);
  if (cut < static_cast<uint64_t>(copy.call.arguments[copy.length])) {
    copy.call.arguments[copy.length] = static_cast<long>(cut);
  }
  long result = recording.make(copy.call);
  if (result == -EAGAIN && copy.call.arguments[5] != caught.arguments[5]) {
    session.header->in_call = 0;
    return kTryAgain;
  }
  if (result <= 0) return recording.finish();
  record.length = result;
  record.offset = target.value;
  // An appending sendfile writes at the end, wherever the position was.
  if (copy.target_offset == nullptr) {
    record.offset = raw_call(SYS_lseek, copy.target, 0, SEEK_CUR) - result;
  }
  if (from.in_state()) {
    record.other_inode = from.inode();
    record.other_offset = source.value;
  }
  FileView view(copy.target, record.offset, static_cast<size_t>(result));
  if (!view.valid()) note_unknown(caught, object.path.text());
  return recording.finish(Payload{&view.bytes(), 1, view.bytes().iov_len});
}

long record_copy(const Call& caught, const Copy& copy) {
  Object object;
  if (!look_at_descriptor(copy.target, object)) return kNotOurs;
  if (object.in_state()) return copy_to_state(caught, copy, object);
  if (object.place == Place::kStdout) return copy_to_stdout(caught, copy);
  note_unknown(caught, text_of("the events file"));
  return kNotOurs;
}

bool is_regular(int descriptor) {
  struct stat status;
  return raw_call(SYS_fstat, descriptor, to_long(&status)) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

bool wait_for_source(const Call& call) {
  bool splices = call.number == SYS_splice;
  int source = call.descriptor(splices ? 0 : 1);
  struct stat status;
  if (!may_concern_us(call.descriptor(splices ? 2 : 0), status)) return false;
  if (is_regular(source)) return true;
  if (splices && (call.arguments[5] & SPLICE_F_NONBLOCK) != 0) return true;
  pollfd wanted = {source, POLLIN, 0};
  // With the program's own signal mask, since this may take for ever.
  while (raw_call(SYS_ppoll, to_long(&wanted), 1, 0, to_long(&call.mask()), 8) == -EINTR) {
  }
  return true;
}

long record_sendfile(const Call& call) {
  Copy copy = {call.descriptor(1), call.descriptor(0), call.pointer<int64_t>(2), nullptr, 3, call};
  if (!is_regular(copy.source)) {
    // No more than what is there already: nothing may wait under the lock.
    int ready = 0;
    raw_call(SYS_ioctl, copy.source, FIONREAD, to_long(&ready));
    if (ready > 0 && ready < call.arguments[3]) copy.call.arguments[3] = ready;
  }
  return record_copy(call, copy);
}

long record_copy_range(const Call& call) {
  return record_copy(call, {call.descriptor(0), call.descriptor(2), call.pointer<int64_t>(1),
                            call.pointer<int64_t>(3), 4, call});
}

long record_splice(const Call& call) {
  Copy copy = {call.descriptor(0),
               call.descriptor(2),
               call.pointer<int64_t>(1),
               call.pointer<int64_t>(3),
               4,
               call};
  copy.call.arguments[5] |= SPLICE_F_NONBLOCK;
  return record_copy(call, copy);
}

long record_clone(const Call& call) {
  int target = call.descriptor(0);
  file_clone_range range = {};
  range.src_fd = call.descriptor(2);
  if (static_cast<uint32_t>(call.arguments[1]) == static_cast<uint32_t>(FICLONERANGE) &&
      !copy_from_user(&range, call.pointer<void>(2), sizeof range)) {
    return kNotOurs;
  }
  Object object;
  if (!look_at_descriptor(target, object) || !object.in_state()) return kNotOurs;
  Object from;
  look_at_descriptor(static_cast<int>(range.src_fd), from);
  Recording recording(format::Kind::kWrite, call, object);
  long result = recording.make();
  if (result < 0 || !from.exists) return recording.finish();
  if (range.src_length == 0) {
    range.src_length = static_cast<uint64_t>(from.status.st_size) - range.src_offset;
  }
  format::RecordHeader& record = recording.record();
  record.offset = static_cast<int64_t>(range.dest_offset);
  record.length = static_cast<int64_t>(range.src_length);
  if (from.in_state()) {
    record.other_inode = from.inode();
    record.other_offset = static_cast<int64_t>(range.src_offset);
  }
  FileView view(target, record.offset, range.src_length);
  if (!view.valid()) note_unknown(call, object.path.text());
  return recording.finish(Payload{&view.bytes(), 1, view.bytes().iov_len});
}

}  // namespace everycrash::preload
