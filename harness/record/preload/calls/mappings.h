// Watching shared mappings of state files. A program writes through them without any call, so their
// content is compared with a copy whenever a recorded call is about to be made; what has changed is
// recorded first. Under the lock.
#pragma once

#include <stdint.h>

#include "harness/record/preload/core/object.h"

namespace everycrash::preload {

/// What a program mapped: LENGTH bytes at ADDRESS, from OFFSET of the file that DESCRIPTOR is.
struct MappedRange {
  uintptr_t address;
  size_t length;
  int descriptor;
  int64_t offset;
  bool writable;
};

/// Begins to watch; a mapping that cannot be written (yet) is only noted. False if there is no room
/// for it, and the mapping must be called unsupported.
bool watch_mapping(const MappedRange& range, const Object& object);

/// The program has made [ADDRESS, ADDRESS + LENGTH) writable. False as above; ABOUT is then the
/// file.
bool mapping_became_writable(uintptr_t address, size_t length, Text* about);

/// The program has moved a mapping, or changed its length. False if what was added cannot be
/// watched; ABOUT is then the file.
bool mapping_moved(uintptr_t from, uintptr_t to, size_t length, Text* about);

/// The part of a watched file that lies at ADDRESS: false if none does.
bool find_mapping(uintptr_t address, uint64_t* inode, int64_t* offset, Text* path);

/// Appends kMapWrite records for all that has changed since the last look.
void record_mapped_changes();

/// A recorded call wrote these bytes of a file: they are no change made through a mapping.
void bytes_were_written(uint64_t inode, int64_t offset, int64_t length);

/// The file has lost its last name: no crash can leave anything of it.
void forget_mapping(uint64_t inode);

}  // namespace everycrash::preload
