#include "scenarios/state_manager/mail_client.h"

#include <sys/socket.h>

#include <cerrno>

#include "scenarios/state_manager/step_markers.h"

namespace scenarios::state_manager {
namespace {

constexpr int kReceiverSocket = 3;
constexpr int kEndLimitMs = 2000;

}  // namespace

Expected<MailClient> MailClient::start(const std::string& program) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return call_failed("make a socket pair");
  }
  FileDescriptor ours(ends[0]);
  const FileDescriptor theirs(ends[1]);
  auto receiver = ChildProcess::start(
      {.arguments = {program, "receive", "--socket", std::to_string(kReceiverSocket)},
       .environment = {},
       .descriptors = {{theirs.get(), kReceiverSocket}}});
  if (!receiver) return tl::unexpected(receiver.error());
  return MailClient(std::move(ours), std::move(*receiver));
}

MailClient::~MailClient() {
  const bool connected = socket_.valid();
  socket_.reset();
  if (connected) static_cast<void>(receiver_.wait(kEndLimitMs));
}

Outcome MailClient::send_mail(const Mail& mail) {
  const std::string request = effect_line(mail) + "\n";
  if (send(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) {
    return call_failed("send the mail of " + mail.step);
  }
  char reply[32];
  ssize_t length = 0;
  do {
    length = recv(socket_.get(), reply, sizeof reply, 0);
  } while (length < 0 && errno == EINTR);
  if (length < 0) return call_failed("wait for the mail receiver");
  const std::string_view answer(reply, static_cast<size_t>(length));
  if (answer == kMailRepeated) mark_step("idempotency-hit");
  if (answer == kMailAccepted || answer == kMailRepeated) return {};
  return failed("the mail receiver " + std::string(length == 0 ? "is gone" : "refused the mail") +
                " of " + mail.step);
}

}  // namespace scenarios::state_manager
