#include "harness/effects/sink.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

namespace everycrash {
namespace {

constexpr int kBacklog = 64;
constexpr const char* kListPath = "/everycrash/effects";

const char* reason_of(int status) {
  return status == 503 ? "Service Unavailable" : "OK";
}

bool send_all(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

std::string response(int status, std::string_view body) {
  return fmt::format("HTTP/1.1 {} {}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{}",
                     status, reason_of(status), body.size(), body);
}

}  // namespace

Result<int> listen_on_loopback(uint16_t& port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return system_error("cannot make a socket", errno);
  const int on = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  const bool done = bind(socket, any, sizeof address) == 0 && listen(socket, kBacklog) == 0 &&
                    getsockname(socket, any, &size) == 0;
  if (!done) {
    const int error = errno;
    close(socket);
    if (error == EADDRINUSE) {
      return fail(ErrorKind::kUsage,
                  fmt::format("the sink cannot listen on 127.0.0.1:{}: something else does\n"
                              "Choose another port; 0 takes any that is free.",
                              port));
    }
    return system_error(fmt::format("the sink cannot listen on 127.0.0.1:{}", port), error);
  }
  port = ntohs(address.sin_port);
  return socket;
}

Sink::Sink(int socket, const SinkOptions& options, std::function<void(const std::string&)> told)
    : socket_(socket),
      stop_(eventfd(0, EFD_CLOEXEC)),
      options_(options),
      told_(std::move(told)),
      memory_(options),
      acceptor_([this] { accept_all(); }) {}

Sink::~Sink() {
  const uint64_t one = 1;
  EVERYCRASH_ASSERT(write(stop_, &one, sizeof one) == sizeof one);
  acceptor_.join();
  {
    std::unique_lock lock(mutex_);
    ++life_;
    close_connections(lock);
  }
  close(socket_);
  close(stop_);
}

void Sink::become(SinkMemory memory) {
  std::unique_lock lock(mutex_);
  // First, so that a request that is just being read does not reach the new memory.
  ++life_;
  close_connections(lock);
  memory_ = std::move(memory);
}

void Sink::close_connections(std::unique_lock<std::mutex>& lock) {
  for (const Connection& connection : connections_) {
    if (!connection.over) shutdown(connection.socket, SHUT_RDWR);
  }
  ended_.notify_all();
  ended_.wait(lock, [this] {
    return std::all_of(connections_.begin(), connections_.end(),
                       [](const Connection& connection) { return connection.over; });
  });
  connections_.clear();  // joins
}

void Sink::accept_all() {
  while (true) {
    pollfd wanted[] = {{socket_, POLLIN, 0}, {stop_, POLLIN, 0}};
    if (poll(wanted, 2, -1) < 0 && errno != EINTR) return;
    if (wanted[1].revents != 0) return;
    if (wanted[0].revents == 0) continue;
    const int socket = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    const std::lock_guard guard(mutex_);
    connections_.remove_if([](const Connection& connection) { return connection.over; });
    Connection& connection = connections_.emplace_back();
    connection.socket = socket;
    connection.thread = std::jthread([this, &connection] { serve(connection); });
  }
}

void Sink::serve(Connection& connection) {
  HttpStream stream;
  char bytes[16384];
  bool open = true;
  bool promised = false;
  while (open) {
    const ssize_t size = recv(connection.socket, bytes, sizeof bytes, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    for (const HttpRequest& request : stream.add({bytes, static_cast<size_t>(size)})) {
      open = open && answer(request, connection);
      promised = false;
    }
    if (stream.what() == HttpStream::What::kOther) {
      send_all(connection.socket, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
      break;
    }
    const std::optional<HttpRequest> begun = stream.unfinished();
    if (begun && begun->expects_continue && !promised) {
      promised = send_all(connection.socket, "HTTP/1.1 100 Continue\r\n\r\n");
    }
  }
  // The other end must see the end before this socket's number is used again.
  shutdown(connection.socket, SHUT_RDWR);
  const std::lock_guard guard(mutex_);
  close(connection.socket);
  connection.over = true;
  ended_.notify_all();
}

bool Sink::answer(const HttpRequest& request, Connection& connection) {
  SinkMemory::Answer answer;
  {
    std::unique_lock lock(mutex_);
    const uint64_t life = life_;
    answer = memory_.take(request);
    if (answer.done && told_) told_(memory_.lines().back());
    if (options_.delay_ms != 0) {
      ended_.wait_for(lock, std::chrono::milliseconds(options_.delay_ms),
                      [&] { return life != life_; });
    }
    if (life != life_) return false;
  }
  if (answer.dropped) return false;
  const bool lists = request.method == "GET" && request.path == kListPath;
  const bool sent = send_all(connection.socket,
                             response(answer.status, lists ? told_lines() : std::string("ok\n")));
  return sent && request.keeps_alive;
}

std::string Sink::told_lines() {
  const std::lock_guard guard(mutex_);
  std::string lines;
  for (const std::string& line : memory_.lines()) lines += line + "\n";
  return lines;
}

}  // namespace everycrash
