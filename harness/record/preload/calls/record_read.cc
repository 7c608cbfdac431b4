// Calls that read and receive: caught only where faults are planned for them, and never recorded.

#include <errno.h>
#include <limits.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/core/fault.h"
#include "harness/record/preload/core/object.h"
#include "harness/record/preload/core/user_memory.h"
#include "harness/record/preload/network/network.h"

namespace everycrash::preload {

namespace {

// Where the call puts what it reads.
struct Target {
  iovec first = {nullptr, 0};  // that has room
  int64_t size = 0;            // of all together
};

bool add_pieces(const iovec* pieces, size_t count, Target& target) {
  for (size_t i = 0; i < count && i < IOV_MAX; ++i) {
    iovec piece;
    if (!copy_from_user(&piece, pieces + i, sizeof piece)) return false;
    if (target.size == 0) target.first = piece;
    target.size += static_cast<int64_t>(piece.iov_len);
  }
  return true;
}

bool read_target(const Call& call, Target& target) {
  switch (call.number) {
    case SYS_readv:
    case SYS_preadv:
    case SYS_preadv2:
      return add_pieces(call.pointer<iovec>(1), static_cast<size_t>(call.arguments[2]), target);
    case SYS_recvmsg: {
      msghdr header;
      if (!copy_from_user(&header, call.pointer<void>(1), sizeof header)) return false;
      if (header.msg_controllen != 0) return false;  // what comes beside the bytes cannot be cut
      return add_pieces(header.msg_iov, header.msg_iovlen, target);
    }
    case SYS_recvmmsg:
      return false;
    default:
      target.first = {call.pointer<void>(1), static_cast<size_t>(call.arguments[2])};
      target.size = static_cast<int64_t>(target.first.iov_len);
      return true;
  }
}

bool has_position(const Call& call) {
  switch (call.number) {
    case SYS_pread64:
    case SYS_preadv:
      return true;
    case SYS_preadv2:
      return call.arguments[3] != -1;
    default:
      return false;
  }
}

// How much the call would read of a file.
int64_t bytes_to_read(const Call& call, const Target& target) {
  if (!S_ISREG(call.status.st_mode)) return 0;
  const int64_t offset =
      has_position(call) ? call.arguments[3] : raw_call(SYS_lseek, call.descriptor(0), 0, SEEK_CUR);
  const int64_t left = call.status.st_size - offset;
  if (offset < 0 || left <= 0) return 0;
  return left < target.size ? left : target.size;
}

long smaller(uint64_t cut, size_t size) {
  return static_cast<long>(cut < size ? cut : size);
}

// A file, of which nothing has to be waited for.
long read_short(const Call& call, const Target& target) {
  Call changed = call;
  changed.number = has_position(call) ? SYS_pread64 : SYS_read;
  changed.arguments[1] = to_long(target.first.iov_base);
  changed.arguments[2] = smaller(ordered_cut(call), target.first.iov_len);
  return changed.make();
}

bool can_be_short(const Call& call, int flags) {
  int type = 0;
  socklen_t size = sizeof type;
  raw_call(SYS_getsockopt, call.descriptor(0), SOL_SOCKET, SO_TYPE, to_long(&type), to_long(&size));
  return type == SOCK_STREAM && (flags & (MSG_WAITALL | MSG_PEEK)) == 0;
}

long answer_receive(const Call& call) {
  Address peer;
  if (!name_other_end(call.descriptor(0), peer)) return kNotOurs;
  Target target;
  const int flags = flags_of_message(call);
  const bool cuttable = read_target(call, target) && can_be_short(call, flags);
  const long result = meet_network_fault(
      {call, FaultQuery::kReceive, cuttable ? target.size : 0, flags}, peer.text());
  return result == kNotOurs && ordered_cut(call) != ~uint64_t{0} ? kReceivesShort : result;
}

}  // namespace

long answer_read(const Call& call) {
  if (!faults_are_planned()) return kNotOurs;
  if (S_ISSOCK(call.status.st_mode)) return answer_receive(call);
  Object object;
  if (!look_at_descriptor(call.descriptor(0), call.status, object) || !object.in_state()) {
    return kNotOurs;
  }
  Target target;
  const int64_t bytes = read_target(call, target) ? bytes_to_read(call, target) : 0;
  if (fault_is_due(call, FaultQuery::kRead, object.path.text(), bytes)) return kFaultQuestion;
  const FaultOrder* order = order_of(call);
  if (order == nullptr) return kNotOurs;
  obey_before(call);
  if (order->what == FaultOrder::kFail) return -order->error;
  return order->what == FaultOrder::kShorten ? read_short(call, target) : kNotOurs;
}

long receive_short(const Call& call) {
  Target target;
  if (!read_target(call, target)) return pass(call);
  const int flags = flags_of_message(call);
  Call changed = call;
  changed.number = SYS_recvfrom;
  changed.arguments[1] = to_long(target.first.iov_base);
  changed.arguments[2] = smaller(ordered_cut(call), target.first.iov_len);
  changed.arguments[3] = flags | MSG_DONTWAIT;
  if (call.number != SYS_recvfrom) changed.arguments[4] = changed.arguments[5] = 0;
  const bool waits = may_wait(call.descriptor(0), flags);
  long result = changed.make();
  while (result == -EAGAIN && waits) {
    const long ready = wait_to_receive(call);
    if (ready <= 0) return ready == 0 ? -EAGAIN : ready;
    result = changed.make();
  }
  if (result >= 0 && call.number == SYS_recvmsg) {  // as the kernel leaves it for a stream
    call.pointer<msghdr>(1)->msg_namelen = 0;
    call.pointer<msghdr>(1)->msg_flags = 0;
  }
  return result;
}

}  // namespace everycrash::preload
