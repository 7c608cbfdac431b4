// A range of a file as memory, to record bytes that the kernel moved without the program's seeing.
#pragma once

#include <stdint.h>
#include <sys/uio.h>

namespace everycrash::preload {

/// Read-only view, gone with the object. The file need not be open for reading: it is opened anew.
class FileView {
 public:
  FileView(int descriptor, int64_t offset, size_t size);
  FileView(const FileView&) = delete;
  FileView& operator=(const FileView&) = delete;
  ~FileView();

  [[nodiscard]] bool valid() const { return bytes_.iov_len == size_; }
  [[nodiscard]] const iovec& bytes() const { return bytes_; }

 private:
  size_t size_;
  long mapping_ = 0;
  long mapping_size_ = 0;
  iovec bytes_ = {nullptr, 0};
};

}  // namespace everycrash::preload
