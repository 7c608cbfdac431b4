#include "harness/disk/disk_client.h"

#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "harness/record/installed_files.h"

namespace everycrash {
namespace {

constexpr std::chrono::milliseconds kLastWords{2000};

}  // namespace

Result<std::unique_ptr<DiskClient>> DiskClient::start(const std::filesystem::path& folder,
                                                      uint64_t size_bytes) {
  const Result<std::filesystem::path> program = find_disk_server();
  if (!program) return tl::unexpected(program.error());
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return system_error("cannot make a socket for the disk", errno);
  }
  ChildOptions options;
  options.command = {program->string(), folder.string(), std::to_string(size_bytes)};
  options.working_directory = "/";
  options.extra = ends[1];
  Result<ChildProcess> server = ChildProcess::start(options);
  close(ends[1]);
  if (!server) {
    close(ends[0]);
    return tl::unexpected(server.error());
  }
  std::unique_ptr<DiskClient> client(new DiskClient(ends[0], std::move(*server), folder));
  if (Status ok = client->ask(DiskCommand::kHello); !ok) {
    return fail(ErrorKind::kUnavailable,
                "a disk in memory cannot be served: FUSE refuses\n"
                "'everycrash doctor' says what this machine lacks.");
  }
  return client;
}

DiskClient::~DiskClient() {
  close(socket_);
  server_.wait(kLastWords);
  // One that was killed did not take its mount down.
  static_cast<void>(umount2(folder_.c_str(), MNT_DETACH));
}

Status DiskClient::ask(DiskCommand command, std::string_view payload, ControlReply* reply,
                       std::string* answer) {
  const ControlRequest request{command, static_cast<uint32_t>(payload.size())};
  ControlReply local;
  if (reply == nullptr) reply = &local;
  std::string text;
  const bool asked = send_all(socket_, &request, sizeof request) &&
                     send_all(socket_, payload.data(), payload.size()) &&
                     receive_all(socket_, reply, sizeof *reply);
  if (asked) text.resize(reply->length);
  if (!asked || !receive_all(socket_, text.data(), text.size())) {
    return harness_error("the disk server has ended; the memory may have run out");
  }
  if (reply->error != 0) return system_error("the disk's image", reply->error);
  if (answer != nullptr) *answer = std::move(text);
  return {};
}

Result<uint64_t> DiskClient::log_position() {
  ControlReply reply;
  if (Status ok = ask(DiskCommand::kPosition, {}, &reply); !ok) return tl::unexpected(ok.error());
  return reply.value;
}

Result<std::vector<DiskRequest>> DiskClient::log() {
  std::string bytes;
  if (Status ok = ask(DiskCommand::kLog, {}, nullptr, &bytes); !ok)
    return tl::unexpected(ok.error());
  std::vector<DiskRequest> requests(bytes.size() / sizeof(DiskRequest));
  std::memcpy(requests.data(), bytes.data(), requests.size() * sizeof(DiskRequest));
  return requests;
}

Result<Digest> DiskClient::become(const std::vector<uint8_t>& kept) {
  ControlReply reply;
  const std::string_view bytes(reinterpret_cast<const char*>(kept.data()), kept.size());
  if (Status ok = ask(DiskCommand::kBecome, bytes, &reply); !ok) return tl::unexpected(ok.error());
  return reply.digest;
}

Status DiskClient::load(const std::filesystem::path& file) {
  return ask(DiskCommand::kLoad, file.string());
}

Status DiskClient::save(const std::filesystem::path& file) {
  return ask(DiskCommand::kSave, file.string());
}

}  // namespace everycrash
