#include "harness/check/run/run_watch.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>

#include "harness/check/run/command.h"
#include "harness/record/installed_files.h"

namespace everycrash {
namespace {

constexpr uint64_t kCapacity = uint64_t{1} << 30;  // bytes of address space, not of disk

Result<FileIdentity> identity_of(const std::filesystem::path& file) {
  struct stat info {};
  if (stat(file.c_str(), &info) != 0) return system_error(file.string(), errno);
  return FileIdentity{info.st_dev, info.st_ino};
}

}  // namespace

Result<RunWatch> RunWatch::create(const Sandbox& sandbox) {
  Result<std::filesystem::path> library = find_preload_library();
  if (!library) return tl::unexpected(library.error());
  return RunWatch(sandbox, std::move(*library));
}

void RunWatch::add_to(std::vector<std::string>& environment) const {
  constexpr std::string_view kName = "LD_PRELOAD=";
  std::string preload = library_.string();
  for (const std::string& entry : environment) {
    if (!entry.starts_with(kName) || entry.size() == kName.size()) continue;
    const std::string others = entry.substr(kName.size());
    const bool added = others.starts_with(preload);
    preload = added ? others : preload + ":" + others;
  }
  set_variable(environment, "LD_PRELOAD", preload);
  set_variable(environment, "EVERYCRASH_PRELOAD", library_.string());
  set_variable(environment, "EVERYCRASH_TRACE", file().string());
}

Status RunWatch::begin(const std::filesystem::path& events) {
  const Result<FileIdentity> root = identity_of(sandbox_->tree());
  const Result<FileIdentity> events_file = identity_of(events);
  if (!root) return tl::unexpected(root.error());
  if (!events_file) return tl::unexpected(events_file.error());
  writer_.reset();
  Result<TraceWriter> writer =
      TraceWriter::create(file(), kCapacity, sandbox_->directory().string(), *root);
  if (!writer) return tl::unexpected(writer.error());
  // A command may give up its user id, and must still be able to open the trace after an exec.
  if (chmod(file().c_str(), 0666) != 0) return system_error("chmod", errno);
  writer->header().events_device = events_file->device;
  writer->header().events_inode = events_file->inode;
  writer_.emplace(std::move(*writer));
  return {};
}

Result<Trace> RunWatch::end() {
  EVERYCRASH_ASSERT(writer_.has_value());
  if (Status ok = writer_->seal(); !ok) return tl::unexpected(ok.error());
  writer_.reset();
  return Trace::open(file());
}

}  // namespace everycrash
