#include "harness/inject/faults/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#define EVERYCRASH_REPLACES extern "C" __attribute__((visibility("default")))

namespace everycrash::faults {

namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr const char* kSince = "EVERYCRASH_CLOCK_SINCE";

constinit format::FaultState own_state{};
constinit format::FaultState* followed = &own_state;

int64_t shift_of(int64_t real_ns) {
  const int64_t since = __atomic_load_n(&followed->clock_since_ns, __ATOMIC_ACQUIRE);
  return since != 0 && real_ns >= since ? followed->clock_shift_ns : 0;
}

template <typename Nanoseconds>
int64_t to_ns(int64_t seconds, Nanoseconds nanoseconds) {
  return seconds * kSecond + static_cast<int64_t>(nanoseconds);
}

int64_t real_now_ns() {
  timespec now = {};
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  return to_ns(now.tv_sec, now.tv_nsec);
}

/// As the workload sees it. Rounded down also before 1970.
void show(int64_t real_ns, int64_t& seconds, int64_t& nanoseconds) {
  const int64_t seen = real_ns + shift_of(real_ns);
  nanoseconds = (seen % kSecond + kSecond) % kSecond;
  seconds = (seen - nanoseconds) / kSecond;
}

void show(timespec& time) {
  int64_t seconds = 0;
  int64_t nanoseconds = 0;
  show(to_ns(time.tv_sec, time.tv_nsec), seconds, nanoseconds);
  time = {seconds, nanoseconds};
}

void show(struct statx_timestamp& time) {
  int64_t seconds = 0;
  int64_t nanoseconds = 0;
  show(to_ns(time.tv_sec, time.tv_nsec), seconds, nanoseconds);
  time.tv_sec = seconds;
  time.tv_nsec = static_cast<uint32_t>(nanoseconds);
}

int show(int result, struct stat* status) {
  if (result != 0) return result;
  show(status->st_atim);
  show(status->st_mtim);
  show(status->st_ctim);
  return 0;
}

/// What the workload means by TIME, as the kernel has to know it.
timespec meant(timespec time) {
  if (time.tv_nsec == UTIME_NOW || time.tv_nsec == UTIME_OMIT) return time;
  const int64_t since = __atomic_load_n(&followed->clock_since_ns, __ATOMIC_ACQUIRE);
  const int64_t real = to_ns(time.tv_sec, time.tv_nsec) - followed->clock_shift_ns;
  if (since == 0 || real < since) return time;
  const int64_t nanoseconds = (real % kSecond + kSecond) % kSecond;
  return {(real - nanoseconds) / kSecond, nanoseconds};
}

int set_times(int directory, const char* path, const timespec* times, int flags) {
  timespec real[2];
  if (times != nullptr) {
    real[0] = meant(times[0]);
    real[1] = meant(times[1]);
  }
  return static_cast<int>(
      syscall(SYS_utimensat, directory, path, times == nullptr ? nullptr : real, flags));
}

int look(int directory, const char* path, struct stat* status, int flags) {
  return show(static_cast<int>(syscall(SYS_newfstatat, directory, path, status, flags)), status);
}

}  // namespace

void follow_clock(format::FaultState* state) {
  followed = state == nullptr ? &own_state : state;
}

void set_clock_from_start(int64_t shift_ms) {
  if (followed->clock_since_ns != 0) return;
  int64_t since = real_now_ns();
  if (followed == &own_state) {
    if (const char* known = getenv(kSince)) {
      since = atoll(known);
    } else {
      char text[24];
      char* at = text + sizeof text;
      *--at = 0;
      for (int64_t rest = since; rest > 0; rest /= 10) *--at = static_cast<char>('0' + rest % 10);
      setenv(kSince, at, 1);
    }
  }
  followed->clock_shift_ns = shift_ms * 1'000'000;
  __atomic_store_n(&followed->clock_since_ns, since, __ATOMIC_RELEASE);
}

}  // namespace everycrash::faults

// What follows has the names of libc.
using everycrash::faults::look;
using everycrash::faults::set_times;
using everycrash::faults::show;

EVERYCRASH_REPLACES int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  const bool of_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  if (result == 0 && of_day) show(*time);
  return result;
}

EVERYCRASH_REPLACES int gettimeofday(timeval* time, void* zone) noexcept {
  if (zone != nullptr) *static_cast<struct timezone*>(zone) = {};
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

EVERYCRASH_REPLACES time_t time(time_t* result) noexcept {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}

EVERYCRASH_REPLACES int timespec_get(timespec* time, int base) noexcept {
  if (base != TIME_UTC) return 0;
  clock_gettime(CLOCK_REALTIME, time);
  return base;
}

EVERYCRASH_REPLACES int stat(const char* path, struct stat* status) noexcept {
  return look(AT_FDCWD, path, status, 0);
}
EVERYCRASH_REPLACES int lstat(const char* path, struct stat* status) noexcept {
  return look(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}
EVERYCRASH_REPLACES int fstat(int file, struct stat* status) noexcept {
  return show(static_cast<int>(syscall(SYS_fstat, file, status)), status);
}
EVERYCRASH_REPLACES int fstatat(int directory, const char* path, struct stat* status,
                                int flags) noexcept {
  return look(directory, path, status, flags);
}
// The same on this machine: off_t has 64 bits.
EVERYCRASH_REPLACES int stat64(const char* path, struct stat64* status) noexcept {
  return stat(path, reinterpret_cast<struct stat*>(status));
}
EVERYCRASH_REPLACES int lstat64(const char* path, struct stat64* status) noexcept {
  return lstat(path, reinterpret_cast<struct stat*>(status));
}
EVERYCRASH_REPLACES int fstat64(int file, struct stat64* status) noexcept {
  return fstat(file, reinterpret_cast<struct stat*>(status));
}
EVERYCRASH_REPLACES int fstatat64(int directory, const char* path, struct stat64* status,
                                  int flags) noexcept {
  return fstatat(directory, path, reinterpret_cast<struct stat*>(status), flags);
}
EVERYCRASH_REPLACES int statx(int directory, const char* path, int flags, unsigned mask,
                              struct statx* status) noexcept {
  const auto result = static_cast<int>(syscall(SYS_statx, directory, path, flags, mask, status));
  if (result != 0) return result;
  show(status->stx_atime);
  show(status->stx_mtime);
  show(status->stx_ctime);
  show(status->stx_btime);
  return 0;
}

EVERYCRASH_REPLACES int utimensat(int directory, const char* path, const timespec times[2],
                                  int flags) noexcept {
  return set_times(directory, path, times, flags);
}
EVERYCRASH_REPLACES int futimens(int file, const timespec times[2]) noexcept {
  return set_times(file, nullptr, times, 0);
}
EVERYCRASH_REPLACES int utimes(const char* path, const timeval times[2]) noexcept {
  if (times == nullptr) return set_times(AT_FDCWD, path, nullptr, 0);
  const timespec exact[] = {{times[0].tv_sec, times[0].tv_usec * 1000},
                            {times[1].tv_sec, times[1].tv_usec * 1000}};
  return set_times(AT_FDCWD, path, exact, 0);
}
EVERYCRASH_REPLACES int utime(const char* path, const utimbuf* times) noexcept {
  if (times == nullptr) return set_times(AT_FDCWD, path, nullptr, 0);
  const timespec exact[] = {{times->actime, 0}, {times->modtime, 0}};
  return set_times(AT_FDCWD, path, exact, 0);
}
