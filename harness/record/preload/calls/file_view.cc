#include "harness/record/preload/calls/file_view.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "harness/record/preload/core/raw_call.h"
#include "harness/record/preload/core/text.h"

namespace everycrash::preload {

FileView::FileView(int descriptor, int64_t offset, size_t size) : size_(size) {
  if (size == 0) return;
  Buffer<64> name;
  name.add("/proc/self/fd/");
  name.add_number(static_cast<unsigned>(descriptor));
  long file = raw_call(SYS_openat, AT_FDCWD, to_long(name.data), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  constexpr int64_t kPageMask = 4095;
  int64_t before = offset & kPageMask;
  long length = static_cast<long>(size) + before;
  long result = raw_call(SYS_mmap, 0, length, PROT_READ, MAP_PRIVATE, file, offset - before);
  raw_call(SYS_close, file);
  if (result < 0) return;
  mapping_ = result;
  mapping_size_ = length;
  bytes_ = {reinterpret_cast<char*>(mapping_) + before, size};
}

FileView::~FileView() {
  if (mapping_ != 0) raw_call(SYS_munmap, mapping_, mapping_size_);
}

}  // namespace everycrash::preload
