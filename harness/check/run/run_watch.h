// Seeing the effects of a command in a sandbox, without any change to it: it runs under the preload
// library, as when it was recorded.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/run/sandbox.h"
#include "harness/trace/trace.h"
#include "harness/trace/trace_writer.h"

namespace everycrash {

/// Makes the trace of one command after another, in the files of SANDBOX, which must outlive it.
/// For one thread. The trace has no initial tree: it tells what happened, not what was left.
class RunWatch {
 public:
  /// Fails with kHarness where the preload library cannot be found.
  static Result<RunWatch> create(const Sandbox& sandbox);

  /// Sets the variables in ENVIRONMENT that put a command under watch; once more does no harm.
  void add_to(std::vector<std::string>& environment) const;
  /// To be called right before each run of such a command. EVENTS is the file, existing, that
  /// $EVERYCRASH_EVENTS names.
  Status begin(const std::filesystem::path& events);
  /// What the run did, after it.
  Result<Trace> end();

 private:
  RunWatch(const Sandbox& sandbox, std::filesystem::path library)
      : sandbox_(&sandbox), library_(std::move(library)) {}
  [[nodiscard]] std::filesystem::path file() const { return sandbox_->files() / "trace"; }

  const Sandbox* sandbox_;
  std::filesystem::path library_;
  std::optional<TraceWriter> writer_;
};

}  // namespace everycrash
