// What everycrash asks of its disk server, over one stream socket.
//
// A request is a ControlRequest and `length` bytes; a reply is a ControlReply and `length` bytes.
// Both ends are of the same build, so the structures travel as they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/base/digest.h"

namespace everycrash {

enum class DiskCommand : uint32_t {
  kHello,      ///< answered once the disk can be opened
  kMakeFresh,  ///< DiskImage::make_fresh()
  kReset,
  kStartLog,
  kPosition,  ///< value = requests in the log
  kLog,       ///< payload = DiskRequest...
  kBecome,    ///< payload = a byte for each request; digest = the disk's
  kLoad,      ///< payload = path of a sparse image: becomes the fresh image, all else zeros
  kSave,      ///< payload = absolute path: the present is written there, sparsely
};

struct ControlRequest {
  DiskCommand command = DiskCommand::kHello;
  uint32_t length = 0;
};

struct ControlReply {
  int32_t error = 0;  ///< errno, 0 = done
  uint32_t length = 0;
  uint64_t value = 0;
  Digest digest;
};

/// Moves all of SIZE bytes; false where the other end is gone.
bool send_all(int socket, const void* bytes, size_t size);
bool receive_all(int socket, void* bytes, size_t size);

}  // namespace everycrash
