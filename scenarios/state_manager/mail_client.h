// The job's end of the line to the mail receiver.
#pragma once

#include <string>

#include "scenarios/common/child_process.h"
#include "scenarios/common/file_io.h"
#include "scenarios/state_manager/mail.h"

namespace scenarios::state_manager {

/// Owns the receiver process, which ends with it. Not thread-safe.
class MailClient {
 public:
  /// Starts `program receive --socket N`.
  [[nodiscard]] static Expected<MailClient> start(const std::string& program);
  MailClient(MailClient&&) = default;
  MailClient& operator=(MailClient&&) = default;
  /// Lets the receiver end by itself.
  ~MailClient();

  /// Returns once the receiver has the mail, for the first time or again.
  [[nodiscard]] Outcome send_mail(const Mail& mail);

 private:
  MailClient(FileDescriptor socket, ChildProcess receiver)
      : socket_(std::move(socket)), receiver_(std::move(receiver)) {}

  FileDescriptor socket_;
  ChildProcess receiver_;
};

}  // namespace scenarios::state_manager
