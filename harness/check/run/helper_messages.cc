#include "harness/check/run/helper.h"

namespace everycrash {
namespace {

constexpr bool Capabilities::*kFlags[] = {
    &Capabilities::user_namespace,    &Capabilities::mount_namespace,
    &Capabilities::pid_namespace,     &Capabilities::recorded_path,
    &Capabilities::writes_contained,  &Capabilities::temporary_layer,
    &Capabilities::network_namespace,
};

}  // namespace

Message pack(const Capabilities& capabilities, const std::filesystem::path& directory) {
  Message message;
  for (const auto flag : kFlags) message.put_number(capabilities.*flag ? 1 : 0);
  message.put_text(capabilities.explanation);
  message.put_text(directory.string());
  return message;
}

void unpack(Message& message, Capabilities& capabilities, std::filesystem::path& directory) {
  for (const auto flag : kFlags) capabilities.*flag = message.take_number() != 0;
  capabilities.explanation = message.take_text();
  directory = message.take_text();
}

Message pack(const Command& command, int limit_ms) {
  Message message;
  message.put_number(limit_ms);
  message.put_number(command.own_proc ? 1 : 0);
  message.put_number(static_cast<int64_t>(command.argv.size()));
  for (const std::string& argument : command.argv) message.put_text(argument);
  message.put_number(static_cast<int64_t>(command.environment.size()));
  for (const std::string& variable : command.environment) message.put_text(variable);
  return message;
}

Message pack(const Result<CommandRun>& run) {
  Message message;
  message.put_number(run ? 1 : 0);
  if (!run) {
    message.put_text(run.error().message);
    return message;
  }
  message.put_number(static_cast<int64_t>(run->ending.how));
  message.put_number(run->ending.value);
  message.put_number(run->left_processes ? 1 : 0);
  message.put_number(run->left_files ? 1 : 0);
  message.put_text(run->output);
  return message;
}

Result<CommandRun> unpack_run(Message& message) {
  if (message.take_number() == 0) return harness_error(message.take_text());
  CommandRun run;
  run.ending.how = static_cast<Ending::How>(message.take_number());
  run.ending.value = static_cast<int>(message.take_number());
  run.left_processes = message.take_number() != 0;
  run.left_files = message.take_number() != 0;
  run.output = message.take_text();
  return run;
}

}  // namespace everycrash
