#include "harness/record/preload/network/network.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#include "harness/record/preload/core/fault.h"
#include "harness/record/preload/core/session.h"
#include "harness/record/preload/core/signals.h"
#include "harness/record/preload/network/silence.h"
#include "harness/record/system_calls.h"

namespace everycrash::preload {

namespace {

constexpr auto kConnect = static_cast<uint16_t>(format::Kind::kConnect);
constexpr auto kSend = static_cast<uint16_t>(format::Kind::kSend);

// The kernel forgets the peer of a connection that both sides have ended, while there may still be
// something to receive.
struct Peer {
  int descriptor = -1;
  uint64_t inode = 0;
  Address name{kZeroed};
};
constexpr size_t kPeers = 32;
constinit Peer peers[kPeers] = {};

bool remembered_peer(int descriptor, Address& name) {
  struct stat status;
  if (raw_call(SYS_fstat, descriptor, to_long(&status)) != 0) return false;
  Peer& peer = peers[static_cast<unsigned>(descriptor) % kPeers];
  if (name_peer(descriptor, name)) {
    peer.descriptor = descriptor;
    peer.inode = status.st_ino;
    peer.name.clear();
    peer.name.add(name.text());
    return true;
  }
  if (peer.descriptor != descriptor || peer.inode != status.st_ino) return false;
  name.clear();
  name.add(peer.name.text());
  return true;
}

// What the call is made for, of those that hang.
uint16_t kind_of(const Call& call) {
  const calls::SystemCall* known = calls::find(call.number);
  switch (known->handler) {
    case calls::Handler::kConnect:
      return kConnect;
    case calls::Handler::kRead:
      return FaultQuery::kReceive;
    default:
      return kSend;
  }
}

// True if it is a Unix socket.
bool is_local(int descriptor) {
  int domain = 0;
  socklen_t size = sizeof domain;
  raw_call(SYS_getsockopt, descriptor, SOL_SOCKET, SO_DOMAIN, to_long(&domain), to_long(&size));
  return domain == AF_UNIX;
}

// Milliseconds that the socket itself lets such a call wait; -1 = for ever.
int64_t own_limit_ms(int descriptor, uint16_t kind) {
  timeval limit = {};
  socklen_t size = sizeof limit;
  const int option = kind == FaultQuery::kReceive ? SO_RCVTIMEO : SO_SNDTIMEO;
  raw_call(SYS_getsockopt, descriptor, SOL_SOCKET, option, to_long(&limit), to_long(&size));
  const int64_t limit_ms = limit.tv_sec * 1000 + (limit.tv_usec + 999) / 1000;
  return limit_ms == 0 ? -1 : limit_ms;
}

// What has come by now, but not been received, is lost with the rest: nobody can tell whether it
// came before the peer fell silent.
void forget_received(int descriptor) {
  constexpr size_t kAtOnce = 1 << 20;
  while (raw_call(SYS_recvfrom, descriptor, 0, kAtOnce, MSG_DONTWAIT | MSG_TRUNC, 0, 0) > 0) {
  }
}

// A connection that the kernel itself waits for, since no answer comes, is made as ever.
long hang_for(const SocketCall& socket, int64_t duration_ms) {
  const int descriptor = socket.call.descriptor(0);
  const bool connects = socket.kind == kConnect;
  const bool waits = may_wait(descriptor, socket.flags);
  if (connects && waits && duration_ms != 0) return kHangs;  // it may as well begin afterwards
  const bool drop = socket.kind != kSend && (!waits || duration_ms == 0);
  const bool drops = begin_silence(descriptor, socket.kind, duration_ms, drop);
  if (drops && connects) return kNotOurs;
  if (drops && duration_ms == 0) forget_received(descriptor);
  return kHangs;
}

long fail_with(const SocketCall& socket, int error) {
  if (socket.kind == kSend && error == EPIPE && (socket.flags & MSG_NOSIGNAL) == 0) {
    raw_call(SYS_tkill, session.thread, SIGPIPE);  // comes once the handler has returned
  }
  return -error;
}

// With the program's own signals. 0 once the time is over; -EINTR if one of its handlers ran.
long sleep_ms(const Call& call, int64_t duration_ms) {
  timespec limit = {duration_ms / 1000, duration_ms % 1000 * 1'000'000};
  return raw_call(SYS_ppoll, 0, 0, to_long(&limit), to_long(&call.mask()), sizeof(KernelMask));
}

// A wait that handlers with SA_RESTART do not end, and others do: as in a call on a socket without
// a timeout (signal(7)).
long sleep_for_ever(const Call& call) {
  constexpr KernelMask kAll = ~KernelMask{0};
  uint32_t never = 0;
  raw_call(SYS_rt_sigprocmask, SIG_SETMASK, to_long(&call.mask()), 0, sizeof kAll);
  long result = 0;
  while (result == 0 || result == -EAGAIN) {
    result = raw_call(SYS_futex, to_long(&never), FUTEX_WAIT_PRIVATE, 0, 0);
  }
  raw_call(SYS_rt_sigprocmask, SIG_SETMASK, to_long(&kAll), 0, sizeof kAll);
  return result;
}

int64_t now_ms() {
  timespec now = {};
  raw_call(SYS_clock_gettime, CLOCK_MONOTONIC, to_long(&now));
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

// Until the time of the hang is over, or that which the socket allows.
long hang_until(Call& call, int64_t duration_ms, int64_t limit_ms) {
  const bool heals = limit_ms < 0 || duration_ms < limit_ms;
  const int64_t end = now_ms() + (heals ? duration_ms : limit_ms);
  for (int64_t left = end - now_ms(); left > 0; left = end - now_ms()) {
    // signal(7): with a timeout set no handler lets the call go on.
    if (sleep_ms(call, left) == -EINTR && limit_ms >= 0) return -EINTR;
  }
  if (!heals) return -EAGAIN;
  call.fault = FaultAnswer::kDoesNot;
  return kHealed;
}

int64_t silences_end_in_ms() {
  lock_session();
  const int64_t left_ms = end_old_silences();
  unlock_session();
  return left_ms;
}

// poll or epoll_wait for at most LIMIT_MS, with the program's own signals.
long wait_a_while(const Call& call, int64_t limit_ms) {
  const long mask = to_long(&call.mask());
  timespec limit = {limit_ms / 1000, limit_ms % 1000 * 1'000'000};
  if (call.number == SYS_poll) {
    return raw_call(SYS_ppoll, call.arguments[0], call.arguments[1], to_long(&limit), mask,
                    sizeof(KernelMask));
  }
  return raw_call(SYS_epoll_pwait, call.arguments[0], call.arguments[1], call.arguments[2],
                  limit_ms, mask, sizeof(KernelMask));
}

// True if the call is the one that met a silence before, on a socket that must not wait, and came
// again when it was over. As long as there is nothing for it (what was dropped is sent once more),
// it is the same call still.
bool comes_after_silence(const SocketCall& socket) {
  const int descriptor = socket.call.descriptor(0);
  if (!has_healed(descriptor, socket.kind, false)) return false;
  pollfd ready = {descriptor, static_cast<short>(socket.kind == kSend ? POLLOUT : POLLIN), 0};
  timespec at_once = {};
  const bool made =
      socket.kind == kConnect || may_wait(descriptor, socket.flags) ||
      raw_call(SYS_ppoll, to_long(&ready), 1, to_long(&at_once), 0, sizeof(KernelMask)) > 0;
  if (made) has_healed(descriptor, socket.kind, true);
  return true;
}

}  // namespace

bool name_other_end(int descriptor, Address& name) {
  if (remembered_peer(descriptor, name)) return true;
  return name_self(descriptor, name) && starts_with(name.text(), text_of("unix:"));
}

bool may_wait(int descriptor, int flags) {
  if ((flags & MSG_DONTWAIT) != 0) return false;
  long open_flags = raw_call(SYS_fcntl, descriptor, F_GETFL);
  return open_flags >= 0 && (open_flags & O_NONBLOCK) == 0;
}

int flags_of_message(const Call& call) {
  switch (call.number) {
    case SYS_sendto:
    case SYS_recvfrom:
    case SYS_recvmmsg:
      return static_cast<int>(call.arguments[3]);
    case SYS_sendmsg:
    case SYS_recvmsg:
      return static_cast<int>(call.arguments[2]);
    default:
      return 0;
  }
}

long meet_network_fault(const SocketCall& socket, Text peer) {
  // What began to hang before goes on to do so; it is no other call that meets the fault.
  if (socket.call.fault == FaultAnswer::kNotAsked &&
      silence_left_ms(socket.call.descriptor(0), socket.kind) != 0) {
    return socket.kind == kConnect ? kNotOurs : kHangs;
  }
  if (comes_after_silence(socket) && socket.call.fault == FaultAnswer::kNotAsked)
    socket.call.fault = FaultAnswer::kDoesNot;
  if (fault_is_due(socket.call, socket.kind, peer, socket.bytes)) return kFaultQuestion;
  const FaultOrder* order = order_of(socket.call);
  if (order == nullptr) return kNotOurs;
  obey_before(socket.call);
  if (order->what == FaultOrder::kFail) return fail_with(socket, order->error);
  return order->what == FaultOrder::kHang ? hang_for(socket, order->value) : kNotOurs;
}

long hang(Call& call) {
  const int descriptor = call.descriptor(0);
  const uint16_t kind = kind_of(call);
  if (!may_wait(descriptor, flags_of_message(call))) {
    // Where answers cannot be dropped, a connection would be made while the program polls for it.
    if (kind == kConnect && !is_local(descriptor)) return -ETIMEDOUT;
    sleep_ms(call, 1);  // poll(2) may say that it is ready, and the program come again at once
    return -EAGAIN;
  }
  lock_session();
  int64_t left_ms = silence_left_ms(descriptor, kind);
  unlock_session();
  if (left_ms == 0 && order_of(call) == nullptr) return kHealed;
  if (left_ms == 0) left_ms = order_of(call)->value;
  const int64_t limit_ms = own_limit_ms(descriptor, kind);
  if (left_ms > 0) return hang_until(call, left_ms, limit_ms);
  if (limit_ms < 0) return sleep_for_ever(call);
  return sleep_ms(call, limit_ms) == 0 ? -EAGAIN : -EINTR;
}

long wait_to_receive(const Call& call) {
  pollfd wanted = {call.descriptor(0), POLLIN, 0};
  const int64_t limit_ms = own_limit_ms(wanted.fd, FaultQuery::kReceive);
  timespec limit = {limit_ms / 1000, limit_ms % 1000 * 1'000'000};
  for (;;) {
    const long ready = raw_call(SYS_ppoll, to_long(&wanted), 1, limit_ms < 0 ? 0 : to_long(&limit),
                                to_long(&call.mask()), sizeof(KernelMask));
    if (ready != -EINTR || limit_ms >= 0) return ready;
  }
}

long wait_while_healing(const Call& call) {
  int64_t silent_ms = silences_end_in_ms();
  if (silent_ms < 0) return pass(call);
  const int64_t limit_ms = static_cast<int>(call.arguments[call.number == SYS_poll ? 2 : 3]);
  const int64_t end = now_ms() + limit_ms;
  for (;; silent_ms = silences_end_in_ms()) {
    if (silent_ms < 0 && limit_ms < 0) return pass(call);
    const int64_t left_ms = end > now_ms() ? end - now_ms() : 0;
    const bool last = silent_ms < 0 || (limit_ms >= 0 && left_ms <= silent_ms);
    const long result = wait_a_while(call, last ? left_ms : silent_ms);
    if (result != 0 || last) return result;
  }
}

}  // namespace everycrash::preload
