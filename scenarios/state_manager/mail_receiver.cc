#include "scenarios/state_manager/mail_receiver.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "harness/include/everycrash/everycrash.h"
#include "scenarios/common/file_io.h"
#include "scenarios/state_manager/mail_client.h"

namespace scenarios::state_manager {
namespace {

constexpr std::string_view kLineStart = "effect mail ";

/// The step is what must happen once; the key behind it is for the next receiver.
std::string subject(const Mail& mail) {
  return mail.key.empty() ? mail.step : mail.step + " " + mail.key;
}

}  // namespace

std::string effect_line(const Mail& mail) {
  return std::string(kLineStart) + subject(mail);
}

std::vector<Mail> parse_effects(std::string_view text) {
  std::vector<Mail> mails;
  for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (!line.starts_with(kLineStart)) continue;
    line.remove_prefix(kLineStart.size());
    const size_t blank = line.find(' ');
    const std::string_view key =
        blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
    mails.push_back({std::string(line.substr(0, blank)), std::string(key)});
  }
  return mails;
}

Expected<std::vector<Mail>> effects_before_the_crash() {
  const char* const path = std::getenv("EVERYCRASH_EFFECTS");
  if (path == nullptr || *path == '\0') return std::vector<Mail>();
  const auto text = read_file(AT_FDCWD, path);
  if (!text) return tl::unexpected(text.error());
  return parse_effects(text->value_or(""));
}

MailStore::MailStore(const std::vector<Mail>& accepted_before) {
  for (const Mail& mail : accepted_before) keys_.insert(mail.key);
}

bool MailStore::accept(const Mail& mail) {
  return mail.key.empty() || keys_.insert(mail.key).second;
}

int serve_mails(int socket_fd) {
  const auto before = effects_before_the_crash();
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
