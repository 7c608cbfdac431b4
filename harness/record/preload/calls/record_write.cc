// write, pwrite64, writev, pwritev, pwritev2: to a file, to standard output, to the events file.

#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>

#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/calls/recording.h"
#include "harness/record/preload/core/fault.h"
#include "harness/record/preload/core/object.h"
#include "harness/record/preload/core/plan.h"
#include "harness/record/preload/core/user_memory.h"

namespace everycrash::preload {

namespace {

struct WriteRequest {
  iovec pieces[IOV_MAX];
  size_t count = 0;
  bool positioned = false;
  int64_t offset = 0;
  uint32_t flags = 0;  // format::kSyncWrite and its kin, from the RWF_* bits
};

bool is_vector(long number) {
  return number != SYS_write && number != SYS_pwrite64;
}

uint32_t flags_of_rwf(long bits) {
  uint32_t flags = 0;
  if ((bits & RWF_SYNC) != 0) flags |= format::kSyncWrite;
  if ((bits & RWF_DSYNC) != 0) flags |= format::kDataSyncWrite;
  if ((bits & RWF_APPEND) != 0) flags |= format::kAppend;
  return flags;
}

bool read_request(const Call& call, WriteRequest& request) {
  if (is_vector(call.number)) {
    request.count = static_cast<size_t>(call.arguments[2]);
    if (request.count > IOV_MAX) {
      request.count = 0;
      return false;
    }
    size_t size = request.count * sizeof(iovec);
    if (size > 0 && !copy_from_user(request.pieces, call.pointer<void>(1), size)) return false;
  } else {
    request.count = 1;
    request.pieces[0] = {call.pointer<void>(1), static_cast<size_t>(call.arguments[2])};
  }
  if (call.number != SYS_write && call.number != SYS_writev) {
    request.offset = call.arguments[3];
    request.positioned = true;
  }
  if (call.number == SYS_pwritev2) {
    if (request.offset == -1) request.positioned = false;
    request.flags = flags_of_rwf(call.arguments[5]);
  }
  return true;
}

// The same call, of the first CUT bytes.
Call shortened(const Call& call, WriteRequest& request, uint64_t cut) {
  Call changed = call;
  if (!is_vector(call.number)) {
    if (cut < static_cast<uint64_t>(call.arguments[2]))
      changed.arguments[2] = static_cast<long>(cut);
    return changed;
  }
  uint64_t left = cut;
  for (size_t i = 0; i < request.count; ++i) {
    if (request.pieces[i].iov_len > left) request.pieces[i].iov_len = left;
    left -= request.pieces[i].iov_len;
  }
  changed.arguments[1] = to_long(request.pieces);
  return changed;
}

int64_t bytes_of(const WriteRequest& request) {
  size_t bytes = 0;
  for (size_t i = 0; i < request.count; ++i) bytes += request.pieces[i].iov_len;
  return static_cast<int64_t>(bytes);
}

// How many bytes lie where the file has room already. A file with holes counts as if it had none.
int64_t overwrites_of(const Call& call, const WriteRequest& request, uint32_t flags) {
  constexpr int64_t kBlock = 512;  // of st_blocks, on every file system
  const struct stat& status = call.status;
  if ((flags & format::kAppend) != 0 || status.st_blocks * kBlock < status.st_size) return 0;
  const int64_t offset =
      request.positioned ? request.offset : raw_call(SYS_lseek, call.descriptor(0), 0, SEEK_CUR);
  const int64_t room = status.st_size - offset;
  const int64_t bytes = bytes_of(request);
  if (offset < 0 || room <= 0) return 0;
  return room < bytes ? room : bytes;
}

uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

int64_t offset_of(int descriptor, const WriteRequest& request, uint32_t flags, long result) {
  if (!request.positioned) return raw_call(SYS_lseek, descriptor, 0, SEEK_CUR) - result;
  if ((flags & format::kAppend) == 0) return request.offset;
  // Linux appends whatever the offset says, and leaves the file position alone.
  struct stat status;
  if (raw_call(SYS_fstat, descriptor, to_long(&status)) != 0) return request.offset;
  return status.st_size - result;
}

long record_promise(const Call& call, const Object& object, WriteRequest& request) {
  bool print = object.place == Place::kStdout;
  Recording recording(print ? format::Kind::kPrint : format::Kind::kEvent, call, Text{});
  uint64_t cut =
      print ? smaller(planned_cut(format::Kind::kPrint, Text{}), ordered_cut(call)) : ~uint64_t{0};
  recording.set_bytes(bytes_of(request));
  long result = recording.make(cut == ~uint64_t{0} ? call : shortened(call, request, cut));
  if (result < 0) {
    session.header->in_call = 0;
    return result;
  }
  recording.record().length = result;
  return recording.finish(Payload{request.pieces, request.count, static_cast<size_t>(result)});
}

}  // namespace

long record_write(const Call& call) {
  int descriptor = call.descriptor(0);
  Object object;
  if (!look_at_descriptor(descriptor, call.status, object)) {
    return S_ISSOCK(call.status.st_mode) ? record_send(call) : kNotOurs;
  }
  WriteRequest request;
  bool readable = read_request(call, request);
  if (!readable && !object.in_state()) return kNotOurs;
  if (!object.in_state()) return record_promise(call, object, request);

  Recording recording(format::Kind::kWrite, call, object);
  format::RecordHeader& record = recording.record();
  record.flags |= request.flags | open_flags_of(descriptor);
  uint64_t cut = smaller(planned_cut(format::Kind::kWrite, object.path.text()), ordered_cut(call));
  recording.set_bytes(bytes_of(request));
  if (faults_are_planned()) recording.set_overwrites(overwrites_of(call, request, record.flags));
  long result = recording.make(cut == ~uint64_t{0} ? call : shortened(call, request, cut));
  if (!readable && result > 0) {
    append_unsupported(format::Unsupported::kUnknownCall, object.path.text(),
                       static_cast<int>(call.number));
  }
  if (!readable || result < 0) return recording.finish();
  record.length = result;
  record.offset = offset_of(descriptor, request, record.flags, result);
  return recording.finish(Payload{request.pieces, request.count, static_cast<size_t>(result)});
}

}  // namespace everycrash::preload
