#include "harness/check/run/message.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

#include "harness/base/error.h"

namespace everycrash {
namespace {

bool receive_exactly(int socket, char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t got = recv(socket, bytes, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

}  // namespace

void Message::put_number(int64_t number) {
  bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void Message::put_text(std::string_view text) {
  put_number(static_cast<int64_t>(text.size()));
  bytes_.append(text);
}

int64_t Message::take_number() {
  int64_t number = 0;
  EVERYCRASH_ASSERT(bytes_.size() - at_ >= sizeof(number));
  std::memcpy(&number, bytes_.data() + at_, sizeof(number));
  at_ += sizeof(number);
  return number;
}

std::string Message::take_text() {
  const auto size = static_cast<size_t>(take_number());
  EVERYCRASH_ASSERT(bytes_.size() - at_ >= size);
  std::string text = bytes_.substr(at_, size);
  at_ += size;
  return text;
}

bool send_message(int socket, const Message& message) {
  Message framed;
  framed.put_text(message.bytes());
  const std::string& bytes = framed.bytes();
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t put = send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    sent += static_cast<size_t>(put);
  }
  return true;
}

std::optional<Message> receive_message(int socket) {
  int64_t size = 0;
  if (!receive_exactly(socket, reinterpret_cast<char*>(&size), sizeof(size))) return std::nullopt;
  std::string bytes(static_cast<size_t>(size), '\0');
  if (!receive_exactly(socket, bytes.data(), bytes.size())) return std::nullopt;
  return Message(std::move(bytes));
}

bool send_descriptor(int socket, int descriptor) {
  char byte = 0;
  iovec piece = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
  return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

int receive_descriptor(int socket) {
  char byte = 0;
  iovec piece = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t size = 0;
  do {
    size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (size < 0 && errno == EINTR);
  const cmsghdr* head = size == 1 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (head == nullptr || head->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(head), sizeof descriptor);
  return descriptor;
}

}  // namespace everycrash
