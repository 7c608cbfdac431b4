// The model `xfs`. Held against Linux 6.18.
//
// Sources: the papers BOB (Pillai et al., OSDI 2014, table 1) and Ferrite (Bornholt et al., ASPLOS
// 2016, figure 3); the discussion of "strictly ordered metadata consistency" on linux-fsdevel
// (2019), which XFS's maintainers claim for it; and runs on Linux 6.18 where every block that was
// not flushed was lost (the rows below are those of testdata/litmus_*.txt).
//
// Metadata is in one order: the log is written in order, and forcing it for one file forces all
// that is before (rows g, h, i, l). fsync(file) of a new file brings its name along (rows e, j, k).
//
// Data is not in that order, and there is no flush at rename: renaming over an existing file can
// leave it empty (row a), as can a rename to a new name or a plain creation (rows b, m). An append
// can be missing although later metadata is there (row d). In-place overwrites are free (rows i,
// p).
//
// The size on disk follows the bytes: it is changed when their write-back has ended. So an appended
// file shows a prefix of what was appended and no zeros: neither BOB nor Ferrite found
// prefix-append violated. This model therefore allows fewer states than ext4's here.
//
// Closing a file that had been cut to a smaller size starts its write-back (row c "new"). As on
// ext4 the model takes it for done where later metadata is on disk.
//
// Held against Linux 6.18 by `everycrash validate`, which showed:
//   - a sync commits the log up to the last change of its own file; a file without changes commits
//     nothing (a folder made before is not there), and to fdatasync a rename, a new mode or bytes
//     within the size are no change;
//   - a page that is on disk is written in place whether or not the file has grown in it, and
//     whether or not an earlier truncation or a later size is there;
//   - cutting a file zeroes the rest of its last page in place, which can show in the old size;
//   - sync(2) flushes the disk's cache only through the log: bytes written in place were lost after
//     it where another file's fsync had taken the log before.
//
// copy_file_range and FICLONE share the source's space once it is on disk, so a copy is metadata in
// order and comes with its content. (Where the kernel copies bytes after all, this allows too
// little.)
#include "harness/model/models.h"

namespace everycrash {

const PersistenceRules kXfsModel = {
    .name = "xfs",
    .summary = "xfs: metadata in order, no flush at rename",
    .metadata_in_order = true,
    .growth = Growth::kSizeLast,
    .sync = SyncReach::kAllMetadata,
    .at_close = CloseFlush::kAfterAnyCut,
    .sync_may_not_flush = true,
    .shares_copies = true,
};

}  // namespace everycrash
