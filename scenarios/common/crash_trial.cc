#include "scenarios/common/crash_trial.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "scenarios/common/traced_job.h"

namespace scenarios {
namespace {

namespace fs = std::filesystem;

// Two runners that have undone each other's marks wait for each other for 20 s.
constexpr int kTwoRunnersLimitMs = 3000;

void limit_file_size(int bytes) {
  const rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
  require(setrlimit(RLIMIT_FSIZE, &limit) == 0, "limit the file size");
  signal(SIGXFSZ, SIG_IGN);
}

/// Waits for the receiver too, which goes on for a moment after the job was killed.
void reap_all() {
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

/// Whether the job ends with exit 0 within the limit; kills it otherwise.
bool succeeds_in_time(pid_t pid) {
  int status = 0;
  for (int waited_ms = 0; waited_ms < kTwoRunnersLimitMs; ++waited_ms) {
    if (waitpid(pid, &status, WNOHANG) == pid) return status == 0;
    usleep(1000);
  }
  kill(pid, SIGKILL);
  return false;
}

}  // namespace

CrashTrial::CrashTrial(std::string program) : program_(std::move(program)) {
  const char* const base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  std::string pattern = std::string(base) + "/scenario.XXXXXX";
  require(mkdtemp(pattern.data()) != nullptr, "make a temporary directory");
  directory_ = pattern;
  state_directory_ = directory_ + "/state";
  // Orphaned receivers become ours, so that we can wait for them.
  require(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0, "become a subreaper");
  clear();
}

CrashTrial::~CrashTrial() {
  fs::remove_all(directory_);
}

void CrashTrial::clear() {
  fs::remove_all(state_directory_);
  fs::create_directory(state_directory_);
  write_file(printed_file(), "");
  write_file(effects_file(), "");
}

void CrashTrial::write_file(const std::string& path, const std::string& content) const {
  std::ofstream(path, std::ios::trunc) << content;
}

std::string CrashTrial::read_file(const std::string& path) const {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int CrashTrial::start(const std::vector<std::string>& arguments, Mode mode, int file_limit) const {
  std::vector<std::string> texts = {program_};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  const pid_t pid = fork();
  require(pid >= 0, "fork");
  if (pid > 0) return pid;

  const bool is_check = arguments[0] == "check";
  const std::string output = is_check ? directory_ + "/verdict" : printed_file();
  const int fd = open(output.c_str(), O_WRONLY | O_CREAT | (is_check ? O_TRUNC : O_APPEND), 0644);
  setenv("EVERYCRASH_STDOUT", printed_file().c_str(), 1);
  setenv("EVERYCRASH_EFFECTS", effects_file().c_str(), 1);
  setenv("EVERYCRASH_EVENTS", effects_file().c_str(), 1);
  const int errors = open((directory_ + "/errors").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  require(fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0 && errors >= 0 &&
              dup2(errors, STDERR_FILENO) >= 0 && chdir(state_directory_.c_str()) == 0,
          "prepare the job");
  if (mode == Mode::kTracedWithoutMarkers) unsetenv("EVERYCRASH_EVENTS");
  if (file_limit > 0) limit_file_size(file_limit);
  if (mode != Mode::kPlain) require(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0, "be traced");
  execv(argv[0], argv.data());
  require(false, argv[0]);
  return -1;
}

int CrashTrial::run(const std::vector<std::string>& arguments) const {
  return run_with_file_limit(0, arguments);
}

int CrashTrial::run_with_file_limit(int bytes, const std::vector<std::string>& arguments) const {
  const pid_t pid = start(arguments, Mode::kPlain, bytes);
  int status = 0;
  require(waitpid(pid, &status, 0) == pid, "wait for the job");
  reap_all();
  return status;
}

bool CrashTrial::run_and_kill_at(int call, const std::vector<std::string>& arguments) const {
  TracedJob job(start(arguments, Mode::kTraced));
  const bool alive = job.next(call);
  if (alive) job.kill_it();
  reap_all();
  return alive;
}

std::vector<std::string> CrashTrial::run_and_list_calls(
    const std::vector<std::string>& arguments) const {
  TracedJob job(start(arguments, Mode::kTracedWithoutMarkers));
  std::vector<std::string> calls;
  while (job.next()) calls.push_back(job.call());
  reap_all();
  return calls;
}

bool CrashTrial::run_and_kill_after(int microseconds,
                                    const std::vector<std::string>& arguments) const {
  const pid_t pid = start(arguments, Mode::kPlain);
  usleep(static_cast<useconds_t>(microseconds));
  kill(pid, SIGKILL);
  int status = 0;
  require(waitpid(pid, &status, 0) == pid, "wait for the job");
  reap_all();
  return WIFSIGNALED(status);
}

bool CrashTrial::run_two(const std::vector<std::string>& arguments) const {
  const pid_t first = start(arguments, Mode::kPlain);
  const pid_t second = start(arguments, Mode::kPlain);
  const bool first_succeeded = succeeds_in_time(first);
  const bool second_succeeded = succeeds_in_time(second);
  reap_all();
  return first_succeeded && second_succeeded;
}

Turns CrashTrial::run_two_in_turns(const std::vector<std::string>& first_arguments,
                                   int calls_of_first,
                                   const std::vector<std::string>& second_arguments,
                                   int calls_of_second) const {
  TracedJob first(start(first_arguments, Mode::kTraced));
  Turns turns;
  turns.first_stopped = first.next(calls_of_first);
  TracedJob second(start(second_arguments, Mode::kTraced));
  if (calls_of_second > 0) {
    turns.second_stopped = second.next(calls_of_second);
  } else {
    second.finish();
  }
  first.finish();
  second.finish();
  reap_all();
  turns.both_succeeded = first.status() == 0 && second.status() == 0;
  return turns;
}

CheckResult CrashTrial::check(const std::vector<std::string>& arguments) const {
  const int status = run(arguments);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(directory_ + "/verdict")};
}

std::vector<std::string> with(std::vector<std::string> options,
                              const std::vector<std::string>& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

std::string complaints_after_kills(const std::string& program, const std::vector<std::string>& run,
                                   const std::vector<std::string>& check,
                                   const std::string& words) {
  CrashTrial trial(program);
  std::string found;
  for (int call = 1;; ++call) {
    trial.clear();
    if (!trial.run_and_kill_at(call, run)) return found;
    const CheckResult result = trial.check(check);
    if (result.exit_code == 0) continue;
    found += "at call " + std::to_string(call) + ": " + result.message;
    if (result.message.find(words) != std::string::npos) return found;
  }
}

}  // namespace scenarios
