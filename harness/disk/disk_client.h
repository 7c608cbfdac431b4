// The disk server of this process: started, spoken to, ended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/digest.h"
#include "harness/base/error.h"
#include "harness/disk/control.h"
#include "harness/disk/disk_image.h"
#include "harness/record/child_process.h"

namespace everycrash {

/// Owns the server, which ends with this object, with the thread that started it, and with this
/// process. One thread. All calls fail with kHarness once the server is gone.
class DiskClient {
 public:
  /// Serves a disk of SIZE_BYTES zeros as FOLDER/disk. Fails with kUnavailable where FUSE refuses.
  static Result<std::unique_ptr<DiskClient>> start(const std::filesystem::path& folder,
                                                   uint64_t size_bytes);
  DiskClient(const DiskClient&) = delete;
  DiskClient& operator=(const DiskClient&) = delete;
  ~DiskClient();

  /// See DiskImage for what these do.
  Status make_fresh() { return ask(DiskCommand::kMakeFresh); }
  Status reset() { return ask(DiskCommand::kReset); }
  Status start_log() { return ask(DiskCommand::kStartLog); }
  Result<uint64_t> log_position();
  Result<std::vector<DiskRequest>> log();
  Result<Digest> become(const std::vector<uint8_t>& kept);
  /// The fresh image from, or the present to, a sparse file.
  Status load(const std::filesystem::path& file);
  Status save(const std::filesystem::path& file);

 private:
  DiskClient(int socket, ChildProcess server, std::filesystem::path folder)
      : socket_(socket), server_(std::move(server)), folder_(std::move(folder)) {}
  Status ask(DiskCommand command, std::string_view payload = {}, ControlReply* reply = nullptr,
             std::string* answer = nullptr);

  int socket_;
  ChildProcess server_;
  std::filesystem::path folder_;
};

}  // namespace everycrash
