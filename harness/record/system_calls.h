// The one table of the system calls that a recording catches: for each its number and name, what
// records it, with which points it is caught, and when. Dispatcher, filter, what leads to a point
// and the names in messages come from it.
//
// A new call is a row here. If no handler is made for its like, it also takes an enumerator of
// Handler and, in preload/calls/, a line in handlers.cc, a declaration and the function. The
// compiler says which of them is missing, and so do the assertions below.
//
// Knows no back end. Free of the C++ library and of allocation: it is included by code that runs
// inside other programs.
#pragma once

#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "harness/trace/kind_traits.h"

namespace everycrash::calls {

/// What is done with a caught call.
enum class Handler : uint8_t {
  kWrite,
  kSend,
  kRead,  ///< of files and sockets: for faults alone
  kConnect,
  kListen,
  kOpen,
  kClose,
  kCloseRange,
  kDuplicate,
  kExit,
  kRename,
  kLink,
  kUnlink,
  kRemoveDirectory,
  kSymlink,
  kMakeDirectory,
  kMakeNode,
  kBind,
  kTruncate,
  kTruncateOpenFile,
  kAllocate,
  kFileSync,
  kSyncAll,
  kSyncFileSystem,
  kSyncRange,
  kSendfile,
  kCopyRange,
  kSplice,
  kClone,    ///< ioctl: FICLONE, FICLONERANGE
  kControl,  ///< fcntl
  kLock,     ///< flock
  kChangeMode,
  kChangeOwner,
  kChangeTimes,
  kSetAttribute,
  kRemoveAttribute,
  kMap,
  kProtect,
  kMove,  ///< mremap
  kMapSync,
  kExecute,
  kRefuse,  ///< answered as by a kernel without it
  kNameAsyncWrite,
  kNameChroot,
  kWait,  ///< poll and the like: while partitions heal
  // What could keep SIGSYS from coming: for a back end that lives on it.
  kSignalAction,
  kSignalMask,
  kWaitWithMask,  ///< another mask is in force as long as the call waits
};
inline constexpr size_t kHandlers = static_cast<size_t>(Handler::kWaitWithMask) + 1;

/// When a call is caught.
enum class Caught : uint8_t {
  kAlways,
  kByArgument,        ///< if one of kArgumentTests says so
  kForReads,          ///< where reads and receives can meet faults
  kForWaits,          ///< where a partition may heal while the program waits
  kBehindLoader,      ///< the loader makes it too, before anything can be caught: once that is over
  kReadBehindLoader,  ///< both this and kForReads
};

struct SystemCall {
  int number;
  const char* name;
  Handler handler;
  CallGroup group;  ///< of points: where a run stops alone at one of them, it is caught
  Caught caught = Caught::kAlways;
  /// The argument by which it names a file, if it does so by a descriptor and nothing else: most
  /// such calls are on files that are none of ours, which that alone tells.
  int8_t descriptor = -1;
  bool streams = false;  ///< that may be a pipe or a socket, so the outside may be told something
};

// Newer than the headers of the machine that builds this.
inline constexpr int kEpollPwait2 = 441;
inline constexpr int kFchmodat2 = 452;

using H = Handler;
using G = CallGroup;
using C = Caught;
#define EVERYCRASH_CALL(name) SYS_##name, #name

/// The filter asks for them in this order.
inline constexpr SystemCall kSystemCalls[] = {
    {EVERYCRASH_CALL(write), H::kWrite, G::kWrite, C::kAlways, 0, true},
    {EVERYCRASH_CALL(pwrite64), H::kWrite, G::kWrite, C::kAlways, 0},
    {EVERYCRASH_CALL(writev), H::kWrite, G::kWrite, C::kAlways, 0, true},
    {EVERYCRASH_CALL(pwritev), H::kWrite, G::kWrite, C::kAlways, 0},
    {EVERYCRASH_CALL(pwritev2), H::kWrite, G::kWrite, C::kAlways, 0},
    {EVERYCRASH_CALL(open), H::kOpen, G::kOpen, C::kByArgument},
    {EVERYCRASH_CALL(openat), H::kOpen, G::kOpen, C::kByArgument},
    {EVERYCRASH_CALL(openat2), H::kOpen, G::kOpen},
    {EVERYCRASH_CALL(creat), H::kOpen, G::kOpen},
    {EVERYCRASH_CALL(close), H::kClose, G::kClose, C::kBehindLoader, 0},
    {EVERYCRASH_CALL(close_range), H::kCloseRange, G::kClose},
    {EVERYCRASH_CALL(dup2), H::kDuplicate, G::kClose, C::kAlways, 1},
    {EVERYCRASH_CALL(dup3), H::kDuplicate, G::kClose, C::kAlways, 1},
    {EVERYCRASH_CALL(rename), H::kRename, G::kNames},
    {EVERYCRASH_CALL(renameat), H::kRename, G::kNames},
    {EVERYCRASH_CALL(renameat2), H::kRename, G::kNames},
    {EVERYCRASH_CALL(link), H::kLink, G::kNames},
    {EVERYCRASH_CALL(linkat), H::kLink, G::kNames},
    {EVERYCRASH_CALL(unlink), H::kUnlink, G::kNames},
    {EVERYCRASH_CALL(unlinkat), H::kUnlink, G::kNames},
    {EVERYCRASH_CALL(symlink), H::kSymlink, G::kNames},
    {EVERYCRASH_CALL(symlinkat), H::kSymlink, G::kNames},
    {EVERYCRASH_CALL(mkdir), H::kMakeDirectory, G::kNames},
    {EVERYCRASH_CALL(mkdirat), H::kMakeDirectory, G::kNames},
    {EVERYCRASH_CALL(rmdir), H::kRemoveDirectory, G::kNames},
    {EVERYCRASH_CALL(mknod), H::kMakeNode, G::kNames},
    {EVERYCRASH_CALL(mknodat), H::kMakeNode, G::kNames},
    {EVERYCRASH_CALL(bind), H::kBind, G::kNames},
    {EVERYCRASH_CALL(truncate), H::kTruncate, G::kSize},
    {EVERYCRASH_CALL(ftruncate), H::kTruncateOpenFile, G::kSize, C::kAlways, 0},
    {EVERYCRASH_CALL(fallocate), H::kAllocate, G::kSize, C::kAlways, 0},
    {EVERYCRASH_CALL(fsync), H::kFileSync, G::kSync, C::kAlways, 0},
    {EVERYCRASH_CALL(fdatasync), H::kFileSync, G::kSync, C::kAlways, 0},
    {EVERYCRASH_CALL(sync), H::kSyncAll, G::kSync},
    {EVERYCRASH_CALL(syncfs), H::kSyncFileSystem, G::kSync},
    {EVERYCRASH_CALL(sync_file_range), H::kSyncRange, G::kSync, C::kAlways, 0},
    {EVERYCRASH_CALL(mmap), H::kMap, G::kMap, C::kByArgument, 4},
    {EVERYCRASH_CALL(mprotect), H::kProtect, G::kMap, C::kBehindLoader},
    {EVERYCRASH_CALL(mremap), H::kMove, G::kMap},
    {EVERYCRASH_CALL(msync), H::kMapSync, G::kMap},
    {EVERYCRASH_CALL(sendfile), H::kSendfile, G::kWrite},
    {EVERYCRASH_CALL(copy_file_range), H::kCopyRange, G::kWrite, C::kAlways, 2},
    {EVERYCRASH_CALL(splice), H::kSplice, G::kWrite},
    {EVERYCRASH_CALL(ioctl), H::kClone, G::kWrite, C::kByArgument, 0},
    {EVERYCRASH_CALL(fcntl), H::kControl, G::kWrite, C::kByArgument, 0},
    {EVERYCRASH_CALL(flock), H::kLock, G::kAlways, C::kByArgument, 0},
    {EVERYCRASH_CALL(chmod), H::kChangeMode, G::kAttributes},
    {EVERYCRASH_CALL(fchmod), H::kChangeMode, G::kAttributes, C::kAlways, 0},
    {EVERYCRASH_CALL(fchmodat), H::kChangeMode, G::kAttributes},
    {kFchmodat2, "fchmodat2", H::kChangeMode, G::kAttributes},
    {EVERYCRASH_CALL(chown), H::kChangeOwner, G::kAttributes},
    {EVERYCRASH_CALL(fchown), H::kChangeOwner, G::kAttributes, C::kAlways, 0},
    {EVERYCRASH_CALL(lchown), H::kChangeOwner, G::kAttributes},
    {EVERYCRASH_CALL(fchownat), H::kChangeOwner, G::kAttributes},
    {EVERYCRASH_CALL(utime), H::kChangeTimes, G::kAttributes},
    {EVERYCRASH_CALL(utimes), H::kChangeTimes, G::kAttributes},
    {EVERYCRASH_CALL(futimesat), H::kChangeTimes, G::kAttributes},
    {EVERYCRASH_CALL(utimensat), H::kChangeTimes, G::kAttributes},
    {EVERYCRASH_CALL(setxattr), H::kSetAttribute, G::kAttributes},
    {EVERYCRASH_CALL(lsetxattr), H::kSetAttribute, G::kAttributes},
    {EVERYCRASH_CALL(fsetxattr), H::kSetAttribute, G::kAttributes, C::kAlways, 0},
    {EVERYCRASH_CALL(removexattr), H::kRemoveAttribute, G::kAttributes},
    {EVERYCRASH_CALL(lremovexattr), H::kRemoveAttribute, G::kAttributes},
    {EVERYCRASH_CALL(fremovexattr), H::kRemoveAttribute, G::kAttributes, C::kAlways, 0},
    {EVERYCRASH_CALL(exit_group), H::kExit, G::kAlways},
    {EVERYCRASH_CALL(execve), H::kExecute, G::kAlways},
    {EVERYCRASH_CALL(execveat), H::kExecute, G::kAlways},
    {EVERYCRASH_CALL(io_uring_setup), H::kRefuse, G::kAlways},
    {EVERYCRASH_CALL(io_submit), H::kNameAsyncWrite, G::kAlways},
    {EVERYCRASH_CALL(chroot), H::kNameChroot, G::kAlways},
    {EVERYCRASH_CALL(connect), H::kConnect, G::kAlways},
    {EVERYCRASH_CALL(listen), H::kListen, G::kAlways},
    {EVERYCRASH_CALL(sendto), H::kSend, G::kAlways, C::kAlways, 0, true},
    {EVERYCRASH_CALL(sendmsg), H::kSend, G::kAlways, C::kAlways, 0, true},
    {EVERYCRASH_CALL(read), H::kRead, G::kAlways, C::kReadBehindLoader, 0, true},
    {EVERYCRASH_CALL(pread64), H::kRead, G::kAlways, C::kReadBehindLoader, 0},
    {EVERYCRASH_CALL(readv), H::kRead, G::kAlways, C::kForReads, 0, true},
    {EVERYCRASH_CALL(preadv), H::kRead, G::kAlways, C::kForReads, 0},
    {EVERYCRASH_CALL(preadv2), H::kRead, G::kAlways, C::kForReads, 0},
    {EVERYCRASH_CALL(recvfrom), H::kRead, G::kAlways, C::kForReads, 0, true},
    {EVERYCRASH_CALL(recvmsg), H::kRead, G::kAlways, C::kForReads, 0, true},
    {EVERYCRASH_CALL(recvmmsg), H::kRead, G::kAlways, C::kForReads, 0, true},
    {EVERYCRASH_CALL(rt_sigaction), H::kSignalAction, G::kAlways, C::kByArgument},
    {EVERYCRASH_CALL(rt_sigprocmask), H::kSignalMask, G::kAlways, C::kByArgument},
    {EVERYCRASH_CALL(rt_sigsuspend), H::kWaitWithMask, G::kAlways},
    {EVERYCRASH_CALL(ppoll), H::kWaitWithMask, G::kAlways, C::kByArgument},
    {EVERYCRASH_CALL(pselect6), H::kWaitWithMask, G::kAlways, C::kByArgument},
    {EVERYCRASH_CALL(epoll_pwait), H::kWaitWithMask, G::kAlways, C::kByArgument},
    {kEpollPwait2, "epoll_pwait2", H::kWaitWithMask, G::kAlways, C::kByArgument},
    {EVERYCRASH_CALL(poll), H::kWait, G::kAlways, C::kForWaits},
    {EVERYCRASH_CALL(epoll_wait), H::kWait, G::kAlways, C::kForWaits},
};
#undef EVERYCRASH_CALL

/// Looks at an argument of a call. Tests of one call stand in their order, and the first that
/// decides does so.
struct ArgumentTest {
  enum What : uint8_t {
    kHasBits,    ///< caught if it has one of `value` and none of `without`, else not
    kIsPointer,  ///< caught if it is not null, else not
    kIs,         ///< caught if it is `value`
    kIsNot,      ///< not caught if it is `value`
  };
  int number;
  What what;
  int8_t argument;
  uint32_t value = 0;
  uint32_t without = 0;
  bool at_gates = false;  ///< only where several instances of the workload take turns
};

inline constexpr uint32_t kWritingFlags =
    O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);

