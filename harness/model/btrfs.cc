// The model `btrfs`. Held against Linux 6.18.
//
// Sources: kernel commit 5a3f23d515a2 (ordering at rename and truncate); the papers BOB and ALICE
// (Pillai et al., OSDI 2014, tables 1 and 3) and Ferrite (Bornholt et al., ASPLOS 2016, figure 3);
// rename(2), which warns of a window with both names; fs/btrfs/tree-log.c and inode.c; linux-btrfs
// and linux-fsdevel (2019, "fsync() of any file should be enough to persist that file in its
// current directory"); and runs on Linux 6.18 where every block that was not flushed was lost (rows
// of testdata/litmus_*.txt).
//
// Without a sync, transactions commit whole, so metadata is in one order. Everything is written to
// new space: also overwritten bytes become visible through metadata, hence after what came before
// them.
//
// A sync does not commit the transaction. It writes a few inodes to the log tree, and after a crash
// the log is replayed on the last transaction: what was synced is there, and other metadata, older
// or newer, is not (rows g, h, i: an unlink "still there", a file "absent", after another file's
// fsync; BOB: directory operations out of order). This is the case of a unit that is carried to
// disk without its predecessors. What is carried beside the content of what is synced, and which
// later changes of names go with the log, is said in btrfs_log.h with the kernel's functions. So
//   - fsync(file): content, attributes, all its names, the new folders on the way (rows e, j, k);
//   - fsync(folder): its entries. After a rename between two folders, a sync of the new one shows
//     the file under both names (row l); a sync of the old one commits both halves.
//
// Renaming over an existing file sends the data of the new one first (rows a; Ferrite: atomic
// replace via rename holds), renaming to a new name does not (Ferrite: violated). That data joins
// the transaction, not the log: where a sync of the folder carries such a rename alone, the new
// name shows the file as the last transaction has it, a new one with size 0 (btrfs_log.h, rule 8;
// seen with `everycrash test --on btrfs`). Closing a file that had been emptied sends its data (row
// c: old or new, not empty, once the transaction commits).
//
// As on xfs the size follows the bytes: an append shows a prefix (Ferrite: prefix-append holds).
// But setting a size puts it into the transaction as it is then, whatever waits to be written in
// front of it, which reads as zeros; also where the size was that before (btrfs_truncate,
// btrfs_cont_expand: with no-holes, the default of mkfs.btrfs, btrfs_inode_safe_disk_i_size_write
// does not look for them; `everycrash validate`, Linux 6.18). The page that is cut is written
// before.
//
// copy_file_range and FICLONE share the source's space once it is on disk, so a copy is metadata in
// order and comes with its content. (Where the kernel copies bytes after all, this allows too
// little.)
#include "harness/model/models.h"

namespace everycrash {

const PersistenceRules kBtrfsModel = {
    .name = "btrfs",
    .summary = "btrfs: metadata in order between syncs, a sync carries one inode alone",
    .metadata_in_order = true,
    .growth = Growth::kSizeLast,
    .sync = SyncReach::kItsNames,
    .at_replace = Flush::kData,
    .at_close = CloseFlush::kAfterEmptying,
    .log_tree = true,
    .copies_on_write = true,
    .truncation_settles_size = true,
    .shares_copies = true,
};

}  // namespace everycrash
