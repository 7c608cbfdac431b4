#include "harness/inject/fault_pipes.h"

#include <signal.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace everycrash {
namespace {

namespace fs = std::filesystem;

/// The process id in "NAME-PID.in" or "NAME-PID.out"; 0 if FILE is no such name.
pid_t owner_of(std::string_view file, std::string_view name) {
  if (!file.starts_with(name) || !file.substr(name.size()).starts_with('-')) return 0;
  file.remove_prefix(name.size() + 1);
  pid_t process = 0;
  const auto [end, error] = std::from_chars(file.data(), file.data() + file.size(), process);
  if (error != std::errc()) return 0;
  file.remove_prefix(static_cast<size_t>(end - file.data()));
  return (file == ".in" || file == ".out") && process > 0 ? process : 0;
}

bool is_gone(pid_t process) {
  return kill(process, 0) != 0 && errno == ESRCH;
}

}  // namespace

std::string fault_pipes_prefix() {
  const char* prefix = std::getenv("EVERYCRASH_FIU_FIFO");
  return prefix == nullptr || *prefix == 0 ? "" : fs::absolute(prefix).string();
}

FaultPipes::~FaultPipes() {
  const fs::path prefix = fault_pipes_prefix();
  if (prefix.empty()) return;
  std::error_code error;  // a folder that cannot be read has no pipes that we could remove
  for (fs::directory_iterator it(prefix.parent_path(), error), end; !error && it != end;
       it.increment(error)) {
    const pid_t owner = owner_of(it->path().filename().native(), prefix.filename().native());
    std::error_code ignored;
    if (owner != 0 && is_gone(owner) && it->is_fifo(ignored)) fs::remove(it->path(), ignored);
  }
}

}  // namespace everycrash
