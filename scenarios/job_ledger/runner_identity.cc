#include "scenarios/job_ledger/runner_identity.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <sstream>

#include "scenarios/common/file_io.h"

namespace scenarios::job_ledger {
namespace {

/// proc(5): the 22nd field is the start time. The second, a name in parentheses, may hold blanks
/// and parentheses, so counting starts behind the last one.
std::optional<uint64_t> start_in_stat(const std::string& stat) {
  constexpr int kFieldsBetween = 19;
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string skipped;
  for (int i = 0; i < kFieldsBetween; ++i) fields >> skipped;
  uint64_t start = 0;
  if (fields >> start) return start;
  return std::nullopt;
}

/// `process` is "self" or a number of the /proc that is mounted.
std::optional<uint64_t> start_of(const std::string& process) {
  const auto stat = read_file(AT_FDCWD, "/proc/" + process + "/stat");
  return stat && *stat ? start_in_stat(**stat) : std::nullopt;
}

/// The number that a process has in the mounted /proc. In a container or a sandbox this may be the
/// /proc of the machine, whose numbers are others than ours; proc(5), fdinfo of a pidfd.
std::optional<std::string> number_in_proc(int pidfd) {
  const auto info = read_file(AT_FDCWD, "/proc/self/fdinfo/" + std::to_string(pidfd));
  if (!info || !*info) return std::nullopt;
  std::istringstream lines(**info);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Pid:\t")) return line.substr(5);
  }
  return std::nullopt;
}

/// A process that has ended, but that nobody has waited for yet, makes its pidfd readable.
bool has_ended(int pidfd) {
  pollfd ended{pidfd, POLLIN, 0};
  return poll(&ended, 1, 0) == 1;
}

std::string boot_id() {
  const auto text = read_file(AT_FDCWD, "/proc/sys/kernel/random/boot_id");
  std::string id = text && *text ? **text : "unknown";
  if (id.ends_with('\n')) id.pop_back();
  return id;
}

template <typename Number>
bool take_number(std::istream& line, Number& number) {
  std::string text;
  line >> text;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  return error == std::errc() && end == last && !text.empty();
}

}  // namespace

Expected<RunnerIdentity> own_identity() {
  const auto start = start_of("self");
  if (!start) return failed("cannot read when this process started (/proc/self/stat)");
  return RunnerIdentity{getpid(), *start, boot_id()};
}

std::string to_text(const RunnerIdentity& identity) {
  return "pid " + std::to_string(identity.pid) + "\nstart " + std::to_string(identity.start) +
         "\nboot " + identity.boot + "\n";
}

std::optional<RunnerIdentity> parse_identity(std::string_view text) {
  if (!text.ends_with('\n')) return std::nullopt;
  std::istringstream words{std::string(text)};
  RunnerIdentity identity;
  std::string word;
  if (!(words >> word) || word != "pid" || !take_number(words, identity.pid)) return std::nullopt;
  if (!(words >> word) || word != "start" || !take_number(words, identity.start)) {
    return std::nullopt;
  }
  if (!(words >> word) || word != "boot" || !(words >> identity.boot)) return std::nullopt;
  return identity;
}

bool is_running(const RunnerIdentity& identity) {
  if (identity.boot != boot_id()) return false;
  const FileDescriptor process(static_cast<int>(syscall(SYS_pidfd_open, identity.pid, 0)));
  if (!process.valid()) return errno != ESRCH && is_pid_in_use(identity.pid);
  if (has_ended(process.get())) return false;
  const auto number = number_in_proc(process.get());
  const auto start = number ? start_of(*number) : std::nullopt;
  return !start || *start == identity.start;
}

bool is_pid_in_use(pid_t pid) {
  return kill(pid, 0) == 0 || errno == EPERM;
}

}  // namespace scenarios::job_ledger
