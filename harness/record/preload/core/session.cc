#include "harness/record/preload/core/session.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "harness/record/preload/core/caches.h"
#include "harness/record/preload/core/clock.h"
#include "harness/record/preload/core/gate.h"
#include "harness/record/preload/core/raw_call.h"
#include "harness/trace/checksum.h"

namespace everycrash::preload {

constinit Session session;

namespace {

constexpr uint64_t kGrowth = 4 << 20;  // blocks are reserved in steps, since each costs an open
constexpr uint64_t kMappedAhead = 128 << 10;
constexpr uint64_t kPage = 4096;
constexpr uint32_t kSomeoneWaits = 1u << 31;
constexpr long kPatienceNs = 100'000'000;  // then look whether the owner is still alive

char trace_path[format::kPathMax];
// Set while the statics of this library are being changed. A fork by another thread may copy them
// at such a moment; the child sees the mark when it first takes the lock.
bool statics_in_use = false;
uint64_t mapped_end = 0;  // up to here pages of the trace were mapped ahead

bool is_dead(uint32_t thread) {
  if (raw_call(SYS_tkill, thread, 0) == -ESRCH) return true;
  Buffer<64> path;
  path.add("/proc/");
  path.add_number(thread);
  path.add("/stat");
  long file = raw_call(SYS_openat, AT_FDCWD, to_long(path.data), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[128];
  long size = raw_call(SYS_read, file, to_long(text), sizeof text);
  raw_call(SYS_close, file);
  // "123 (name) Z ...": the name may hold anything, but is at most 16 bytes.
  long at = size - 1;
  while (at > 0 && text[at] != ')') --at;
  return at > 0 && at + 2 < size && (text[at + 2] == 'Z' || text[at + 2] == 'X');
}

// Waits for the lock. True if it was taken over from a dead thread.
bool lock_slowly(uint32_t* lock, uint32_t self) {
  for (;;) {
    uint32_t seen = __atomic_load_n(lock, __ATOMIC_RELAXED);
    if (seen == 0) {
      if (__atomic_compare_exchange_n(lock, &seen, self | kSomeoneWaits, false, __ATOMIC_ACQUIRE,
                                      __ATOMIC_RELAXED)) {
        return false;
      }
      continue;
    }
    uint32_t waited = seen | kSomeoneWaits;
    if (seen != waited && !__atomic_compare_exchange_n(lock, &seen, waited, false, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
      continue;
    }
    timespec patience = {0, kPatienceNs};
    long result = raw_call(SYS_futex, to_long(lock), FUTEX_WAIT, waited, to_long(&patience));
    // Who stands at the chosen point is killed first, and nobody may go on then.
    if (__atomic_load_n(&session.header->plan.reached, __ATOMIC_ACQUIRE) != 0) continue;
    if (result == -ETIMEDOUT && is_dead(waited & ~kSomeoneWaits) &&
        __atomic_compare_exchange_n(lock, &waited, self | kSomeoneWaits, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED)) {
      return true;
    }
  }
}

// Makes sure that writing up to END cannot fault. The trace is opened anew each time: a descriptor
// kept open would be seen, and closed, by the program.
bool reserve(uint64_t end) {
  format::FileHeader* header = session.header;
  if (end <= header->allocated) return true;
  int error = 0;
  if (end + kGrowth > header->capacity) {
    error = EFBIG;
  } else {
    long file = raw_call(SYS_openat, AT_FDCWD, to_long(trace_path), O_RDWR | O_CLOEXEC);
    if (file < 0) {
      error = static_cast<int>(-file);
    } else {
      uint64_t wanted = end + kGrowth;
      long result = raw_call(SYS_fallocate, file, 0, static_cast<long>(header->allocated),
                             static_cast<long>(wanted - header->allocated));
      raw_call(SYS_close, file);
      if (result == 0) {
        header->allocated = wanted;
        return true;
      }
      error = static_cast<int>(-result);
    }
  }
  header->full = static_cast<uint32_t>(error);
  return false;
}

// Has the pages up to END and some behind mapped at once, instead of by a fault each.
void map_ahead(uint64_t start, uint64_t end) {
  if (end <= mapped_end) return;
  const uint64_t begin = (start > mapped_end ? start : mapped_end) & ~(kPage - 1);
  const uint64_t wanted = (end + kMappedAhead) & ~(kPage - 1);
  mapped_end = wanted < session.header->allocated ? wanted : session.header->allocated;
  raw_call(SYS_madvise, to_long(session.base + begin), static_cast<long>(mapped_end - begin),
           MADV_POPULATE_WRITE);
}

char* copy_payload(char* to, const Payload& payload) {
  size_t left = payload.size;
  for (size_t i = 0; i < payload.count && left > 0; ++i) {
    size_t size = payload.pieces[i].iov_len < left ? payload.pieces[i].iov_len : left;
    memcpy(to, payload.pieces[i].iov_base, size);
    to += size;
    left -= size;
  }
  return to;
}

}  // namespace

int open_session(const char* path) {
  Text text = text_of(path);
  if (text.size >= sizeof trace_path) return ENAMETOOLONG;
  memcpy(trace_path, text.data, text.size + 1);
  long file = raw_call(SYS_openat, AT_FDCWD, to_long(path), O_RDWR | O_CLOEXEC);
  if (file < 0) return static_cast<int>(-file);
  format::FileHeader head;
  long got = raw_call(SYS_pread64, file, to_long(&head), sizeof head, 0);
  bool known = got == static_cast<long>(sizeof head) &&
               memcmp(head.magic, format::kMagic, sizeof head.magic) == 0 &&
               head.version == format::kVersion && head.sealed == 0;
  long base = known ? raw_call(SYS_mmap, 0, static_cast<long>(head.capacity),
                               PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0)
                    : -EINVAL;
  raw_call(SYS_close, file);
  if (base < 0) return static_cast<int>(-base);
  raw_call(SYS_madvise, base, static_cast<long>(head.capacity), MADV_DONTDUMP);
  session.base = reinterpret_cast<char*>(base);
  session.header = reinterpret_cast<format::FileHeader*>(base);
  return 0;
}

bool trace_is_writable() {
  // access(2) leaves capabilities out of account, as the exec of an ordinary user will drop them.
  return raw_call(SYS_access, to_long(trace_path), R_OK | W_OK) == 0;
}

void lock_session() {
  uint32_t* lock = &session.header->lock;
  auto self = static_cast<uint32_t>(raw_call(SYS_gettid));
  uint32_t free = 0;
  bool stolen = false;
  if (!__atomic_compare_exchange_n(lock, &free, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    stolen = lock_slowly(lock, self);
  }
  // A thread id names one process as long as it lives, and a child has another one.
  if (session.thread != static_cast<int32_t>(self) || session.process == 0) {
    session.thread = static_cast<int32_t>(self);
    session.process = static_cast<int32_t>(raw_call(SYS_getpid));
  }
  if (statics_in_use) forget_caches();
  statics_in_use = true;
  if (stolen && session.header->in_call != 0) {
    session.header->in_call = 0;
    append_unsupported(format::Unsupported::kLockStolen, Text{}, format::kNoCall);
  }
}

void unlock_session() {
  statics_in_use = false;
  uint32_t* lock = &session.header->lock;
  uint32_t before = __atomic_exchange_n(lock, 0, __ATOMIC_RELEASE);
  if ((before & kSomeoneWaits) != 0) raw_call(SYS_futex, to_long(lock), FUTEX_WAKE, 1);
}

uint64_t append(format::RecordHeader& record, Text path, Text other_path, const Payload& payload) {
  format::FileHeader* header = session.header;
  if (header->full != 0) return 0;
  uint64_t whole = sizeof record + path.size + other_path.size + payload.size;
  uint64_t size = (whole + 7) & ~uint64_t{7};
  uint64_t start = header->tail;
  if (size > UINT_MAX) {
    header->full = EFBIG;
    return 0;
  }
  if (!reserve(start + size)) return 0;
  map_ahead(start, start + size);

  record.size = static_cast<uint32_t>(size);
  record.sequence = header->next_sequence;
  record.time_ns = now_ns();
  record.process = session.process;
  record.thread = session.thread;
  record.path_size = static_cast<uint32_t>(path.size);
  record.other_path_size = static_cast<uint32_t>(other_path.size);
  record.payload_size = static_cast<uint32_t>(payload.size);
  record.runner = this_runner();

  char* at = session.base + start;
  char* strings = at + sizeof record;
  memcpy(strings, path.data, path.size);
  memcpy(strings + path.size, other_path.data, other_path.size);
  char* end = copy_payload(strings + path.size + other_path.size, payload);
  memset(end, 0, size - whole);
  memcpy(at, &record, sizeof record);
  uint32_t checksum = record_checksum(at, record.size);
  memcpy(at + offsetof(format::RecordHeader, checksum), &checksum, sizeof checksum);

  count_change(*header, record);
  header->next_sequence = record.sequence + 1;
  __atomic_store_n(&header->tail, start + size, __ATOMIC_RELEASE);
  return record.sequence;
}

void append_unsupported(format::Unsupported reason, Text about, int call) {
  format::RecordHeader record = {};
  record.kind = static_cast<uint16_t>(format::Kind::kUnsupported);
  record.call = static_cast<uint16_t>(call);
  record.mode = static_cast<uint32_t>(reason);
  append(record, about, Text{}, Payload{});
}

}  // namespace everycrash::preload
