// What is done with each caught call. All of these run under the lock, on a stack of our own, and
// return the call's result, kNotOurs, or a question (fault.h).
#pragma once

#include "harness/record/preload/core/call.h"
#include "harness/record/system_calls.h"

namespace everycrash::preload {

using HandlerFunction = long (*)(const Call&);

/// The one of HANDLER.
HandlerFunction function_of(calls::Handler handler);

/// False for those that only wait, or look after signals (network.h, signals.h): they run without
/// the lock, on the stack of the program.
bool runs_under_lock(calls::Handler handler);

// record_open.cc
long record_open(const Call& call);
long record_make_directory(const Call& call);
long record_make_node(const Call& call);
long record_symlink(const Call& call);
long record_bind(const Call& call);

// record_write.cc
long record_write(const Call& call);

// record_send.cc
long record_connect(const Call& call);
long record_listen(const Call& call);
long record_send(const Call& call);

// record_read.cc
long answer_read(const Call& call);

// record_copy.cc
long record_sendfile(const Call& call);
long record_copy_range(const Call& call);
long record_splice(const Call& call);
long record_clone(const Call& call);

// record_size.cc
long record_truncate(const Call& call);
long record_truncate_open_file(const Call& call);
long record_allocate(const Call& call);

// record_names.cc
long record_rename(const Call& call);
long record_link(const Call& call);
long record_unlink(const Call& call);
long record_remove_directory(const Call& call);

// record_sync.cc
long record_file_sync(const Call& call);
long record_sync_all(const Call& call);
long record_sync_file_system(const Call& call);
long record_sync_range(const Call& call);

// record_attributes.cc
long record_change_mode(const Call& call);
long record_change_owner(const Call& call);
long record_change_times(const Call& call);
long record_set_attribute(const Call& call);
long record_remove_attribute(const Call& call);

// record_close.cc
long record_close(const Call& call);
long record_close_range(const Call& call);
long record_duplicate(const Call& call);
long record_exit(const Call& call);

// record_lock.cc
long stand_before_lock(const Call& call);
long answer_control(const Call& call);  ///< fcntl

// record_mapping.cc
long record_map(const Call& call);
long record_protect(const Call& call);
long record_move(const Call& call);
long record_map_sync(const Call& call);

// record_refusals.cc
long refuse_io_uring(const Call& call);
long note_async_io(const Call& call);
long note_chroot(const Call& call);

}  // namespace everycrash::preload
