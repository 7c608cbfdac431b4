// Faults of calls on sockets: errors, short receives, and peers that fall silent. Nothing of it
// happens unless a plan of faults asks for it.
//
// A call that hangs is made to wait here, without the lock and with the program's own signal mask,
// so that its timeouts and signals end it as ever. poll(2) has to see the silence too: a socket
// filter that drops every packet (SO_ATTACH_FILTER) is put on a TCP socket, which the kernel then
// takes for one whose peer is gone, and taken off once the partition has healed.
#pragma once

#include "harness/record/preload/core/call.h"
#include "harness/record/preload/network/peers.h"

namespace everycrash::preload {

/// What a handler returns for a call that is to hang, or to receive less; no system call does.
inline constexpr long kHangs = INT64_MIN + 17;
inline constexpr long kReceivesShort = INT64_MIN + 18;
/// What hang() answers once the call is to be made after all.
inline constexpr long kHealed = INT64_MIN + 19;

/// One call on a socket. KIND as in FaultQuery.
struct SocketCall {
  const Call& call;
  uint16_t kind;
  int64_t bytes = 0;  ///< as in FaultQuery
  int flags = 0;      ///< MSG_*
};

/// Asks whether a fault is due for a call with that peer. Returns what the handler is to return at
/// once (kFaultQuestion, kHangs, an error), or kNotOurs: nothing happens, or the call is to be cut
/// short, see ordered_cut(). Under the lock.
long meet_network_fault(const SocketCall& socket, Text peer);

/// Names the other end of a socket, or its own where the other has no name and is a Unix socket.
/// Under the lock.
bool name_other_end(int descriptor, Address& name);

/// True if a call with these MSG_* flags waits for the peer where it has to.
bool may_wait(int descriptor, int flags);

/// The MSG_* flags of a call.
int flags_of_message(const Call& call);

/// What becomes of a call for which the handler returned kHangs: its result, or kHealed. Without
/// the lock.
long hang(Call& call);

/// What becomes of a call for which the handler returned kReceivesShort (record_read.cc). Without
/// the lock.
long receive_short(const Call& call);

/// Waits until there is something to receive, as the call itself would: positive, 0 at the end of
/// the socket's own time limit, or -errno. Without the lock.
long wait_to_receive(const Call& call);

/// poll and epoll_wait, where partitions heal meanwhile. Without the lock.
long wait_while_healing(const Call& call);

}  // namespace everycrash::preload
