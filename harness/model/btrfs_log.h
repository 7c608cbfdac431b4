// The log tree of btrfs, followed along a trace: which names a sync carries to disk without the
// metadata before them, and which changes of names go with it afterwards.
//
// A sync does not commit the transaction. It copies what the transaction changed of some inodes
// into the log tree, and after a crash the log is replayed on the last transaction. The rules are
// those of fs/btrfs/tree-log.c (functions in brackets), each seen on Linux 6.18
// (testdata/btrfs_log.txt):
//
//   1. fsync of a file logs it with all its names, and those new folders that lead to its names; a
//      renamed folder is not new, so its new name is not carried [log_all_new_ancestors].
//   2. If a name of the file came or went in this transaction, the folders that the last
//      transaction has it in are logged as a whole, if something came or went in them, with all of
//      that [last_unlink_trans, btrfs_log_all_parents, need_log_inode].
//   3. fsync of a folder logs it as a whole. A file that is new in a folder that is logged as a
//      whole is logged as well, with its names [log_new_dir_dentries]. In a folder where it has a
//      name then, the replay takes those away that are not in the log; in other ones it leaves what
//      the last transaction has [replay_one_buffer, add_inode_ref, unlink_old_inode_refs]: a name
//      that the file had there and has no more is seen only if a commit came between. A folder is
//      logged likewise, and as a whole.
//   4. A file that takes a name which another file has in the last transaction takes that one's new
//      names along [btrfs_check_ref_name_override].
//   5. A folder out of which something was renamed, while neither was in the log, cannot be logged
//      as a whole, nor one that was renamed itself, to another folder: the transaction is committed
//      [btrfs_record_unlink_dir, btrfs_log_inode].
//   6. A file that is in the log gets a new name by rename or link: the log gets it at once. So
//      does a file that is renamed out of a folder that is in the log. The next sync of anything,
//      by any program, takes it to disk [btrfs_log_new_name].
//   7. A name in the log goes with the file, or is replaced: it leaves the log at once, whatever
//      becomes of the rename that replaces it [btrfs_del_dir_entries_in_log,
//      btrfs_del_inode_ref_in_log]. Where the last transaction has an older file under that name,
//      that one is seen again, unless the folder was logged as a whole after that one had gone. An
//      old name of a logged file goes with the log where the file keeps another in that folder; and
//      comes back where that one leaves the log, too, without a name in its place.
//   8. A file that is logged for the sake of another one, or of a new name (rules 3, 4 and 6), is
//      logged without its bytes, and with the smaller of two sizes, that in memory and that in the
//      last transaction, or in the log where it is there already. So a cut goes along without the
//      bytes written before it, and without those written after it where the file has grown again:
//      those of before the cut are seen up to its size. The size 0 means that none is told, unless
//      the file was in the log before [get_inode_size_to_log, fill_inode_item, overwrite_item;
//      before the fix 5254d4181add of 2026 no cut went along with a file that was not]. Owner and
//      mode go along if the file is new or was in the log before. (Extended attributes always do;
//      those of an older file are not followed here.)
//
// A transaction may be committed in the background at any time, and empties the log. What a sync is
// said to carry for certain is therefore only what has come before that which makes it carry it:
// were there a commit in between, it would be on disk by that. What may go with the log at once is
// said as if there had been none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "harness/model/file_system.h"
#include "harness/model/unit.h"

namespace everycrash {

/// Refers to the file system beside the trace, which has done each operation before it is told
/// here. One thread.
class BtrfsLog {
 public:
  using Name = Node::Link;

  explicit BtrfsLog(const FileSystem& tree) : tree_(tree) {}

  // -- What happens. UNIT is the one that did it.

  struct Step {
    UnitId unit;
    UnitId last;  ///< of the same operation
  };
  /// NAME, which meant BEFORE, means NODE (kNoNode: nothing) now.
  void set_name(Name name, NodeId before, NodeId node, Step step);
  /// NODE, whose name came with UNIT, is new.
  void made(NodeId node, UnitId unit) { inodes_[node].made = unit; }
  /// NODE got a name by rename or link, or lost one.
  void moved(NodeId node, UnitId unit) { inodes_[node].moved = unit; }
  /// Something was renamed out of FOLDER that was not in the log.
  void moved_out_of(NodeId folder, UnitId unit) { inodes_[folder].moved_out = unit; }
  /// Something of NODE changed that is not a name.
  void touched(NodeId node) { inodes_[node].changed = true; }
  /// NODE is in the log with all its names.
  void put_in_log(NodeId node);
  /// A new name of NODE has gone with the log, and with it the folders that it has left.
  void put_move_in_log(NodeId node, UnitId units);
  /// Mode, owner or the like of NODE have changed.
  void changed_attributes(NodeId node) { inodes_[node].attributes_changed = true; }
  /// The size of NODE has changed.
  void resized(NodeId node, int64_t before, int64_t size);
  /// The program had everything committed.
  void forget();
  /// A file that is logged without its bytes, and is not larger than SIZE then.
  struct Cut {
    NodeId node;
    int64_t size;
  };
  struct Synced {
    LoggedNames names;  ///< for certain
    // where no commit came between
    std::vector<Cut> cuts;
    std::vector<NodeId> attributes;  ///< files and folders whose attributes go along
    std::vector<Name> later;         ///< names that came after what makes the sync carry them
  };
  /// What the log of a sync of NODE carries beside its content and its own names. UNITS is how many
  /// units there are.
  [[nodiscard]] Synced sync(NodeId node, UnitId units);

