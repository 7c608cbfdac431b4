// The model `posix`: what POSIX and the Linux manual pages promise, and nothing else.
//
// No file system is this bad, and every added sync is one that some file system needs: it is the
// model to hold portable code against. In one thing it is kinder than btrfs: it takes rename(2) at
// its word and never shows half of one, not even of a rename between folders.
//
// Rules
//   - Every unit survives on its own: each page of data, each step of a size, each name. Directory
//     operations of one folder or of several reach the disk in any order. Only what touches the
//     very same thing keeps its order: the same page, the same name, the size of the same file, its
//     attributes. (The later state of one block contains the earlier.)
//   - rename is one step: the new name, the end of the old one and of what was replaced. POSIX
//     words this for other processes only, but every file system that has a journal keeps it, and
//     portable programs have no other tool.
//   - A size that is there before its bytes shows zeros. Synced bytes stay, also when the page that
//     holds them is written again.
//   - fsync(file): its content, size and attributes. Not its name: fsync(2), "does not necessarily
//     ensure that the entry in the directory containing the file has also reached disk. For that an
//     explicit fsync() on a file descriptor for the directory is also needed."
//   - fdatasync(file): content and size, not attributes that reading does not need: fdatasync(2).
//   - fsync(folder), however it was opened: all names that came and went in it. A rename between
//     two folders is one step, so a sync of either takes it whole.
//   - O_SYNC and O_DSYNC: each write as if followed by fsync or fdatasync of its bytes: open(2).
//   - sync, syncfs: everything before. POSIX lets sync() return early; Linux waits: sync(2).
//   - close: nothing. close(2): "A successful close does not guarantee that the data has been
//     successfully saved to disk". sync_file_range: nothing; it writes no metadata and does not
//     flush the disk's cache: sync_file_range(2), "extremely dangerous".
//
// POSIX even permits an fsync that does nothing (fsync, RATIONALE). That is `lost-fsync`, not this.
#include "harness/model/models.h"

namespace everycrash {

const PersistenceRules kPosixModel = {
    .name = "posix",
    .summary = "only what POSIX promises: a name needs its directory's fsync, nothing is in order",
};

}  // namespace everycrash
