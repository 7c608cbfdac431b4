// What holds of every record of a kind: the one table of kinds.
//
// Who wants to know whether something is a sync, or which name it makes, asks here; a list of kinds
// elsewhere says what each of them does. A new kind is an enumerator of format.h and a row below:
// without the row this does not compile.
//
// Free of the C++ library and of allocation, like format.h.
#pragma once

#include <stdint.h>

#include "harness/trace/format.h"

namespace everycrash {

/// Where a record belongs.
enum class Role : uint8_t {
  kOperation,  ///< a call on the state directory
  kOutside,    ///< seen outside, in order with the operations: a print, an event, a send
  kInitial,    ///< what the state directory held before the run
  kRun,        ///< about the run itself
};

/// Calls that are caught together where a run is killed at one of them (StopPlan, action 3).
enum class CallGroup : uint8_t {
  kAlways,  ///< caught whatever the point is
  kOpen,
  kClose,
  kWrite,
  kSize,
  kNames,
  kSync,
  kMap,  ///< shared mappings: what they have changed is looked for at every call
  kAttributes,
};

/// What a kind is or does; bits.
enum Trait : uint16_t {
  kIsPoint = 1u << 0,            ///< its word names crash points
  kMeetsFaults = 1u << 1,        ///< its word names calls in the language of faults
  kMovesBytes = 1u << 2,         ///< such a call can be cut short
  kMakesPath = 1u << 3,          ///< the name `path` is there afterwards (of an open: if kCreated)
  kMakesOther = 1u << 4,         ///< the name `other_path` is, for what has a name already
  kTakesPath = 1u << 5,          ///< the name `path` is gone afterwards
  kChangesContent = 1u << 6,     ///< of a file: bytes or size
  kChangesAttributes = 1u << 7,  ///< mode, owner, times, extended attributes
  kSyncsFile = 1u << 8,          ///< fsync and the like, of one file or folder
  kSyncsAll = 1u << 9,           ///< of the whole file system
  kTells = 1u << 10,             ///< tells by itself what the outside may rely on
  kTalks = 1u << 11,             ///< a call on a socket, to a peer
};

struct KindTraits {
  const char* word = "";  ///< in crash points and reports
  Role role = Role::kRun;
  CallGroup group = CallGroup::kAlways;
  uint16_t traits = 0;  ///< of Trait

