#include "harness/model/unit.h"

#include <fmt/format.h>

#include "harness/trace/trace.h"

namespace everycrash {

std::pair<UnitId, UnitId> UnitHistory::units_of(uint64_t record) const {
  return {record == 0 ? 0 : ends_[record - 1], ends_[record]};
}

const LoggedNames* UnitHistory::logged_names(uint64_t record) const {
  const auto found = logged_names_.find(record);
  return found == logged_names_.end() ? nullptr : &found->second;
}

std::string_view name_of(UnitKind kind) {
  switch (kind) {
    case UnitKind::kEntry:
      return "entry";
    case UnitKind::kRemoval:
      return "removal";
    case UnitKind::kRename:
      return "rename";
    case UnitKind::kData:
      return "data";
    case UnitKind::kSize:
      return "size";
    case UnitKind::kAppend:
      return "append";
    case UnitKind::kStale:
      return "old blocks";
    case UnitKind::kTruncate:
      return "truncate";
    case UnitKind::kAllocate:
      return "allocate";
    case UnitKind::kAttributes:
      return "attributes";
  }
  return "unit";
}

std::string UnitHistory::describe(UnitId id, const Trace& trace) const {
  const Unit& unit = units_[id];
  const Operation& operation = *trace.find(unit.record);
  const auto shown = [](std::string_view path) { return path.empty() ? "." : std::string(path); };
  const std::string path = shown(operation.path);
  const std::string other = shown(operation.other_path);
  switch (unit.kind) {
    case UnitKind::kEntry:
      return fmt::format("the new name {}", operation.other_path.empty() ? path : other);
    case UnitKind::kRemoval:
      return gives_other_name(operation.kind) ? fmt::format("the end of the old name {}", path)
                                              : fmt::format("the removal of {}", path);
    case UnitKind::kRename:
      return operation.has(format::kExchange)
                 ? fmt::format("the exchange of {} and {}", path, other)
                 : fmt::format("the rename of {} to {}", path, other);
    case UnitKind::kData:
      if (operation.kind == Kind::kTruncate) {
        return fmt::format("the zeroing of {} bytes at {} of {}", unit.length, unit.offset, path);
      }
      [[fallthrough]];
    case UnitKind::kAppend:
      return fmt::format("the {} bytes at {} of {}", unit.length, unit.offset, path);
    case UnitKind::kSize:
      return fmt::format("the growth of {} to {} bytes", path, unit.offset);
    case UnitKind::kStale:
      return fmt::format("the space for {} bytes at {} of {}", unit.length, unit.offset, path);
    case UnitKind::kTruncate:
      // What the log of btrfs takes along (btrfs_log.h).
      if (is_sync(operation.kind)) {
        return fmt::format("the new size, {} bytes, of a file logged with {}", unit.offset, path);
      }
      if (unit.offset == 0) return fmt::format("the emptying of {}", path);
      return fmt::format("the new size of {}, {} bytes", path, unit.offset);
    case UnitKind::kAllocate:
      return fmt::format("the fallocate of {} bytes at {} of {}", unit.length, unit.offset, path);
    case UnitKind::kAttributes:
      if (operation.kind == Kind::kChangeMode) {
        return fmt::format("the chmod of {} to {:04o}", path, operation.mode & 07777);
      }
      return fmt::format("the {} of {}", everycrash::name_of(operation.kind), path);
  }
  return everycrash::describe(operation);
}

}  // namespace everycrash
