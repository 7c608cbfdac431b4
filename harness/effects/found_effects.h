// What counts as an effect of a run, and what was found of it (find_effects.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/effects/sink_memory.h"
#include "harness/trace/temporary_names.h"

namespace everycrash {

/// What counts as an effect. A value.
struct EffectRules {
  std::vector<std::string> commands;  ///< globs of program names, "sendmail*", or paths
  std::vector<std::string> folders;   ///< globs of folders, relative to the state directory
  std::vector<std::string> peers;     ///< globs of peers whose other bytes count: "127.0.0.1:25"
  std::optional<SinkOptions> sink;    ///< the receiver at 127.0.0.1, its port known
  TemporaryNames temporary;  ///< of the undisturbed run: files in FOLDERS that are no effects
  [[nodiscard]] bool empty() const {
    return commands.empty() && folders.empty() && peers.empty() && !sink;
  }
  /// The memory of a receiver that has done nothing yet.
  [[nodiscard]] SinkMemory new_sink() const { return SinkMemory(sink.value_or(SinkOptions{})); }
};

struct FoundEffect {
  uint64_t sequence = 0;         ///< record that completed it
  std::string line;              ///< as event.h has it, without its newline
  std::string file;              ///< of one that is a file of the state directory: its path
  uint64_t gone = ~uint64_t{0};  ///< record with which the run took that file away again
};

/// A request to the sink.
struct SinkRequest {
  uint64_t sequence = 0;
  HttpRequest request;
};

/// What was sent to one peer and cannot be counted.
struct UncountedSends {
  std::string peer;
  size_t messages = 0;
  bool encrypted = false;  ///< else it is no HTTP, and nobody said that it is an effect
};

struct FoundEffects {
  std::vector<FoundEffect> effects;   ///< in the order of the trace
  std::vector<SinkRequest> requests;  ///< what the sink got, in that order
  std::vector<UncountedSends> not_counted;
  bool outside_peer = false;  ///< something was sent to another machine
  bool assumes_keys = false;  ///< a request with an Idempotency-Key went to an unknown receiver
  SinkMemory sink_before{SinkOptions{}};  ///< what the sink had done before this run
};

}  // namespace everycrash
