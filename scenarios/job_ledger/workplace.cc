#include "scenarios/job_ledger/workplace.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace scenarios::job_ledger {
namespace {

constexpr struct {
  const char* name;
  FileDescriptor Workplace::*folder;
} kFolders[] = {
    {"locks", &Workplace::locks},
    {"stages", &Workplace::stages},
    {"work", &Workplace::work},
    {"done", &Workplace::done},
};

}  // namespace

Expected<Workplace> Workplace::prepare(const std::string& path) {
  auto top = open_directory(path);
  if (!top) return tl::unexpected(top.error());
  for (const auto& [name, folder] : kFolders) {
    if (mkdirat(top->get(), name, 0755) != 0 && errno != EEXIST) {
      return call_failed(std::string("make the directory ") + name);
    }
  }
  // Always: that a folder exists does not tell whether its maker lived to sync it.
  if (fsync(top->get()) != 0) return call_failed("fsync the state directory");
  return look_at(path);
}

Expected<Workplace> Workplace::look_at(const std::string& path) {
  auto top = open_directory(path);
  if (!top) return tl::unexpected(top.error());
  Workplace workplace;
  workplace.top = std::move(*top);
  for (const auto& [name, folder] : kFolders) {
    workplace.*folder =
        FileDescriptor(openat(workplace.top.get(), name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!(workplace.*folder).valid() && errno != ENOENT) {
      return call_failed(std::string("open the directory ") + name);
    }
  }
  return workplace;
}

}  // namespace scenarios::job_ledger