inline constexpr ArgumentTest kArgumentTests[] = {
    {SYS_open, ArgumentTest::kHasBits, 1, kWritingFlags},
    {SYS_openat, ArgumentTest::kHasBits, 2, kWritingFlags},
    {SYS_mmap, ArgumentTest::kHasBits, 3, MAP_SHARED, MAP_ANONYMOUS},
    {SYS_mprotect, ArgumentTest::kHasBits, 2, PROT_WRITE},
    {SYS_ioctl, ArgumentTest::kIs, 1, static_cast<uint32_t>(FICLONE)},
    {SYS_ioctl, ArgumentTest::kIs, 1, static_cast<uint32_t>(FICLONERANGE)},
    {SYS_fcntl, ArgumentTest::kIs, 1, F_SETFL},
    {SYS_fcntl, ArgumentTest::kIs, 1, F_SETLK, 0, true},
    {SYS_fcntl, ArgumentTest::kIs, 1, F_SETLKW, 0, true},
    {SYS_fcntl, ArgumentTest::kIs, 1, F_OFD_SETLK, 0, true},
    {SYS_fcntl, ArgumentTest::kIs, 1, F_OFD_SETLKW, 0, true},
    {SYS_flock, ArgumentTest::kHasBits, 1, LOCK_SH | LOCK_EX, 0, true},
    {SYS_rt_sigaction, ArgumentTest::kIs, 0, SIGSYS},
    {SYS_rt_sigaction, ArgumentTest::kIsPointer, 1},
    {SYS_rt_sigprocmask, ArgumentTest::kIsNot, 0, SIG_UNBLOCK},
    {SYS_rt_sigprocmask, ArgumentTest::kIsPointer, 1},
    {SYS_ppoll, ArgumentTest::kIsPointer, 3},
    {SYS_pselect6, ArgumentTest::kIsPointer, 5},
    {SYS_epoll_pwait, ArgumentTest::kIsPointer, 4},
    {kEpollPwait2, ArgumentTest::kIsPointer, 4},
};

