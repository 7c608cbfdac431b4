#include "harness/record/preload/network/peers.h"

#include <netinet/in.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "harness/record/preload/core/raw_call.h"

namespace everycrash::preload {

namespace {

union AnyAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
  sockaddr_un local;
};

void add_port(uint16_t network_order, Address& name) {
  name.add(":");
  name.add_number(static_cast<uint16_t>(network_order << 8 | network_order >> 8));
}

void add_v4(const uint8_t* bytes, Address& name) {
  for (int i = 0; i < 4; ++i) {
    if (i > 0) name.add(".");
    name.add_number(bytes[i]);
  }
}

void add_hexadecimal(unsigned number, Address& name) {
  constexpr const char* kDigits = "0123456789abcdef";
  char digits[4];
  size_t count = 0;
  do digits[count++] = kDigits[number & 15];
  while ((number >>= 4) != 0);
  while (count > 0) name.add(Text{&digits[--count], 1});
}

void add_v6(const uint8_t* bytes, Address& name) {
  constexpr uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (memcmp(bytes, kMapped, sizeof kMapped) == 0) return add_v4(bytes + sizeof kMapped, name);
  name.add("[");
  for (int i = 0; i < 16; i += 2) {
    if (i > 0) name.add(":");
    add_hexadecimal(static_cast<unsigned>(bytes[i] << 8 | bytes[i + 1]), name);
  }
  name.add("]");
}

bool add_local(const sockaddr_un& address, size_t size, Address& name) {
  constexpr size_t kHead = offsetof(sockaddr_un, sun_path);
  if (size <= kHead) return false;  // it has no name
  name.add("unix:");
  const char* path = address.sun_path;
  size_t length = size - kHead;
  if (path[0] == 0) {
    name.add("@");
    name.add(Text{path + 1, length - 1});
    return true;
  }
  size_t end = 0;
  while (end < length && path[end] != 0) ++end;
  name.add(Text{path, end});
  return true;
}

template <typename T>
bool name_by(long number, int descriptor, T& name) {
  AnyAddress address = {};
  socklen_t size = sizeof address;
  if (raw_call(number, descriptor, to_long(&address), to_long(&size)) != 0) return false;
  return name_address(&address.any, size, name);
}

}  // namespace

bool is_stream(int descriptor) {
  int type = 0;
  socklen_t size = sizeof type;
  long result =
      raw_call(SYS_getsockopt, descriptor, SOL_SOCKET, SO_TYPE, to_long(&type), to_long(&size));
  return result == 0 && (type == SOCK_STREAM || type == SOCK_SEQPACKET);
}

bool name_address(const sockaddr* address, size_t size, Address& name) {
  if (size < sizeof(sa_family_t)) return false;
  name.clear();
  switch (address->sa_family) {
    case AF_INET: {
      if (size < sizeof(sockaddr_in)) return false;
      const auto& v4 = *reinterpret_cast<const sockaddr_in*>(address);
      add_v4(reinterpret_cast<const uint8_t*>(&v4.sin_addr), name);
      add_port(v4.sin_port, name);
      return true;
    }
    case AF_INET6: {
      if (size < offsetof(sockaddr_in6, sin6_scope_id)) return false;
      const auto& v6 = *reinterpret_cast<const sockaddr_in6*>(address);
      add_v6(v6.sin6_addr.s6_addr, name);
      add_port(v6.sin6_port, name);
      return true;
    }
    case AF_UNIX:
      return add_local(*reinterpret_cast<const sockaddr_un*>(address), size, name);
    default:
      return false;
  }
}

bool name_peer(int descriptor, Address& name) {
  return name_by(SYS_getpeername, descriptor, name);
}

bool name_self(int descriptor, Address& name) {
  return name_by(SYS_getsockname, descriptor, name);
}

}  // namespace everycrash::preload
