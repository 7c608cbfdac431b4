// The receiver of tests for real: an HTTP server on loopback that does what SinkMemory says.
//
// Beside that it answers GET /everycrash/effects with what it has done, a line each.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "harness/base/error.h"
#include "harness/effects/sink_memory.h"

namespace everycrash {

/// Makes a socket that listens on 127.0.0.1, in the network namespace of the calling process.
/// PORT 0 takes any that is free and gets its number. Returns the descriptor, which is the
/// caller's; errors are kUsage where the port is taken.
[[nodiscard]] Result<int> listen_on_loopback(uint16_t& port);

/// Serves one listening socket by threads of its own. All calls are thread-safe. The socket may
/// belong to another network namespace.
class Sink {
 public:
  /// Takes over SOCKET. TOLD is called for each line that is done, by any thread, one at a time,
  /// before the request is answered; may be null.
  Sink(int socket, const SinkOptions& options, std::function<void(const std::string&)> told);
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  /// Ends all connections and threads.
  ~Sink();

  /// Ends all connections, and goes on as if it had done what MEMORY holds.
  void become(SinkMemory memory);

 private:
  struct Connection {
    int socket = -1;
    bool over = false;  ///< its thread is about to end
    std::jthread thread;
  };

  void accept_all();
  void serve(Connection& connection);
  /// False if the connection is to be closed.
  bool answer(const HttpRequest& request, Connection& connection);
  void close_connections(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] std::string told_lines();

  int socket_;
  int stop_;  // eventfd
  SinkOptions options_;
  std::function<void(const std::string&)> told_;
  std::mutex mutex_;
  std::condition_variable ended_;
  SinkMemory memory_;
  uint64_t life_ = 0;  // counts calls of become()
  std::list<Connection> connections_;
  std::jthread acceptor_;  // last: it uses all of the above
};

}  // namespace everycrash