  // -- What goes with the log.

  /// True if a new name of NODE goes with it; FOLDER is the one it is renamed from, if it is.
  [[nodiscard]] bool takes_new_name_of(NodeId node, NodeId folder = kNoNode) const;
  /// What goes with the log along with NAME, new for NODE: the names of folders that are new and
  /// not in the log, from the top; those of a file that the last transaction has under NAME; and,
  /// where NODE was in the log, what came or went in the folders that are now logged as a whole;
  /// FROM is the name that it is renamed from, or null. Asked before the new name is told here.
  [[nodiscard]] std::vector<Name> companions_of(Name name, NodeId node, const Name* from) const;
  [[nodiscard]] NodeId holder_of(Name name) const;
  /// What NODE is cut to if it is logged now with a new name. Asked before that is told here.
  [[nodiscard]] std::optional<Cut> cut_of(NodeId node) const;
  /// True if its attributes go along then.
  [[nodiscard]] bool takes_attributes_of(NodeId node) const;

  struct End {
    bool in_log = false;          ///< the end of the name goes with the log
    NodeId comes_back = kNoNode;  ///< what the name means again after a replay
    UnitId given_by = kNoUnit;    ///< the unit that gave the name which is taken out of the log
    UnitId first = kNoUnit;       ///< the unit that took the name from that older file
    std::vector<Name> others;     ///< other names of the same file that come back with that
    [[nodiscard]] bool brings_back() const { return comes_back != kNoNode || !others.empty(); }
  };
  /// The end of a name of NODE, which has just been taken from it.
  [[nodiscard]] End end_of(Name name, NodeId node) const;
  /// The same for a name that was given up for one that goes with the log.
  [[nodiscard]] End end_of_renamed(Name name, NodeId node) const;
  /// The same for a name that was given up in its folder, for one that does not go with the log,
  /// but later with a sync of the file: nothing says there that an older file had lost the name.
  [[nodiscard]] End end_of_new(Name name) const;

 private:
  /// A name that has changed since the last transaction.
  struct Change {
    NodeId committed = kNoNode;  ///< what it means in that one
    UnitId first = kNoUnit;
    Step last{};          ///< that gave it to its holder
    bool in_log = false;  ///< with its holder
  };
  /// A unit that gave a name or took it.
  struct Move {
    UnitId unit;
    NodeId folder;
  };
  struct Inode {
    bool changed = false;
    bool logged = false;
    bool attributes_changed = false;  ///< and are not in the log
    int64_t largest = -1;         ///< its size since the last transaction; -1: it has not changed
    int64_t size_in_log = 0;      ///< if it is logged
    UnitId made = kNoUnit;        ///< its first name, if it is new
    UnitId moved = kNoUnit;       ///< the last unit that gave or took a name, but the first one
    std::vector<Move> moves;      ///< its names
    std::vector<NodeId> folders;  ///< where the last transaction has names that it has lost
    // of a folder
    std::vector<UnitId> inside;   ///< names that came or went in it
    std::vector<uint32_t> fresh;  ///< names of those, since it was logged as a whole
    UnitId whole_until = 0;       ///< it was logged as a whole when there were so many units
    UnitId moved_out = kNoUnit;   ///< why it cannot be logged as a whole
  };
  class Logging;

  [[nodiscard]] const Change* change_of(Name name) const;
  [[nodiscard]] const Inode* inode(NodeId node) const;
  [[nodiscard]] bool is_logged(NodeId node) const;
  [[nodiscard]] bool has_name_in(NodeId node, NodeId folder) const;
  [[nodiscard]] std::vector<NodeId> old_folders(NodeId node) const;
  [[nodiscard]] End replayed(Name name, NodeId node, const Change& change) const;
  [[nodiscard]] std::vector<Name> returning(NodeId node, NodeId folder) const;
  /// Returns the names in it that had not been logged with it before.
  std::vector<Name> log_as_a_whole(NodeId folder, UnitId units);

  const FileSystem& tree_;
  std::map<std::pair<NodeId, uint32_t>, Change> changes_;
  std::map<NodeId, Inode> inodes_;
};

}  // namespace everycrash
