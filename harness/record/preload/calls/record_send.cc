// connect, listen, and what is sent on stream sockets: sendto, sendmsg, and write and writev on a
// socket. What the bytes mean (an HTTP request, a message) is found out later, by who reads the
// trace.
//
// A send may wait for long, which nothing may do under the lock. If the bytes fit into the socket's
// buffer they are sent at once, without waiting, and recorded with the result. If they may not, the
// program makes the call itself, as if it had not been caught, and what it wants to send is
// recorded before: the only way in which a failed send can get into a trace.

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/calls/recording.h"
#include "harness/record/preload/core/fault.h"
#include "harness/record/preload/core/user_memory.h"
#include "harness/record/preload/network/network.h"
#include "harness/record/preload/network/peers.h"

namespace everycrash::preload {

namespace {

struct SendRequest {
  iovec pieces[IOV_MAX];
  msghdr header = {};  // of the form in which it is made
  size_t size = 0;     // bytes
  int flags = 0;
};

bool set_pieces(SendRequest& request, const iovec* pieces, size_t count) {
  if (count > IOV_MAX) return false;
  if (count > 0 && !copy_from_user(request.pieces, pieces, count * sizeof(iovec))) return false;
  request.header.msg_iov = request.pieces;
  request.header.msg_iovlen = count;
  for (size_t i = 0; i < count; ++i) request.size += request.pieces[i].iov_len;
  return true;
}

bool read_request(const Call& call, SendRequest& request) {
  switch (call.number) {
    case SYS_sendmsg:
      request.flags = static_cast<int>(call.arguments[2]);
      return copy_from_user(&request.header, call.pointer<void>(1), sizeof request.header) &&
             set_pieces(request, request.header.msg_iov, request.header.msg_iovlen);
    case SYS_writev:
      return set_pieces(request, call.pointer<iovec>(1), static_cast<size_t>(call.arguments[2]));
    case SYS_sendto:
      request.flags = static_cast<int>(call.arguments[3]);
      [[fallthrough]];
    case SYS_write:
      request.pieces[0] = {call.pointer<void>(1), static_cast<size_t>(call.arguments[2])};
      request.header.msg_iov = request.pieces;
      request.header.msg_iovlen = 1;
      request.size = request.pieces[0].iov_len;
      return true;
    default:
      return false;  // the pwrite family fails on a socket
  }
}

bool waits(int descriptor, int flags) {
  if ((flags & MSG_DONTWAIT) != 0) return false;
  long open_flags = raw_call(SYS_fcntl, descriptor, F_GETFL);
  return open_flags >= 0 && (open_flags & O_NONBLOCK) == 0;
}

// True if SIZE more bytes fit into the buffer for certain. The kernel counts its own overhead too,
// which for small pieces is as much again.
bool fits(int descriptor, size_t size) {
  int capacity = 0;
  int used = 0;
  socklen_t length = sizeof capacity;
  raw_call(SYS_getsockopt, descriptor, SOL_SOCKET, SO_SNDBUF, to_long(&capacity), to_long(&length));
  if (raw_call(SYS_ioctl, descriptor, SIOCOUTQ, to_long(&used)) != 0) return false;
  return (size + static_cast<size_t>(used)) * 2 <= static_cast<size_t>(capacity);
}

// The program's own memory is read before the kernel has looked at it.
bool can_be_read(const SendRequest& request) {
  for (size_t i = 0; i < request.header.msg_iovlen; ++i) {
    const iovec& piece = request.pieces[i];
    const char* bytes = static_cast<const char*>(piece.iov_base);
    char byte = 0;
    if (piece.iov_len == 0) continue;
    if (!copy_from_user(&byte, bytes, 1)) return false;
    if (!copy_from_user(&byte, bytes + piece.iov_len - 1, 1)) return false;
  }
  return true;
}

Payload kept_of(const SendRequest& request, uint64_t size) {
  return {request.pieces, request.header.msg_iovlen,
          size < format::kSendKept ? size : format::kSendKept};
}

// The first CUT bytes of it.
void shorten(SendRequest& request, uint64_t cut) {
  size_t left = cut < request.size ? cut : request.size;
  request.size = left;
  for (size_t i = 0; i < request.header.msg_iovlen; ++i) {
    iovec& piece = request.pieces[i];
    if (piece.iov_len > left) piece.iov_len = left;
    left -= piece.iov_len;
  }
}

// Whom a datagram goes to that names its receiver.
bool name_receiver(const Call& call, const SendRequest& request, Address& name) {
  const bool by_message = call.number == SYS_sendmsg;
  if (!by_message && call.number != SYS_sendto) return false;
  const void* given = by_message ? request.header.msg_name : call.pointer<void>(4);
  const auto size =
      by_message ? request.header.msg_namelen : static_cast<size_t>(call.arguments[5]);
  sockaddr_storage address = {};
  if (given == nullptr || size > sizeof address || !copy_from_user(&address, given, size)) {
    return false;
  }
  return name_address(reinterpret_cast<sockaddr*>(&address), size, name);
}

// A fault on the way to its peer; kNotOurs if there is none, or if it only cuts the send short.
long meet_fault(const Call& call, const SendRequest& request, bool is_stream) {
  if (!faults_are_planned()) return kNotOurs;
  Address peer;
  if (!name_receiver(call, request, peer) && !name_other_end(call.descriptor(0), peer)) {
    return kNotOurs;
  }
  const int64_t bytes = is_stream ? static_cast<int64_t>(request.size) : 0;
  return meet_network_fault(
      {call, static_cast<uint16_t>(format::Kind::kSend), bytes, request.flags}, peer.text());
}

// What the program is about to send by itself.
long let_it_wait(const Call& call, const SendRequest& request, Text peer) {
  if (!can_be_read(request)) return kNotOurs;
  format::RecordHeader record = {};
  record.kind = static_cast<uint16_t>(format::Kind::kSend);
  record.call = static_cast<uint16_t>(call.number);
  record.inode = call.status.st_ino;
  record.length = record.result = static_cast<int64_t>(request.size);
  append(record, peer, Text{}, kept_of(request, request.size));
  return kNotOurs;
}

long append_address(format::Kind kind, const Call& call, Text name) {
  struct stat status;
  if (raw_call(SYS_fstat, call.descriptor(0), to_long(&status)) != 0) return kNotOurs;
  format::RecordHeader record = {};
  record.kind = static_cast<uint16_t>(kind);
  record.call = static_cast<uint16_t>(call.number);
  record.inode = status.st_ino;
  append(record, name, Text{}, Payload{});
  return kNotOurs;
}

}  // namespace

long record_connect(const Call& call) {
  sockaddr_storage address = {};
  auto size = static_cast<size_t>(call.arguments[2]);
  if (size > sizeof address || !is_stream(call.descriptor(0))) return kNotOurs;
  if (!copy_from_user(&address, call.pointer<void>(1), size)) return kNotOurs;
  Address name;
  if (!name_address(reinterpret_cast<sockaddr*>(&address), size, name)) return kNotOurs;
  if (faults_are_planned()) {
    const long met =
        meet_network_fault({call, static_cast<uint16_t>(format::Kind::kConnect)}, name.text());
    if (met != kNotOurs) return met;
  }
  return append_address(format::Kind::kConnect, call, name.text());
}

long record_listen(const Call& call) {
  if (!is_stream(call.descriptor(0))) return kNotOurs;
  // Afterwards, since a socket without an address gets one by this. It never waits.
  long result = call.make();
  Address name;
  if (result == 0 && name_self(call.descriptor(0), name)) {
    append_address(format::Kind::kListen, call, name.text());
  }
  return result;
}

long record_send(const Call& call) {
  int descriptor = call.descriptor(0);
  SendRequest request;
  if (!S_ISSOCK(call.status.st_mode) || !read_request(call, request) || request.size == 0) {
    return kNotOurs;
  }
  const bool stream = is_stream(descriptor);
  if (const long met = meet_fault(call, request, stream); met != kNotOurs) return met;
  Address peer;
  if (!stream || !name_peer(descriptor, peer)) return kNotOurs;
  shorten(request, ordered_cut(call));
  bool may_wait = waits(descriptor, request.flags);
  if (may_wait && !fits(descriptor, request.size)) return let_it_wait(call, request, peer.text());

  Call changed = call;
  changed.number = SYS_sendmsg;
  changed.arguments[1] = to_long(&request.header);
  changed.arguments[2] = request.flags | (may_wait ? MSG_DONTWAIT : 0);
  Recording recording(format::Kind::kSend, call, peer.text());
  recording.record().inode = call.status.st_ino;
  long result = recording.make(changed);
  if (result <= 0) {
    session.header->in_call = 0;
    return result == -EAGAIN && may_wait ? let_it_wait(call, request, peer.text()) : result;
  }
  recording.record().length = result;
  return recording.finish(kept_of(request, static_cast<uint64_t>(result)));
}

}  // namespace everycrash::preload
