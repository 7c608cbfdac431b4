// The language of faults: which calls of a run fail, and how.
//
// A fault is one line of text, the same on the command line, in everycrash.toml, in reports, and
// in what everycrash hands to the library of faults. What is printed reads back as the same fault.
//
//   CALL(GLOB) ACTION [when=FIRST[..[LAST]][+STEP]] [after-send=N] [chance=N%]
//
//   write(state.json*) ENOSPC when=3       the third write fails
//   fsync(*) EIO when=2..                  all but the first fail; see below
//   open(*.lock) EACCES                    always
//   rename(state.json) kill-before when=2  the run ends before the second; kill-after: after it
//   write(*.log) short=100                 at most 100 bytes a call; short: half of them
//   write(*) full=65536                    the disk is full after so many bytes; see below
//   fsync(state.json*) lost                succeeds without being done
//   any(*) delay=50ms..500ms chance=10%    one in ten, by the seed
//   start() clock=+2h                      the clock of the run is off from the start ...
//   rename(state.json) clock=-90s when=3   ... or jumps there
//   read(state.json) EIO when=2            the second read fails
//   read(*) short                          half of what there is to read, at most
//   connect(127.0.0.1:*) ECONNREFUSED      nobody listens
//   network(*:8025) hang when=3..          a partition, from the third call on
//   receive(unix:/run/db.sock) hang=200ms  an answer that comes late
//   receive(*:25) EIO when=1 after-send=3  the answer to the third send is lost
//
// CALL is a word of crash points (open, write, rename, fsync, print, ...: harness/trace/
// point_name.h), or stands for several: `any` is every call that changes the state directory,
// `syncs` are fsync, fdatasync, msync, sync_file_range and, with the glob `*`, sync and syncfs.
// `read` is one on a file of the state directory. `connect`, `send` and `receive` are calls on
// sockets, `network` all three; there the glob names the peer: "127.0.0.1:8025",
// "unix:/run/db.sock" (one that was accepted from a Unix socket: its own path). GLOB:
// matches_glob(); of rename and link the new name counts. FIRST, LAST and STEP count the calls that
// the fault names, of all processes together, as in strace(1)'s when=; without them it is every
// one. Blanks, line ends and '%' in a glob are written %20, %0a, %25. A call meets the first fault
// that is due.
//
// How many receives an answer takes is not the same in each run. With after-send=N only those count
// that follow the N-th send to a peer of the glob, and are made on its connection.
//
// A call that hangs waits for a peer that is silent: for that time, after which it is made, or for
// ever, as long as the program lets it. Its timeouts (SO_RCVTIMEO, SO_SNDTIMEO) and signals end it
// as ever; on a socket that must not wait it fails at once, with EAGAIN, connect with EINPROGRESS.
// What the peer of a TCP socket sends from then on is dropped for as long as the hang lasts, so
// that poll(2) does not see it either; where a socket filter may not be set (some kernels refuse it
// to ordinary users), poll does, and a connect that must not wait fails with ETIMEDOUT. A receive
// that is short delivers one byte.
//
// On a full disk what is there can still be overwritten, as on ext4 and xfs: only bytes behind the
// end of a file count, and fail, and all of a file with holes.
//
// A sync that fails (with any errno but EINTR) leaves what it was about clean in memory, and not on
// disk: later syncs, which succeed, do not bring it there. So do ext4 and xfs; btrfs also takes it
// back in memory ("Can Applications Recover from fsync Failures?", USENIX ATC 2020).
//
// Lines of the plan that are no faults: "control fifo=PREFIX" (where fiu-ctrl reaches the process)
// and "seed N". Every fault is a failure point of libfiu, named by its action: name_of().
//
// Compiled into the library of faults, too, which lives inside other programs: no allocation, no
// C++ library.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "harness/record/preload/fault_hook.h"
#include "harness/trace/format.h"

namespace everycrash::faults {

enum class Action : uint8_t {
  kNone,
  kError,
  kShort,
  kFull,
  kLost,
  kKillBefore,
  kKillAfter,
  kDelay,
  kClock,
  kHang,
};

/// What CALL can be beside the kinds of format::Kind and of preload::FaultQuery.
enum : uint16_t { kAnyCall = 300, kSyncCalls = 301, kStart = 302, kNetworkCalls = 303 };

struct Fault {
  uint16_t call = 0;
  char path[1024] = {};  ///< a glob, see matches_glob()
  Action action = Action::kNone;
  int error = 0;             ///< kError
  int64_t value = 0;         ///< bytes (kShort: 0 = half; kFull), milliseconds (kDelay, kClock,
                             ///< kHang: 0 = for ever)
  int64_t longest = 0;       ///< kDelay: milliseconds, at least `value`
  uint64_t first = 1;        ///< from 1
  uint64_t last = kForever;  ///< inclusive
  uint64_t step = 1;
  uint32_t chance = 100;    ///< per cent
  uint64_t after_send = 0;  ///< of receives: the send that they follow; 0 = whatever was sent

  static constexpr uint64_t kForever = ~uint64_t{0};
};

/// A value. Thread-safe to read.
struct Plan {
  static constexpr size_t kFaultsMax = format::FaultState::kFaultsMax;
  Fault faults[kFaultsMax];
  size_t count = 0;
  uint64_t seed = 1;
  char fifo[1024] = {};  ///< prefix of the pipes of fiu-ctrl, absolute; "" = no remote control
};

/// The failure point in libfiu: "everycrash/sync/lost". Null for Action::kNone.
[[nodiscard]] const char* name_of(const Fault& fault);

/// True if it is about sockets.
[[nodiscard]] bool is_network(const Fault& fault);

/// True if GLOB names PATH, which is relative to the state directory ("" = itself, named "." or
/// "*"): `*`, also over slashes, `?`, `[a-z]`, `[!a-z]`. A glob without a slash names files by
/// their last part, in whatever folder.
[[nodiscard]] bool matches_glob(const char* glob, const char* path, size_t size);

/// Finds what is to become of a call, counting it in STATE; false if nothing is due.
[[nodiscard]] bool order_for(const Plan& plan, const preload::FaultQuery& query,
                             format::FaultState& state, preload::FaultOrder& order);

/// Reads one fault. Null if it is understood, else what is wrong with it.
[[nodiscard]] const char* parse_fault(const char* text, Fault& fault);
/// Writes FAULT such that parse_fault() reads the same, without a line end. Returns the size
/// without the NUL that ends it, or 0 if it does not fit into SIZE bytes.
[[nodiscard]] size_t write_fault(const Fault& fault, char* text, size_t size);

/// The same for whole plans, a line each. parse_plan() adds to PLAN.
[[nodiscard]] const char* parse_plan(const char* text, Plan& plan);
[[nodiscard]] size_t write_plan(const Plan& plan, char* text, size_t size);

}  // namespace everycrash::faults
