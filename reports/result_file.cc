// Result documents on disk.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "reports/result_json.h"

namespace everycrash::reports {
namespace {

tl::unexpected<Error> usage_error(const std::string& what, int errno_value) {
  return fail(ErrorKind::kUsage, system_error(what, errno_value).value().message +
                                     "\nGive the result.json of an earlier run.");
}

Status write_and_close(int descriptor, std::string_view text, const std::string& name) {
  int problem = 0;
  while (!text.empty() && problem == 0) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      problem = errno;
    }
  }
  // Pipes and terminals cannot be synced; that is no failure.
  if (problem == 0 && fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS) problem = errno;
  // A close can be the first to report a full disk (NFS, quotas).
  if (close(descriptor) != 0 && problem == 0) problem = errno;
  if (problem != 0) return system_error(fmt::format("cannot write {}", name), problem);
  return {};
}

/// True for /dev/stdout, a pipe, a link: what a rename would destroy instead of writing to it.
bool must_be_written_through(const std::filesystem::path& file) {
  struct stat info {};
  return lstat(file.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

}  // namespace

Status write_report(std::string_view text, const std::filesystem::path& file) {
  const bool through = must_be_written_through(file);
  const std::string target =
      through ? file.string() : fmt::format("{}.{}.tmp", file.string(), getpid());
  const int nofollow = through ? 0 : O_NOFOLLOW;
  const int descriptor =
      open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | nofollow, 0666);
  if (descriptor < 0) {
    return system_error(fmt::format("cannot write the result to {}", file.string()), errno);
  }
  Status ok = write_and_close(descriptor, text, file.string());
  if (through) return ok;
  if (ok && rename(target.c_str(), file.c_str()) != 0) {
    ok = system_error(fmt::format("cannot put the result at {}", file.string()), errno);
  }
  if (!ok) unlink(target.c_str());
  return ok;
}

Status write_document(const ResultDocument& document, const std::filesystem::path& file) {
  return write_report(to_json(document), file);
}

Result<ResultDocument> read_document(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return usage_error(fmt::format("cannot open {}", file.string()), errno);
  std::string text;
  char buffer[1 << 16];
  ssize_t got = 0;
  do {
    got = read(descriptor, buffer, sizeof buffer);
    if (got > 0) text.append(buffer, static_cast<size_t>(got));
  } while (got > 0 || (got < 0 && errno == EINTR));
  const int problem = errno;
  close(descriptor);
  if (got < 0) return usage_error(fmt::format("cannot read {}", file.string()), problem);
  return parse_document(text, file.string());
}

}  // namespace everycrash::reports
