// Messages between a sandbox and its helper process: numbers and strings, with their length in
// front, over a stream socket. Both ends are the same program, so there is no version and no byte
// order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace everycrash {

/// Builds a message, or takes it apart in the same order. Taking more than was put is a bug.
class Message {
 public:
  Message() = default;
  explicit Message(std::string bytes) : bytes_(std::move(bytes)) {}

  void put_number(int64_t number);
  void put_text(std::string_view text);
  int64_t take_number();
  std::string take_text();
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

/// False if the other end is gone.
bool send_message(int socket, const Message& message);
/// Passes an open descriptor on (unix(7), SCM_RIGHTS), between messages.
bool send_descriptor(int socket, int descriptor);
/// Waits for one; -1 if the other end is gone.
int receive_descriptor(int socket);
/// Waits for a whole message; nullopt if the other end is gone.
std::optional<Message> receive_message(int socket);

}  // namespace everycrash
