// The part of find_effects.h that looks at sockets.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "harness/effects/found_effects.h"
#include "harness/effects/http_stream.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// Follows the connections of one trace. TRACE, RULES and FOUND, which gets what is found, must
/// outlive it.
class SentBytes {
 public:
  SentBytes(const Trace& trace, const EffectRules& rules, SinkMemory sink, FoundEffects& found);

  void connect(const Operation& record);
  void send(const Operation& record);
  /// At the end of the trace: requests whose end was never seen, and what could not be counted.
  void finish();

 private:
  struct Connection {
    std::string peer;
    bool chosen = false;  ///< all that is sent there is an effect
    HttpStream http;
    uint64_t last_send = 0;
    uint64_t other_sends = 0;  ///< of another protocol
    bool encrypted = false;
  };

  [[nodiscard]] bool is_own(std::string_view peer) const;
  [[nodiscard]] bool is_sink(std::string_view peer) const;
  void take(const HttpRequest& request, const Connection& connection, uint64_t sequence);
  void close(Connection& connection);

  const EffectRules& rules_;
  SinkMemory sink_;
  FoundEffects& found_;
  std::set<std::string, std::less<>> own_;      // where a process of the workload listens
  std::map<uint64_t, Connection> connections_;  // by the socket's inode
  struct Others {
    uint64_t sends = 0;
    bool encrypted = false;
  };
  std::map<std::string, Others> others_;  // by peer
};

}  // namespace everycrash
