// The trace file, as bytes: the one header that the preload library and the tool share.
//
// A trace is a file header (kHeaderSize bytes) followed by records, each a RecordHeader, the two
// paths, the payload, and padding to 8 bytes. While the workload runs, the file is a shared mapping
// of all its processes: a writer holds `lock`, writes a whole record behind `tail`, and publishes
// it by moving `tail`; a process that dies by SIGKILL can therefore lose only the record that it
// was writing, and a reader never sees half of one. `seal` turns the mapping into a plain file.
//
// All numbers are little-endian, as the only supported machine (x86-64) has them. Bump kVersion
// with every change of meaning; a reader refuses versions that it does not know.
//
// Free of the C++ library and of allocation: it is included by code that runs inside other
// programs.
#pragma once

#include <stdint.h>

namespace everycrash::format {

inline constexpr char kMagic[8] = {'E', 'C', 'T', 'R', 'A', 'C', 'E', '\n'};
inline constexpr uint32_t kVersion = 3;
inline constexpr uint64_t kHeaderSize = 32768;
inline constexpr uint64_t kPageSize = 4096;  ///< where a write may be torn

/// What a record tells. Operations come first; the others describe the run. The comment names the
/// fields used beside process, thread, call, result, stack, time, path and inode (of the object).
enum class Kind : uint16_t {
  kNone = 0,
  // -- Operations on the state directory. Paths are relative to it, "" is the directory itself.
  kOpen = 1,      ///< open_flags, mode; kCreated, kTruncated, kNameless (O_TMPFILE: path = folder)
  kClose = 2,     ///< last use of a descriptor that could write (close, dup2 over it, close_range)
  kWrite = 3,     ///< offset, length = bytes written, payload; kSync/kDataSync (O_SYNC, RWF_SYNC);
                  ///< other_inode = source of copy_file_range and its offset in other_offset
  kMapWrite = 4,  ///< bytes changed through a shared mapping: offset, length, payload
  kTruncate = 5,  ///< length = new size
  kAllocate = 6,  ///< fallocate: mode = its FALLOC_FL_* bits, offset, length
  kRename = 7,    ///< path -> other_path, other_inode = what was replaced; kExchange, kNoReplace;
                  ///< kUnlinked: from outside, `inode` was made by a kNameless kOpen just before
  kLink = 8,      ///< path = existing name, other_path = new name; kUnlinked: as for kRename, or an
                  ///< O_TMPFILE file gets its name
  kSymlink = 9,   ///< path = new name, payload = target
  kUnlink = 10,   ///< path
  kMakeDirectory = 11,    ///< path, mode
  kRemoveDirectory = 12,  ///< path
  kMakeNode = 13,         ///< fifo, socket, device: path, mode with type
  kFileSync = 14,         ///< fsync of a file, or of a folder (kDirectory)
  kDataSync = 15,         ///< fdatasync, the same
  kSyncAll = 16,          ///< sync(2)
  kSyncFileSystem = 17,   ///< syncfs(2)
  kSyncRange = 18,        ///< sync_file_range: offset, length, mode = its flags
  kMapSync = 19,          ///< msync: offset, length, mode = MS_* flags
  kChangeMode = 20,       ///< mode
  kChangeOwner = 21,      ///< owner, group (0xffffffff = unchanged)
  kChangeTimes = 22,      ///< payload = Times
  kSetAttribute = 23,     ///< xattr: other_path = its name, payload = value
  kRemoveAttribute = 24,  ///< xattr: other_path = its name
  // -- Promises and effects, in order with the operations.
  kPrint = 40,  ///< payload = bytes written to standard output
  kEvent =
      41,  ///< payload = bytes written to $EVERYCRASH_EVENTS (lines "step X", "effect KIND KEY")
  kSend = 42,     ///< bytes sent on a stream socket: path = the peer, inode = the socket's, length,
                  ///< payload = the first kSendKept of them
  kConnect = 43,  ///< such a socket is to be connected: path = the peer, inode
  kListen = 44,   ///< a socket has begun to listen: path = its own address, inode
  // -- About the run.
  kInitial = 60,  ///< an entry of the state directory before the workload: mode with type,
                  ///< owner, group, length, payload = content or link target, time_ns = mtime
  kInitialAttribute = 61,  ///< its xattrs: other_path = name, payload = value
  kProcess = 62,           ///< a program image: payload = argv, NUL-separated; path = executable
                           ///< other_inode = parent pid, other_path = its current folder
  kMappings = 63,          ///< payload = the executable lines of /proc/self/maps
  kStack = 64,             ///< payload = return addresses, uint64_t each, innermost first, `length`
                           ///< of them; then the frames of a script, mode = their ScriptLanguage;
                           ///< other_inode = sequence of its kMappings, other_offset = of the
                           ///< kProcess of the program that ran
  kExit = 65,              ///< a process ends by exit_group: mode = its status
  kUnsupported = 66,       ///< mode = Unsupported, path = what it concerns
  kPayloadChunk = 67,      ///< more payload of the kInitial record before it
  kStart = 68,             ///< this process is about to run another program (execve): path = the
                           ///< program, payload = frames of the script that wants it, mode = their
                           ///< ScriptLanguage, other_offset = sequence of the kProcess of the
                           ///< program that still runs. A kProcess follows, unless that fails
  kLock = 69,  ///< with plan.action 2: an instance asks for a lock (flock, fcntl) on path, inode
};

/// What frames of a script were written in. Frames are texts, innermost first: for each its line in
/// decimal (0 = unknown), its function ("" = unknown) and its file as the interpreter names it,
/// each with a NUL behind.
enum class ScriptLanguage : uint32_t {
  kNone = 0,
  kPython = 1,
  kShell = 2,
};
inline constexpr uint32_t kScriptFramesMax = 32;

/// Why a run cannot be believed; each makes it "harness broken" unless said otherwise.
enum class Unsupported : uint32_t {
  kStaticBinary = 1,    ///< exec of a program without a dynamic loader
  kForeignLoader = 2,   ///< exec of a program whose loader is not this machine's libc's (musl)
  kForeignMachine = 3,  ///< exec of a 32-bit or non-x86 program
  kIoUring = 4,         ///< io_uring_setup: answered ENOSYS, the program may go on without (a note)
  kSharedMapping = 5,   ///< a shared writable mapping of a state file that could not be watched
  kLockStolen = 6,      ///< a process died inside a recorded call; its operation may be missing
  kOutsideRename = 7,   ///< a name moved across the border of the state directory
  kPreloadFailed = 8,   ///< the preload library could not set itself up
  kUnknownCall = 9,     ///< a state-changing call that the recorder knows but cannot describe
  kStaleView = 10,  ///< chroot or a mount namespace of the workload's own hid the state directory
};

enum Flags : uint32_t {
  kCreated = 1u << 0,
  kTruncated = 1u << 1,
  kNameless = 1u << 2,
  kExchange = 1u << 3,
  kNoReplace = 1u << 4,
  kSyncWrite = 1u << 5,      ///< O_SYNC or RWF_SYNC: durable with its metadata
  kDataSyncWrite = 1u << 6,  ///< O_DSYNC or RWF_DSYNC
  kAppend = 1u << 7,         ///< O_APPEND or RWF_APPEND
  kDirectory = 1u << 8,      ///< the object is a folder
  kUnlinked = 1u << 9,       ///< the object had no name when the call was made
  kPathCut = 1u << 10,       ///< a path was longer than could be kept
  kDirect = 1u << 11,        ///< O_DIRECT
  kLost = 1u << 12,          ///< a sync that was answered without being done; one that failed: what
                             ///< it was about is clean in memory and will not be written any more
  kInjected = 1u << 13,      ///< the call failed, or was cut short, because a fault was injected
};

struct Times {
  int64_t access_s, access_ns, modify_s, modify_ns;
};

struct RecordHeader {
  uint32_t size;      ///< bytes of the whole record, a multiple of 8
  uint32_t checksum;  ///< low half of XXH3-64 over everything behind this field
  uint16_t kind;
  uint16_t call;  ///< system call number; 0xffff if no call made it
  uint32_t flags;
  uint64_t sequence;  ///< 1, 2, 3, ... over the whole file
  int64_t time_ns;    ///< CLOCK_REALTIME when the call had returned
  int32_t process;
  int32_t thread;
  int64_t result;  ///< as the kernel gave it: >= 0, or -errno
  uint64_t stack;  ///< sequence of a kStack record, 0 = none
  uint64_t inode;
  uint64_t other_inode;
  int64_t offset;
  int64_t other_offset;
  int64_t length;
  uint32_t mode;
  uint32_t open_flags;
  uint32_t owner;
  uint32_t group;
  uint32_t path_size;
  uint32_t other_path_size;
  uint32_t payload_size;
  uint32_t runner;  ///< which of the instances of the workload, from 0
};
static_assert(sizeof(RecordHeader) == 128);

inline constexpr uint16_t kNoCall = 0xffff;
inline constexpr uint32_t kPathMax = 4096;
inline constexpr uint64_t kSendKept = 1 << 20;  ///< bytes of one send that a trace keeps

/// What to do when a chosen operation comes (`everycrash inject`); read by the preload library.
struct StopPlan {
  uint32_t action;      ///< 0 = record, 1 = stop there for SIGKILL, 2 = gates, 3 = only stop
  uint32_t before;      ///< 1 = stop before the call is made
  uint64_t occurrence;  ///< the N-th match, from 1
  uint64_t cut;         ///< for a write: stop after that many bytes; ~0 = whole
  uint64_t matched;     ///< matches so far (written under the lock)
  uint32_t reached;     ///< futex: 1 once the workload stands at the point
  int32_t reached_by;   ///< the thread that stands there
  char point[1024];     ///< "rename(state.json)" or "step mark_done", NUL-terminated
};

/// Faults of one run (harness/inject/faults): what all its processes count together. Written under
/// the lock.
struct FaultState {
  static constexpr uint32_t kFaultsMax = 16;
  uint64_t matched[kFaultsMax];  ///< calls that the fault names
  uint64_t fired[kFaultsMax];    ///< of these, the ones that met it
  uint64_t bytes[kFaultsMax];    ///< written, for a disk that fills up; with after-send= the sends
                                 ///< so far, then their wanted number and the connection
  int64_t clock_shift_ns;        ///< how far the clock of the workload is off ...
  int64_t clock_since_ns;        ///< ... since this moment of the real clock; 0 = it is right
};
/// Where one of several instances of the workload has to wait for its turn. Each of its processes
/// asks before each operation.
struct Gate {
  uint64_t passed;   ///< operations that were let through (written under the lock)
  uint64_t changed;  ///< of them, those that changed something or were seen outside; the same
  uint64_t limit;    ///< so many are; atomic, written by the tool
  uint32_t changes;  ///< futex: counts changes of `limit`
  uint32_t waiting;  ///< threads that stand here; atomic
};
inline constexpr uint32_t kRunnersMax = 2;

/// Sits at the start of the file. Written by the tool before the workload starts, except where
/// said.
struct FileHeader {
  char magic[8];
  uint32_t version;
  uint32_t header_size;
  uint32_t sealed;  ///< 1 once the run is over and the file is cut to `tail`
  uint32_t
      header_checksum;  ///< of a sealed file: XXH3-64, low half, over the header with this as 0
  uint64_t capacity;    ///< bytes of the mapping
  uint64_t tail;        ///< end of the last whole record; atomic, moved under the lock
  uint64_t allocated;   ///< blocks up to here are reserved; writing beyond could raise SIGBUS
  uint64_t next_sequence;
  uint32_t lock;        ///< futex: 0 free, else the owner's thread id, top bit = someone waits
  uint32_t full;        ///< errno that stopped the recording (disk full, trace full), 0 = none
  uint32_t generation;  ///< counts calls that can change which path an inode has
  uint32_t in_call;     ///< 1 while a recorded call is between its effect and its record
  uint64_t root_device, root_inode;      ///< the state directory
  uint64_t stdout_device, stdout_inode;  ///< the workload's standard output
  uint64_t events_device, events_inode;  ///< the file behind $EVERYCRASH_EVENTS, 0 = none
  uint32_t root_size;
  uint32_t reserved;
  char root[kPathMax];  ///< canonical path of the state directory, as the workload sees it
  StopPlan plan;
  FaultState faults;
  Gate gates[kRunnersMax];  ///< with plan.action 2
};
static_assert(sizeof(FileHeader) <= kHeaderSize);

}  // namespace everycrash::format
