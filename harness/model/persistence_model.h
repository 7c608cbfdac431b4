// Persistence models: what a machine guarantees of the order in which operations reach the disk.
//
// A model answers three questions about a recorded run:
//   units(op)         what may survive on its own (unit.h), and what is one atomic step
//   before(a, b)      b can be on disk only if a is (UnitHistory::before)
//   guarantees(sync)  which earlier units are on disk once this sync has returned (floor.h)
//
// A crash state right after record k is a set of units of records up to k that holds everything
// guaranteed by syncs completed by k (the floor) and in which every unit that is not in the floor
// has all that comes before it. A unit that a sync carried to disk on its own does not drag its
// predecessors along; but what comes behind it in the order of metadata, and was not carried, came
// with a commit of everything, and does.
//
// All models share the mechanics (expand.cc, floor.cc); what makes one file system differ from
// another is the handful of rules below, set in one file each: posix.cc, ext4.cc, xfs.cc, btrfs.cc.
// Each of these files says where its rules come from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "harness/base/error.h"
#include "harness/trace/format.h"

namespace everycrash {

class Trace;
class UnitHistory;

/// How a file grows on disk when bytes are written behind its end.
enum class Growth : uint8_t {
  kSizeFirst,  ///< the size may be there without the bytes, which then read as zeros
  kSizeLast,   ///< the size follows the bytes: a prefix of what was appended is there
  kAtOnce,     ///< as kSizeLast, and in the one order of metadata (no delayed allocation)
};

/// How much an fsync of one file or folder takes to disk.
enum class SyncReach : uint8_t {
  kItself,       ///< a file: its content and attributes; a folder: its entries
  kItsNames,     ///< the same, and for a file its own names and the folders on the way to them
  kAllMetadata,  ///< the same, and all metadata of everything before it
};

/// What a heuristic starts to write at once, so that later metadata finds it on disk.
enum class Flush : uint8_t { kNothing, kSizes, kData };

/// When closing a file that had been truncated starts a flush.
enum class CloseFlush : uint8_t { kNever, kAfterEmptying, kAfterAnyCut };

/// One model. All there are live in all_models(), for the whole run.
struct PersistenceRules {
  std::string_view name;     ///< as in --fs
  std::string_view summary;  ///< one line for a person
  bool metadata_in_order = false;
  Growth growth = Growth::kSizeFirst;
  SyncReach sync = SyncReach::kItself;
  /// Space given to a file shows what it held before until the bytes are written.
  bool stale_blocks = false;
  /// Written when a file is renamed over another one.
  Flush at_replace = Flush::kNothing;
  CloseFlush at_close = CloseFlush::kNever;
  /// Both are of files alone that have a page under delayed allocation, and then of all their
  /// pages.
  bool flushes_delayed_files_only = false;
  /// What the flush at close starts.
  Flush close_flushes = Flush::kData;
  /// A sync writes a log beside the one order of metadata; a rename between two folders can be seen
  /// half done after one of the new folder (btrfs_log.h).
  bool log_tree = false;
  /// Overwritten bytes go to new space, so they need the metadata before them.
  bool copies_on_write = false;
  /// Setting the size of a file, also to what it is, puts it on disk with later metadata, whatever
  /// waits to be written in front of it.
  bool truncation_settles_size = false;
  /// sync(2) and syncfs(2) flush the disk's cache only where the journal has something to write, so
  /// they do not vouch for bytes written in place.
  bool sync_may_not_flush = false;
  /// copy_file_range and FICLONE share space that is on disk already: metadata, in order.
  bool shares_copies = false;
};

/// Every model, in the order of --fs's documentation.
[[nodiscard]] std::span<const PersistenceRules> all_models();
/// The model called NAME; kUsage, with the names there are, if there is none.
[[nodiscard]] Result<const PersistenceRules*> find_model(std::string_view name);

struct ExpandOptions {
  int64_t tear_bytes = format::kPageSize;  ///< 4096, or 512: what is written whole or not at all
};

/// Expands TRACE under RULES. Fails with kHarness where the trace contradicts itself.
[[nodiscard]] Result<UnitHistory> expand(const Trace& trace, const PersistenceRules& rules,
                                         const ExpandOptions& options = {});

}  // namespace everycrash
