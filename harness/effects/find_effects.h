// What a recorded run did to the outside, told from its trace alone, without any change to it:
// requests that it sent, commands that it ran, files that it put into an outbox. (Effects that it
// names itself, by markers, are in the trace as events already.)
//
//   what                          when                              kind and key
//   HTTP request                  its last byte is sent             POST/charge order-17
//   other bytes, chosen peers     they are sent                     send:127.0.0.1:25 HASH
//   command, chosen by its name   it has ended with status 0        sendmail bob@example.com
//   file in a chosen folder       the name appears; of one that     outbox order-17.json
//                                 is written there: its last write
//                                 before its writer closes it
//
// A file that is half written is no effect yet, and one that is made empty and closed waits for who
// fills it. Temporary files of the run are none, nor are those of the undisturbed run: a run that
// fails may leave them. To empty one that is there already and write it
// again is one that can be repeated: what a run does that finds half of it.
//
// Safe methods (GET) are no effects. Neither is what goes to a socket on which a process of the
// workload itself listens: both ends die together, and a crash state holds what they keep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/effects/sink_memory.h"
#include "harness/trace/temporary_names.h"
#include "harness/trace/trace.h"

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

struct FoundEffects {
  std::vector<FoundEffect> effects;   ///< in the order of the trace
  std::vector<SinkRequest> requests;  ///< what the sink got, in that order
  /// What was sent and cannot be counted, and what to do about it; a line each, for a person.
  std::vector<std::string> not_counted;
  bool outside_peer = false;  ///< something was sent to another machine
  bool assumes_keys = false;  ///< a request with an Idempotency-Key went to an unknown receiver
  SinkMemory sink_before{SinkOptions{}};  ///< what the sink had done before this run
};

/// SINK is what the sink had done before this run; ignored without a sink in RULES.
[[nodiscard]] FoundEffects find_effects(const Trace& trace, const EffectRules& rules,
                                        SinkMemory sink);

/// Announces them in TRACE.
void announce_effects(const FoundEffects& found, Trace& trace);

/// What the sink had done when RECORD had happened.
[[nodiscard]] SinkMemory sink_memory_at(const FoundEffects& found, uint64_t record);

}  // namespace everycrash
