// Reading a trace file.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/trace/operation.h"

namespace everycrash {

/// A trace, immutable but for announce(), mapped from its file; safe to read from several threads.
/// Costs about 200 bytes of memory a record beside the mapping, which the kernel may drop and read
/// again.
class Trace {
 public:
  /// Opens and verifies every record. Fails with kHarness and says what is wrong and where: not a
  /// trace, written by a newer everycrash, cut short, a checksum that does not hold, or (unless
  /// ALLOW_UNSEALED) a recording that was never finished.
  static Result<Trace> open(const std::filesystem::path& file, bool allow_unsealed = false);

  Trace(Trace&&) noexcept;
  Trace& operator=(Trace&&) noexcept;
  ~Trace();

  /// All records in their total order.
  [[nodiscard]] std::span<const Operation> records() const { return records_; }
  /// Says that a record brought LINES about, whole lines of event.h, without writing them: a
  /// request that it completed, a command that it ended. Before anything else reads the trace.
  void announce(uint64_t sequence, std::string lines);
  /// The record with that sequence number, or nullptr.
  [[nodiscard]] const Operation* find(uint64_t sequence) const;
  /// Return addresses of a kStack record, innermost first; empty for 0.
  [[nodiscard]] std::span<const uint64_t> stack(uint64_t sequence) const;
  /// The kMappings text that was in force for the stack with that sequence number.
  [[nodiscard]] std::string_view mappings_of_stack(uint64_t sequence) const;

  /// Canonical path of the state directory while recording.
  [[nodiscard]] std::string_view root() const;
  /// Hash of the whole file: names the trace in results.
  [[nodiscard]] std::string identity() const;
  /// What the faults of the run have counted; zeros in a run without.
  [[nodiscard]] const format::FaultState& faults() const;
  /// errno that ended the recording early (disk full, trace full), 0 = none.
  [[nodiscard]] int full() const;
  /// A process was killed between the effect of a call and its record: the last operation may be
  /// missing.
  [[nodiscard]] bool interrupted_in_call() const;

 private:
  struct Mapping;
  Trace(std::unique_ptr<Mapping> mapping, std::vector<Operation> records);

  std::unique_ptr<Mapping> mapping_;
  std::vector<Operation> records_;
  std::deque<std::string> announced_;  // whose texts stay where they are
};

}  // namespace everycrash
