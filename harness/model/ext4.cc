// The model `ext4` and its mount options. Held against Linux 6.18.
//
// Sources: Documentation/admin-guide/ext4.rst (data=, auto_da_alloc, delalloc, commit); the papers
// BOB and ALICE (Pillai et al., OSDI 2014, tables 1 and 3) and Ferrite (Bornholt et al., ASPLOS
// 2016, figure 3, definition 7); and runs on Linux 6.18 where every block that was not flushed was
// lost (the rows a to q below are those of testdata/litmus_*.txt).
//
// Metadata is in one order. Names, truncations, attributes and fallocate join the running
// transaction of the journal, and transactions commit in order: what is on disk is a prefix of
// them. A commit takes everything before it, so fsync of any file takes all earlier metadata to
// disk (rows g, h, i: an unlink and a rename of other files were there after it). That also holds
// for fsync(file) of a new file: its name is there without a sync of its folder (rows e, j).
// A sync commits up to the last change of its own file: one that finds its file unchanged commits
// nothing, and to fdatasync a rename, a new mode or bytes within the size are no change
// (`everycrash validate`, Linux 6.18).
//
// Data is not in that order. With delayed allocation (the default), appended bytes get their place,
// and the file its size, when they are written back, up to half a minute later. So:
//   - a new name can be there with an empty file (rows b, g, m), an append can be missing as a
//   whole
//     although later metadata is there (row d);
//   - a size can be there before its bytes, which then read as zeros: Ferrite's prefix-append test
//     found 2500 bytes and 1596 zeros, "working as intended". A size that is there needs all the
//     metadata that came before the write;
//   - bytes that overwrite others in place go to disk at any time (rows i, p), before or after
//     metadata around them; a page is written after what it held before. That holds for a page in
//     which the file grows, too; and the zeros behind a cut show in the old size (`everycrash
//     validate`, Linux 6.18);
//   - a cut can be there before data that waited for its place, and then shows zeros.
// fsync of one file does not take the data of others (rows g, p).
//
// Replace via rename, replace via truncate (auto_da_alloc, the default): renaming over an existing
// file, and closing a file that had been emptied, allocate the delayed blocks at once, so that "at
// the next journal commit, in the default data=ordered mode, the data blocks of the new file are
// forced to disk before the rename() operation is committed" (ext4.rst; rows a, c). Only where the
// target existed: row b is empty. Ferrite saw a part of the new content after such a rename on
// Linux 4.1, where the flush was started and not waited for; the documentation excludes that, and
// so does the model. (Linux 6.18 still shows zeros where a commit comes in the milliseconds in
// which that flush is on its way; `everycrash validate` counts that apart.) The truncation itself
// may be committed before the close: an empty file is legal until something later is there.
//
// That flush is of files alone which have a page under delayed allocation, and then of all their
// pages (ext4_alloc_da_blocks of fs/ext4/inode.c returns at once where i_reserved_data_blocks is 0,
// and calls filemap_flush else). Bytes over blocks that were allocated before, and bytes in space
// from fallocate, reserve nothing. So a file that was there, is overwritten in place, and renamed,
// can show its old bytes under the new name; one that was fallocated and then written, zeros
// (`everycrash test --on ext4`, Linux 6.18). Taken as allocated are all bytes that the file had
// before the workload, those of fallocate, and those that a sync or such a flush of the workload
// has sent to disk; not what may have been written back in the background since it was written.
//
// ext4-noauto_da_alloc  the same without that: rows a and c are empty.
// ext4-nodelalloc       places and sizes are given in the call and stand in the order of metadata;
//                       data=ordered writes the bytes of new blocks before the commit (rows b, d,
//                       g, m are whole; Ferrite: prefix-append holds). In-place overwrites stay
//                       free (rows i, p).
// ext4-writeback        data=writeback: nothing is forced to disk before a commit, so a size may
//                       show what its blocks held before ("stale data", ext4.rst). The heuristics
//                       still allocate, hence the size is right after a replace (rows a, c "new"),
//                       but BOB found safe rename and truncate violated under it.
#include "harness/model/models.h"

namespace everycrash {

namespace {

constexpr PersistenceRules kDefault = {
    .name = "ext4",
    .summary = "ext4 as mounted by default (data=ordered, delalloc, auto_da_alloc)",
    .metadata_in_order = true,
    .growth = Growth::kSizeFirst,
    .sync = SyncReach::kAllMetadata,
    .at_replace = Flush::kData,
    .at_close = CloseFlush::kAfterEmptying,
    .flushes_delayed_files_only = true,
};

constexpr PersistenceRules without_heuristics() {
  PersistenceRules rules = kDefault;
  rules.name = "ext4-noauto_da_alloc";
  rules.summary = "ext4 without the flush at replace via rename and replace via truncate";
  rules.at_replace = Flush::kNothing;
  rules.at_close = CloseFlush::kNever;
  return rules;
}

constexpr PersistenceRules without_delayed_allocation() {
  PersistenceRules rules = kDefault;
  rules.name = "ext4-nodelalloc";
  rules.summary = "ext4 without delayed allocation: appended data is on disk before later metadata";
  rules.growth = Growth::kAtOnce;
  return rules;
}

constexpr PersistenceRules write_back() {
  PersistenceRules rules = kDefault;
  rules.name = "ext4-writeback";
  rules.summary = "ext4 with data=writeback: a new size may show old blocks";
  rules.stale_blocks = true;
  rules.at_replace = Flush::kSizes;
  rules.close_flushes = Flush::kSizes;
  return rules;
}

}  // namespace

const PersistenceRules kExt4Model = kDefault;
const PersistenceRules kExt4NoAutoDaAllocModel = without_heuristics();
const PersistenceRules kExt4NoDelallocModel = without_delayed_allocation();
const PersistenceRules kExt4WritebackModel = write_back();

}  // namespace everycrash
