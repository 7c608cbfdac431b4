#include "harness/effects/sent_bytes.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "harness/base/digest.h"
#include "harness/base/path_text.h"

namespace everycrash {
namespace {

/// What a listening socket and those that connect to it have in common: the port, or the name of
/// the socket's file (which may be given relative to anything).
std::string place_of(std::string_view address) {
  if (address.starts_with("unix:")) {
    return fmt::format("unix:{}", base_name(address.substr(5)));
  }
  return std::string(address.substr(address.rfind(':') + 1));
}

bool is_loopback(std::string_view peer) {
  return peer.starts_with("127.") || peer.starts_with("[0:0:0:0:0:0:0:1]") ||
         peer.starts_with("unix:");
}

/// A TLS record: handshake, version 3 (RFC 8446, 5.1).
bool begins_encryption(std::string_view bytes) {
  return bytes.size() >= 3 && bytes[0] == '\x16' && bytes[1] == '\x03';
}

}  // namespace

SentBytes::SentBytes(const Trace& trace, const EffectRules& rules, SinkMemory sink,
                     FoundEffects& found)
    : rules_(rules), sink_(std::move(sink)), found_(found) {
  for (const Operation& record : trace.records()) {
    if (record.kind == Kind::kListen) own_.insert(place_of(record.path));
  }
}

bool SentBytes::is_own(std::string_view peer) const {
  return own_.count(place_of(peer)) != 0 && is_loopback(peer);
}

bool SentBytes::is_sink(std::string_view peer) const {
  return rules_.sink && peer == fmt::format("127.0.0.1:{}", rules_.sink->port);
}

void SentBytes::connect(const Operation& record) {
  const auto before = connections_.find(record.inode);
  if (before != connections_.end()) {
    if (before->second.last_send == 0) {  // a second try with the same socket
      before->second.peer = record.path;
      return;
    }
    close(before->second);
    connections_.erase(before);
  }
  Connection connection;
  connection.peer = record.path;
  connection.chosen =
      std::any_of(rules_.peers.begin(), rules_.peers.end(), [&](const std::string& glob) {
        return fnmatch(glob.c_str(), connection.peer.c_str(), 0) == 0;
      });
  connections_.emplace(record.inode, std::move(connection));
}

void SentBytes::send(const Operation& record) {
  const auto found = connections_.find(record.inode);
  if (found == connections_.end() || is_own(found->second.peer)) return;  // an answer, or inside
  Connection& connection = found->second;
  if (!is_loopback(connection.peer)) found_.outside_peer = true;
  if (connection.last_send == 0) connection.encrypted = begins_encryption(record.payload);
  connection.last_send = record.sequence;
  std::string bytes(record.payload);
  // What a trace left out of a long send counts by its length, so that what follows is understood.
  bytes.resize(static_cast<size_t>(record.length), '\0');
  for (const HttpRequest& request : connection.http.add(bytes)) {
    take(request, connection, record.sequence);
  }
  if (connection.http.what() == HttpStream::What::kHttp) return;
  ++connection.other_sends;
  if (!connection.chosen) return;
  found_.effects.push_back({record.sequence, fmt::format("effect send:{} {}", connection.peer,
                                                         short_id_of(record.payload))});
}

void SentBytes::take(const HttpRequest& request, const Connection& connection, uint64_t sequence) {
  if (is_sink(connection.peer)) {
    found_.requests.push_back({sequence, request});
    const SinkMemory::Answer answer = sink_.take(request);
    if (answer.done) found_.effects.push_back({sequence, sink_.lines().back()});
    return;
  }
  if (request.is_safe()) return;
  if (request.has_key) found_.assumes_keys = true;
  const bool repeatable = request.has_key || request.is_idempotent();
  found_.effects.push_back({sequence, effect_line(request, repeatable)});
}

void SentBytes::close(Connection& connection) {
  if (const std::optional<HttpRequest> request = connection.http.unfinished()) {
    take(*request, connection, connection.last_send);
  }
  if (connection.other_sends == 0 || connection.chosen || is_own(connection.peer)) return;
  Others& others = others_[connection.peer];
  others.sends += connection.other_sends;
  others.encrypted = others.encrypted || connection.encrypted;
}

void SentBytes::finish() {
  for (auto& [inode, connection] : connections_) close(connection);
  for (const auto& [peer, others] : others_) {
    found_.not_counted.push_back({peer, others.sends, others.encrypted});
  }
}

}  // namespace everycrash
