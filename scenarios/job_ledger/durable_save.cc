#include "scenarios/job_ledger/durable_save.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "scenarios/common/file_io.h"

namespace scenarios::job_ledger {
namespace {

enum class Sync { kYes, kNo };

Outcome write_temp(int directory_fd, const std::string& temp_name, std::string_view content,
                   Sync sync) {
  const FileDescriptor temp(
      openat(directory_fd, temp_name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!temp.valid()) return call_failed("open " + temp_name);
  if (const Outcome written = write_all(temp.get(), content, temp_name); !written) return written;
  if (sync == Sync::kYes && fsync(temp.get()) != 0) return call_failed("fsync " + temp_name);
  return {};
}

Outcome save(int directory_fd, const std::string& name, std::string_view content, Sync sync) {
  // Only who has the lock saves, so one temp name is enough.
  const std::string temp_name = name + ".tmp";
  Outcome prepared = write_temp(directory_fd, temp_name, content, sync);
  if (prepared && renameat(directory_fd, temp_name.c_str(), directory_fd, name.c_str()) != 0) {
    prepared = call_failed("rename " + temp_name + " to " + name);
  }
  if (!prepared) {
    unlinkat(directory_fd, temp_name.c_str(), 0);
    return prepared;
  }
  if (sync == Sync::kYes && fsync(directory_fd) != 0) {
    return call_failed("fsync the directory of " + name);
  }
  return {};
}

}  // namespace

Outcome save_durably(int directory_fd, const std::string& name, std::string_view content) {
  return save(directory_fd, name, content, Sync::kYes);
}

Outcome save_for_now(int directory_fd, const std::string& name, std::string_view content) {
  return save(directory_fd, name, content, Sync::kNo);
}

}  // namespace scenarios::job_ledger
