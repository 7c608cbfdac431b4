// Follows a trace and turns each operation into units (used by expand() alone).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/model/btrfs_log.h"
#include "harness/model/history_builder.h"

namespace everycrash {

struct Operation;
class Trace;

/// Walks the trace once with a file system beside it, which knows what each call met.
class UnitExpander {
 public:
  UnitExpander(const Trace& trace, FileSystem stage, const PersistenceRules& rules,
               const ExpandOptions& options);

  /// Expands all records. Fails with kHarness where the trace contradicts itself.
  Result<UnitHistory> run();

 private:
  struct Place {
    NodeId parent;
    std::string_view name;
    NodeId node;  ///< what it meant before the operation
  };
  [[nodiscard]] Place place(std::string_view path) const;

  Status expand(const Operation& operation);

  // names (expand_names.cc)
  void made_name(const Operation& operation, const Place& place, NodeId node);
  void removed_name(const Place& place);
  void renamed(const Operation& operation, const Place& from, const Place& to);
  struct Renamed {  ///< units; the same one where it is one step
    UnitId arrived, departed;
  };
  Renamed renamed_in_one_step(const Place& from, const Place& to, Draft draft);
  Renamed renamed_across(const Place& from, const Place& to, Draft arrival);
  void exchanged(const Place& from, const Place& to);
  void last_name_gone(NodeId node, UnitId by);

  // names in a log tree (expand_log.cc); without one, these do nothing
  void synced(const Operation& operation, NodeId node);
  void state_in_log(UnitKind kind, NodeId node, UnitChange change);
  void names_in_log(const std::vector<BtrfsLog::Name>& names);
  void state_with_name(NodeId node, Draft& draft);
  UnitChange cut_change(const BtrfsLog::Cut& cut);
  UnitChange attributes_change(NodeId node);
  void new_name_in_log(const Place& to, NodeId node, const Place* from, Draft& draft);
  void left_log(const Place& place, const BtrfsLog::End& end);
  void end_name(const Place& place, const BtrfsLog::End& end, Draft& draft);
  void set_others(const BtrfsLog::End& end, NodeId node, Draft& draft);
  void end_in_order(const Place& place, const BtrfsLog::End& end);
  void moved_in_log(const Place& from, const Place& to, const Renamed& units, bool in_log);
  [[nodiscard]] BtrfsLog::Name name_of(const Place& place) const;

  // content (expand_content.cc)
  void wrote(const Operation& operation, NodeId node, int64_t size_before);
  struct Piece {
    int64_t offset;
    std::string_view bytes;
    bool shared;  ///< a copy that shares its space with the source
  };
  void write_piece(NodeId node, const Piece& piece, int64_t size_before);
  UnitId grow(NodeId node, int64_t size, int64_t from);
  void append(NodeId node, const Piece& piece, MetadataOrder order);
  UnitId overwrite(NodeId node, const Piece& piece, UnitId after);
  std::vector<UnitId> zero_tail(NodeId node, int64_t size, int64_t size_before);
  void resized(NodeId node, int64_t size, int64_t size_before);
  void allocated(const Operation& operation, NodeId node, int64_t size_before);
  void changed_range(const Operation& operation, NodeId node, UnitChange::What what);
  void changed_attributes(NodeId node);
  void closed(NodeId node);
  void remember(NodeId node, UnitId unit);

  // which pages have their blocks (expand_allocation.cc)
  void reserve(NodeId node, int64_t begin, int64_t end);
  void allocate(NodeId node, int64_t begin, int64_t end);
  void release(NodeId node, int64_t begin, int64_t end);
  void allocate_reserved(NodeId node);
  void allocate_synced(const Operation& operation, NodeId node);
  [[nodiscard]] bool is_flushed_early(NodeId node);
  void on_page(NodeId node, int64_t offset, UnitId unit);
  [[nodiscard]] UnitId before_page(NodeId node, int64_t offset);

  const Trace& trace_;
  FileSystem stage_;
  ExpandOptions options_;
  HistoryBuilder builder_;
  std::optional<BtrfsLog> log_;  // where the file system has one
};

}  // namespace everycrash