/// Calls have numbers below this one.
inline constexpr int kNumbersEnd = 512;

/// Where a call stands in kSystemCalls, from 1.
struct PlaceByNumber {
  uint8_t place[kNumbersEnd] = {};
  constexpr PlaceByNumber() {
    uint8_t next = 0;
    for (const SystemCall& call : kSystemCalls) place[call.number] = ++next;
  }
};
inline constexpr PlaceByNumber kPlaces;

/// The row of a call; null if it is never caught.
[[nodiscard]] constexpr const SystemCall* find(long number) {
  const uint8_t place = number >= 0 && number < kNumbersEnd ? kPlaces.place[number] : 0;
  return place == 0 ? nullptr : &kSystemCalls[place - 1];
}

// What a change of the tables may have forgotten.

constexpr bool no_call_stands_twice() {
  for (const SystemCall& call : kSystemCalls) {
    if (find(call.number) != &call) return false;
  }
  return true;
}
static_assert(no_call_stands_twice(), "a call has two rows");

constexpr bool every_handler_has_a_call() {
  bool used[kHandlers] = {};
  for (const SystemCall& call : kSystemCalls) used[static_cast<size_t>(call.handler)] = true;
  for (const bool one : used) {
    if (!one) return false;
  }
  return true;
}
static_assert(every_handler_has_a_call(), "a handler has no row");

