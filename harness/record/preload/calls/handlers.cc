#include "harness/record/preload/calls/handlers.h"

#include "harness/record/preload/calls/program.h"
#include "harness/record/preload/core/signals.h"
#include "harness/record/preload/network/network.h"

namespace everycrash::preload {

namespace {

using calls::Handler;

struct Row {
  Handler handler;
  HandlerFunction function;
  bool under_lock = true;
};

constexpr Row kRows[] = {
    {Handler::kWrite, record_write},
    {Handler::kSend, record_send},
    {Handler::kRead, answer_read},
    {Handler::kConnect, record_connect},
    {Handler::kListen, record_listen},
    {Handler::kOpen, record_open},
    {Handler::kClose, record_close},
    {Handler::kCloseRange, record_close_range},
    {Handler::kDuplicate, record_duplicate},
    {Handler::kExit, record_exit},
    {Handler::kRename, record_rename},
    {Handler::kLink, record_link},
    {Handler::kUnlink, record_unlink},
    {Handler::kRemoveDirectory, record_remove_directory},
    {Handler::kSymlink, record_symlink},
    {Handler::kMakeDirectory, record_make_directory},
    {Handler::kMakeNode, record_make_node},
    {Handler::kBind, record_bind},
    {Handler::kTruncate, record_truncate},
    {Handler::kTruncateOpenFile, record_truncate_open_file},
    {Handler::kAllocate, record_allocate},
    {Handler::kFileSync, record_file_sync},
    {Handler::kSyncAll, record_sync_all},
    {Handler::kSyncFileSystem, record_sync_file_system},
    {Handler::kSyncRange, record_sync_range},
    {Handler::kSendfile, record_sendfile},
    {Handler::kCopyRange, record_copy_range},
    {Handler::kSplice, record_splice},
    {Handler::kClone, record_clone},
    {Handler::kControl, answer_control},
    {Handler::kLock, stand_before_lock},
    {Handler::kChangeMode, record_change_mode},
    {Handler::kChangeOwner, record_change_owner},
    {Handler::kChangeTimes, record_change_times},
    {Handler::kSetAttribute, record_set_attribute},
    {Handler::kRemoveAttribute, record_remove_attribute},
    {Handler::kMap, record_map},
    {Handler::kProtect, record_protect},
    {Handler::kMove, record_move},
    {Handler::kMapSync, record_map_sync},
    {Handler::kExecute, look_at_program},
    {Handler::kRefuse, refuse_io_uring},
    {Handler::kNameAsyncWrite, note_async_io},
    {Handler::kNameChroot, note_chroot},
    {Handler::kWait, wait_while_healing, false},
    {Handler::kSignalAction, emulate_sigaction, false},
    {Handler::kSignalMask, emulate_sigprocmask, false},
    {Handler::kWaitWithMask, make_without_sigsys, false},
};

struct Table {
  Row of[calls::kHandlers] = {};

  constexpr Table() {
    for (const Row& row : kRows) of[static_cast<size_t>(row.handler)] = row;
  }
  [[nodiscard]] constexpr bool is_whole() const {
    for (const Row& row : of) {
      if (row.function == nullptr) return false;
    }
    return true;
  }
};

constinit const Table table;
static_assert(Table().is_whole(), "a handler has no function");

}  // namespace

HandlerFunction function_of(Handler handler) {
  return table.of[static_cast<size_t>(handler)].function;
}

bool runs_under_lock(Handler handler) {
  return table.of[static_cast<size_t>(handler)].under_lock;
}

}  // namespace everycrash::preload
