// The outside world: a process of its own that accepts mails, each idempotency key once.
//
// What it has accepted is outside the state directory and survives a crash of the job. A test
// cannot keep a real mail server, so the receiver is told on start what was accepted before:
// $EVERYCRASH_EFFECTS names a file with a line `effect mail STEP KEY` for each. And it tells what
// it accepts: one such line to the file that $EVERYCRASH_EVENTS names, before it answers.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/common/failure.h"
#include "scenarios/state_manager/mail.h"

namespace scenarios::state_manager {

/// The mails in the file that $EVERYCRASH_EFFECTS names; none if it is absent.
[[nodiscard]] Expected<std::vector<Mail>> mails_before_the_crash();

/// What was accepted. Not thread-safe.
class MailStore {
 public:
  explicit MailStore(const std::vector<Mail>& accepted_before);
  /// false: a repeat of an accepted key, nothing is sent.
  [[nodiscard]] bool accept(const Mail& mail);

 private:
  std::set<std::string, std::less<>> keys_;
};

/// Serves requests from the socket until the other end closes; returns the exit status.
[[nodiscard]] int serve_mails(int socket_fd);

}  // namespace scenarios::state_manager