  [[nodiscard]] constexpr bool has(unsigned any_of) const { return (traits & any_of) != 0; }
};

// clang-format off
[[nodiscard]] constexpr KindTraits traits_of(format::Kind kind) {
  using K = format::Kind;
  using enum CallGroup;
  constexpr Role op = Role::kOperation, outside = Role::kOutside;
  constexpr Role initial = Role::kInitial, run = Role::kRun;
  constexpr uint16_t call = kIsPoint | kMeetsFaults;
  constexpr uint16_t makes = call | kMakesPath, takes = call | kTakesPath;
  constexpr uint16_t links = call | kMakesOther;
  constexpr uint16_t content = call | kChangesContent, attribute = call | kChangesAttributes;
  constexpr uint16_t sync = call | kSyncsFile, sync_all = call | kSyncsAll;
  switch (kind) {
    case K::kNone:             return {};
    case K::kOpen:             return {"open",            op, kOpen,       makes};
    case K::kClose:            return {"close",           op, kClose,      call};
    case K::kWrite:            return {"write",           op, kWrite,      content | kMovesBytes};
    // What was written through a mapping is only seen afterwards: no fault can meet it.
    case K::kMapWrite:         return {"mapwrite",        op, kMap,        content & ~kMeetsFaults};
    case K::kTruncate:         return {"truncate",        op, kSize,       content};
    case K::kAllocate:         return {"fallocate",       op, kSize,       content};
    case K::kRename:           return {"rename",          op, kNames,      links | takes};
    case K::kLink:             return {"link",            op, kNames,      links};
    case K::kSymlink:          return {"symlink",         op, kNames,      makes};
    case K::kUnlink:           return {"unlink",          op, kNames,      takes};
    case K::kMakeDirectory:    return {"mkdir",           op, kNames,      makes};
    case K::kRemoveDirectory:  return {"rmdir",           op, kNames,      takes};
    case K::kMakeNode:         return {"mknod",           op, kNames,      makes};
    case K::kFileSync:         return {"fsync",           op, kSync,       sync};
    case K::kDataSync:         return {"fdatasync",       op, kSync,       sync};
    case K::kSyncAll:          return {"sync",            op, kSync,       sync_all};
    case K::kSyncFileSystem:   return {"syncfs",          op, kSync,       sync_all};
    case K::kSyncRange:        return {"sync_file_range", op, kSync,       sync};
    case K::kMapSync:          return {"msync",           op, kMap,        sync};
    case K::kChangeMode:       return {"chmod",           op, kAttributes, attribute};
    case K::kChangeOwner:      return {"chown",           op, kAttributes, attribute};
    case K::kChangeTimes:      return {"utimens",         op, kAttributes, attribute};
    case K::kSetAttribute:     return {"setxattr",        op, kAttributes, attribute};
    case K::kRemoveAttribute:  return {"removexattr",     op, kAttributes, attribute};
    case K::kPrint:            return {"print", outside, kAlways, call | kMovesBytes | kTells};
    case K::kEvent:            return {"event", outside, kAlways, kTells};
    case K::kSend:             return {"send",  outside, kAlways, call | kMovesBytes | kTalks};
    case K::kConnect:          return {"connect", run, kAlways, kMeetsFaults | kTalks};
    case K::kListen:           return {"listen"};
    case K::kInitial:          return {"initial", initial};
    case K::kInitialAttribute: return {"initial-attribute", initial};
    case K::kPayloadChunk:     return {"payload-chunk", initial};
    case K::kProcess:          return {"process"};
    case K::kMappings:         return {"mappings"};
    case K::kStack:            return {"stack"};
    case K::kExit:             return {"exit"};
    case K::kUnsupported:      return {"unsupported"};
    case K::kStart:            return {"start"};
    case K::kLock:             return {"lock"};
  }
  return {};  // no kind: the language of faults has numbers of its own behind them
}
// clang-format on

/// Kinds have numbers below this one.
inline constexpr uint16_t kKindsEnd = 128;

/// True for calls on the state directory, whether or not they succeeded.
[[nodiscard]] constexpr bool is_operation(format::Kind kind) {
  return traits_of(kind).role == Role::kOperation;
}
/// True for what an instance of the workload waits for its turn with (Gate): operations, and what
/// is seen outside.
[[nodiscard]] constexpr bool waits_for_turn(format::Kind kind) {
  return is_operation(kind) || traits_of(kind).role == Role::kOutside;
}
/// True for what the state directory held before the run.
[[nodiscard]] constexpr bool is_initial(format::Kind kind) {
  return traits_of(kind).role == Role::kInitial;
}
/// True for fsync, fdatasync, sync, syncfs, sync_file_range and msync.
[[nodiscard]] constexpr bool is_sync(format::Kind kind) {
  return traits_of(kind).has(kSyncsFile | kSyncsAll);
}
/// True for sync and syncfs.
[[nodiscard]] constexpr bool syncs_all(format::Kind kind) {
  return traits_of(kind).has(kSyncsAll);
}
/// True for what changes bytes or size of a file. (An open that cuts it is no such call.)
[[nodiscard]] constexpr bool changes_content(format::Kind kind) {
  return traits_of(kind).has(kChangesContent);
}
[[nodiscard]] constexpr bool changes_attributes(format::Kind kind) {
  return traits_of(kind).has(kChangesAttributes);
}
[[nodiscard]] constexpr bool takes_name(format::Kind kind) {
  return traits_of(kind).has(kTakesPath);
}
/// True if what it is about has `other_path` as a name afterwards: rename and link.
[[nodiscard]] constexpr bool gives_other_name(format::Kind kind) {
  return traits_of(kind).has(kMakesOther);
}
/// True for prints and events: the outside was told something.
[[nodiscard]] constexpr bool tells(format::Kind kind) {
  return traits_of(kind).has(kTells);
}
/// True for calls on a socket, to a peer.
[[nodiscard]] constexpr bool talks(format::Kind kind) {
  return traits_of(kind).has(kTalks);
}

}  // namespace everycrash
