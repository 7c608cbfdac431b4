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

#include "harness/effects/found_effects.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// SINK is what the sink had done before this run; ignored without a sink in RULES.
[[nodiscard]] FoundEffects find_effects(const Trace& trace, const EffectRules& rules,
                                        SinkMemory sink);

/// Announces them in TRACE.
void announce_effects(const FoundEffects& found, Trace& trace);

/// What the sink had done when RECORD had happened.
[[nodiscard]] SinkMemory sink_memory_at(const FoundEffects& found, uint64_t record);

}  // namespace everycrash