constexpr bool every_call_by_argument_has_a_test() {
  for (const SystemCall& call : kSystemCalls) {
    bool tested = call.caught != Caught::kByArgument;
    for (const ArgumentTest& test : kArgumentTests) tested = tested || test.number == call.number;
    if (!tested) return false;
  }
  return true;
}
static_assert(every_call_by_argument_has_a_test(),
              "a call that is caught by its arguments has no test of them");

constexpr bool every_test_is_asked() {
  for (const ArgumentTest& test : kArgumentTests) {
    bool asked = false;  // without pointers, which sanitizers do not let compilers compare here
    for (const SystemCall& call : kSystemCalls) {
      asked = asked || (call.number == test.number && (call.caught == Caught::kByArgument ||
                                                       call.caught == Caught::kBehindLoader));
    }
    if (!asked) return false;
  }
  return true;
}
static_assert(every_test_is_asked(), "a test of an argument is of a call that has none");

/// A point of a group that no call belongs to could never be stopped at.
constexpr bool every_group_has_a_call() {
  for (uint16_t kind = 0; kind < kKindsEnd; ++kind) {
    const KindTraits traits = traits_of(static_cast<format::Kind>(kind));
    bool caught = !traits.has(kIsPoint);
    for (const SystemCall& call : kSystemCalls) caught = caught || call.group == traits.group;
    if (!caught) return false;
  }
  return true;
}
static_assert(every_group_has_a_call(),
              "a kind of operation is in a group of points that no call is in");

}  // namespace everycrash::calls
