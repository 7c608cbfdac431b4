// The two ends of a stream socket, as text: "127.0.0.1:8080", "[0:0:0:0:0:0:0:1]:8080",
// "unix:/run/app.sock", "unix:@abstract".
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include "harness/record/preload/core/text.h"

namespace everycrash::preload {

using Address = Buffer<sizeof(sockaddr_un) + 16>;

/// True if DESCRIPTOR is a socket that keeps the order of what is sent: a stream, or packets in
/// sequence. (Datagrams are logs, names and times of day, not effects.)
bool is_stream(int descriptor);

/// Writes the address of SIZE bytes at ADDRESS; false if it is none that can be named.
bool name_address(const sockaddr* address, size_t size, Address& name);

/// Whom DESCRIPTOR is connected to. False if it is not, or if the other end has no name (a socket
/// pair, the client of a Unix socket).
bool name_peer(int descriptor, Address& name);

/// The address of DESCRIPTOR itself.
bool name_self(int descriptor, Address& name);

}  // namespace everycrash::preload
