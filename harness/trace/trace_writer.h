// Creating a trace file: the header, what was there before the workload, and the seal at the end.
// The records in between are written by the preload library into the same file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "harness/base/error.h"
#include "harness/trace/format.h"
#include "harness/trace/operation.h"

namespace everycrash {

/// What identifies an open file to the recorder.
struct FileIdentity {
  uint64_t device = 0;
  uint64_t inode = 0;
};

/// Owns the mapping of a trace that is being written. Not thread-safe within a process; processes
/// that hold the same file mapped may write between its calls.
class TraceWriter {
 public:
  /// Creates FILE anew. CAPACITY bytes are mapped, not reserved: blocks are taken as records come.
  static Result<TraceWriter> create(const std::filesystem::path& file, uint64_t capacity,
                                    std::string_view root, FileIdentity root_identity);
  TraceWriter(TraceWriter&& other) noexcept;
  TraceWriter& operator=(TraceWriter&&) = delete;
  ~TraceWriter();

  /// The shared header, for settings that the preload library reads (stdout, events, plan) and for
  /// waiting on its `plan.reached`.
  [[nodiscard]] format::FileHeader& header() { return *header_; }

  /// Appends RECORD with the given strings; size, checksum and sequence are filled in. Payloads of
  /// over 1 MiB of kInitial go on in kPayloadChunk records. Returns the sequence number.
  Result<uint64_t> append(format::RecordHeader record, std::string_view path,
                          std::string_view other_path, std::string_view payload);

  /// Appends what OPERATION, a record that was read from another trace or changed since, tells: all
  /// but its sequence number.
  Result<uint64_t> append(const Operation& operation);

  /// Records every entry of DIRECTORY as kInitial and kInitialAttribute, sorted by path, the
  /// directory itself first. A file with several names comes with content the first time only.
  Status append_initial_tree(const std::filesystem::path& directory);

  /// Cuts the file to its records and marks it whole. Nothing may write any more.
  Status seal();

 private:
  TraceWriter(int descriptor, format::FileHeader* header, uint64_t mapped_bytes)
      : descriptor_(descriptor), header_(header), mapped_bytes_(mapped_bytes) {}
  Status append_one(format::RecordHeader record, std::string_view path, std::string_view other_path,
                    std::string_view payload);
  Status reserve(uint64_t end);

  int descriptor_;
  format::FileHeader* header_;
  uint64_t mapped_bytes_;
};

}  // namespace everycrash
