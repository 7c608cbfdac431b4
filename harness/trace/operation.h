// One record of a trace, as the rest of everycrash reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/trace/kind_traits.h"

namespace everycrash {

using format::Kind;
using format::Unsupported;

/// A view of one record; its strings point into the Trace that it came from and live as long.
struct Operation {
  Kind kind = Kind::kNone;
  uint32_t flags = 0;     ///< format::Flags
  uint64_t sequence = 0;  ///< place in the file; other records name this one by it
  int64_t time_ns = 0;    ///< CLOCK_REALTIME
  int32_t process = 0;
  int32_t thread = 0;
  int16_t call = -1;   ///< system call number, -1 if no call made it
  int64_t result = 0;  ///< >= 0, or -errno
  uint64_t stack = 0;  ///< sequence of its kStack record, 0 = none
  uint64_t inode = 0;
  uint64_t other_inode = 0;
  int64_t offset = 0;  ///< bytes
  int64_t other_offset = 0;
  int64_t length = 0;  ///< bytes
  uint32_t mode = 0;
  uint32_t open_flags = 0;
  uint32_t owner = 0;
  uint32_t group = 0;
  uint32_t runner = 0;    ///< which of several instances of the workload made it, from 0
  std::string_view path;  ///< relative to the state directory, "" = itself
  std::string_view other_path;
  std::string_view payload;
  /// Lines of event.h that this record brought about: of kEvent its payload, of others what was
  /// announced (Trace::announce).
  std::string_view events;

  [[nodiscard]] bool has(format::Flags flag) const { return (flags & flag) != 0; }
  [[nodiscard]] bool failed() const { return result < 0; }
};

/// True where a crash state can differ before and after: a successful operation that changes the
/// tree, a print, an event, or whatever else has events. Other syncs and closes change nothing that
/// a killed process leaves.
[[nodiscard]] bool changes_state(const Operation& operation);

/// The name that OPERATION makes, "" if it makes none.
[[nodiscard]] std::string_view name_made_by(const Operation& operation);

/// The name that it takes away, "" if it takes none.
[[nodiscard]] std::string_view name_taken_by(const Operation& operation);

/// The word for KIND in crash points and reports: "write", "rename", "fsync", "open", "print".
[[nodiscard]] std::string_view name_of(Kind kind);

/// One line for a person: "write state.json.tmp 0+812", "rename state.json.tmp -> state.json".
[[nodiscard]] std::string describe(const Operation& operation);

/// What a record with events brought about, by the first of them: "effect charge order-17".
[[nodiscard]] std::string describe_events(const Operation& operation);

}  // namespace everycrash
