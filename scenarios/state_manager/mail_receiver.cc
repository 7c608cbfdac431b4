#include "scenarios/state_manager/mail_receiver.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstdio>

#include "harness/include/everycrash/everycrash.h"
#include "scenarios/common/past_life.h"

namespace scenarios::state_manager {

Expected<std::vector<Mail>> mails_before_the_crash() {
  return effects_before_the_crash().map(parse_effects);
}

MailStore::MailStore(const std::vector<Mail>& accepted_before) {
  for (const Mail& mail : accepted_before) keys_.insert(mail.key);
}

bool MailStore::accept(const Mail& mail) {
  return mail.key.empty() || keys_.insert(mail.key).second;
}

int serve_mails(int socket_fd) {
  const auto before = mails_before_the_crash();
  if (!before) {
    std::fprintf(stderr, "receiver: %s\n", before.error().message.c_str());
    return 1;
  }
  MailStore store(*before);
  char request[kMaxMailBytes];
  while (true) {
    const ssize_t length = recv(socket_fd, request, sizeof request, 0);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return length == 0 ? 0 : 1;
    const auto mails = parse_effects(std::string_view(request, static_cast<size_t>(length)));
    std::string_view reply = kMailRefused;
    if (mails.size() == 1) {
      const bool is_new = store.accept(mails[0]);
      if (is_new) EVERYCRASH_EFFECT("mail", subject(mails[0]).c_str());
      reply = is_new ? kMailAccepted : kMailRepeated;
    }
    if (send(socket_fd, reply.data(), reply.size(), MSG_NOSIGNAL) < 0) return 1;
  }
}

}  // namespace scenarios::state_manager
