// Calls that change state in ways that cannot be described call by call: they are named in the
// trace, so that nothing goes missing in silence.

#include <errno.h>
#include <linux/aio_abi.h>
#include <sys/syscall.h>

#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/core/object.h"
#include "harness/record/preload/core/session.h"
#include "harness/record/preload/core/user_memory.h"

namespace everycrash::preload {

long refuse_io_uring(const Call& call) {
  // As on a kernel without it; programs that use io_uring know how to go on.
  append_unsupported(format::Unsupported::kIoUring, Text{}, static_cast<int>(call.number));
  return -ENOSYS;
}

long note_async_io(const Call& call) {
  auto* list = call.pointer<iocb*>(2);
  for (long i = 0; i < call.arguments[1]; ++i) {
    iocb* address = nullptr;
    iocb request;
    if (!copy_from_user(static_cast<void*>(&address), list + i, sizeof address)) break;
    if (!copy_from_user(&request, address, sizeof request)) break;
    bool reads = request.aio_lio_opcode == IOCB_CMD_PREAD ||
                 request.aio_lio_opcode == IOCB_CMD_PREADV ||
                 request.aio_lio_opcode == IOCB_CMD_POLL;
    Object object;
    if (!reads && look_at_descriptor(static_cast<int>(request.aio_fildes), object)) {
      append_unsupported(format::Unsupported::kUnknownCall, object.path.text(),
                         static_cast<int>(call.number));
    }
  }
  return kNotOurs;
}

long note_chroot(const Call& call) {
  append_unsupported(format::Unsupported::kStaleView, text_of("chroot"),
                     static_cast<int>(call.number));
  return kNotOurs;
}

}  // namespace everycrash::preload
