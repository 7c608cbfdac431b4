#include "harness/record/preload/network/silence.h"

#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "harness/record/preload/core/raw_call.h"

namespace everycrash::preload {

namespace {

constexpr int64_t kMillisecond = 1'000'000;

struct Silence {
  int descriptor;
  uint16_t kind;
  bool dropping;
  bool healed;  // it is over, but the call that met it has not been made
  uint64_t inode;
  int64_t until_ns;  // of CLOCK_MONOTONIC, or kForEver; 0: not in use
};
constexpr int64_t kForEver = INT64_MAX;
constexpr size_t kSilences = 32;
constinit Silence silences[kSilences] = {};

int64_t monotonic_ns() {
  timespec now = {};
  raw_call(SYS_clock_gettime, CLOCK_MONOTONIC, to_long(&now));
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

uint64_t inode_of(int descriptor) {
  struct stat status;
  return raw_call(SYS_fstat, descriptor, to_long(&status)) == 0 ? status.st_ino : 0;
}

int socket_option(int descriptor, int option) {
  int value = -1;
  socklen_t size = sizeof value;
  raw_call(SYS_getsockopt, descriptor, SOL_SOCKET, option, to_long(&value), to_long(&size));
  return value;
}

// Rounded up: who waits so long must find it over.
int64_t left_ms(const Silence& silence, int64_t now_ns) {
  int64_t left = silence.until_ns - now_ns;
  return left <= 0 ? 0 : (left + kMillisecond - 1) / kMillisecond;
}

bool is_open(const Silence& silence) {
  return inode_of(silence.descriptor) == silence.inode;
}

bool is_about(const Silence& silence, int descriptor, uint16_t kind) {
  return silence.descriptor == descriptor && silence.kind == kind;
}

void end(Silence& silence) {
  if (silence.dropping && is_open(silence)) {
    int nothing = 0;
    raw_call(SYS_setsockopt, silence.descriptor, SOL_SOCKET, SO_DETACH_FILTER, to_long(&nothing),
             sizeof nothing);
  }
  silence.until_ns = 0;
  silence.healed = true;
}

// True if DESCRIPTOR is a TCP socket, for which nothing arrives any more.
bool drop_all(int descriptor) {
  const int domain = socket_option(descriptor, SO_DOMAIN);
  if (domain != AF_INET && domain != AF_INET6) return false;
  if (socket_option(descriptor, SO_PROTOCOL) != IPPROTO_TCP) return false;
  sock_filter drop = BPF_STMT(BPF_RET | BPF_K, 0);
  const sock_fprog program = {1, &drop};
  return raw_call(SYS_setsockopt, descriptor, SOL_SOCKET, SO_ATTACH_FILTER, to_long(&program),
                  sizeof program) == 0;
}

Silence* find_room() {
  Silence* room = nullptr;
  for (Silence& silence : silences) {
    if (silence.until_ns != 0 && is_open(silence)) continue;
    if (room == nullptr || room->healed) room = &silence;
  }
  return room;
}

}  // namespace

bool begin_silence(int descriptor, uint16_t kind, int64_t duration_ms, bool drop) {
  end_old_silences();
  Silence* room = find_room();
  if (room == nullptr) return false;
  *room = {descriptor,
           kind,
           drop && drop_all(descriptor),
           false,
           inode_of(descriptor),
           duration_ms == 0 ? kForEver : monotonic_ns() + duration_ms * kMillisecond};
  return room->dropping;
}

bool has_healed(int descriptor, uint16_t kind, bool forget) {
  end_old_silences();
  bool found = false;
  for (Silence& silence : silences) {
    if (!silence.healed || !is_about(silence, descriptor, kind)) continue;
    found = found || is_open(silence);
    if (forget || !is_open(silence)) silence.healed = false;
  }
  return found;
}

int64_t silence_left_ms(int descriptor, uint16_t kind) {
  for (const Silence& silence : silences) {
    if (silence.until_ns == 0 || !is_about(silence, descriptor, kind)) continue;
    if (!is_open(silence)) continue;
    return silence.until_ns == kForEver ? -1 : left_ms(silence, monotonic_ns());
  }
  return 0;
}

int64_t end_old_silences() {
  int64_t next_ms = -1;
  for (Silence& silence : silences) {
    if (silence.until_ns == 0 || silence.until_ns == kForEver) continue;
    const int64_t left = left_ms(silence, monotonic_ns());
    if (left == 0) {
      end(silence);
    } else if (next_ms < 0 || left < next_ms) {
      next_ms = left;
    }
  }
  return next_ms;
}

}  // namespace everycrash::preload
