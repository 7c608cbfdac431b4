#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "child.h"

#ifndef EVERYCRASH_INSTALLED_PROGRAM
#define EVERYCRASH_INSTALLED_PROGRAM "everycrash"
#endif

extern char** environ;

namespace everycrash {
namespace {

namespace fs = std::filesystem;
using internal::Part;

constexpr int kSurvived = 0;
constexpr int kCannotStart = 127;

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Which EXPECT_CRASH_CONSISTENT of the running test this is, from 1.
int next_number() {
  static const testing::TestInfo* test = nullptr;
  static int number = 0;
  const testing::TestInfo* const now = testing::UnitTest::GetInstance()->current_test_info();
  if (now != test) number = 0;
  test = now;
  return ++number;
}

fs::path fresh_directory() {
  std::string base = environment("EVERYCRASH_TEST_OUTPUT");
  std::error_code error;
  if (base.empty()) base = fs::temp_directory_path(error).string();
  fs::create_directories(base, error);
  std::string pattern = base + "/everycrash-gtest-XXXXXX";
  return mkdtemp(pattern.data()) == nullptr ? fs::path() : fs::path(pattern);
}

/// Our environment without what would split or redirect the children's tests.
std::vector<std::string> child_environment() {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string variable = *entry;
    const bool theirs = variable.rfind("GTEST_", 0) == 0 || variable.rfind("TEST_", 0) == 0 ||
                        variable.rfind("XML_OUTPUT_FILE=", 0) == 0 ||
                        variable.rfind("GITHUB_ACTIONS=", 0) == 0;
    if (!theirs) variables.push_back(variable);
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

/// Runs a program, both its outputs into FILE, and returns its exit status.
int run(std::vector<std::string> words, const fs::path& file) {
  std::vector<std::string> variables = child_environment();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t process = 0;
  const int problem = posix_spawnp(&process, words.front().c_str(), &actions, nullptr,
                                   pointers(words).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) {
    std::ofstream(file) << "cannot start " << words.front() << ": " << std::strerror(problem)
                        << "\nInstall everycrash, or name it in EVERYCRASH_PROGRAM.\n";
    return kCannotStart;
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string program_of(const CrashOptions& options) {
  if (!options.program.empty()) return options.program.string();
  const std::string named = environment("EVERYCRASH_PROGRAM");
  return named.empty() ? EVERYCRASH_INSTALLED_PROGRAM : named;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

std::vector<std::string> command_line(const CrashOptions& options, const fs::path& directory,
                                      int number) {
  std::vector<std::string> words = {program_of(options), "test"};
  const auto add = [&words](const char* name, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(name);
    words.push_back(value);
  };
  add("--json", (directory / "result.json").string());
  add("--color", "never");
  add("--seed", std::to_string(options.seed));
  add("--check", internal::command_for({"check", number}));
  if (options.in_process) words.emplace_back("--check-server");
  if (options.prepare) add("--init", internal::command_for({"prepare", number}));
  add("--crash", joined(options.crash));
  add("--fs", joined(options.fs));
  add("--ack", options.acknowledgement);
  add("--oracle", joined(options.oracle));
  if (options.resume) words.emplace_back("--resume");
  add("--budget", options.budget);
  if (options.max_states > 0) add("--max-states", std::to_string(options.max_states));
  add("--shard", options.shard);
  if (options.jobs > 0) add("--jobs", std::to_string(options.jobs));
  words.insert(words.end(), options.more.begin(), options.more.end());
  words.emplace_back("--");
  for (const std::string& word : internal::arguments_for({"workload", number}))
    words.push_back(word);
  return words;
}

/// What `everycrash export --format properties` says of the result.
std::map<std::string, std::string> properties_of(const CrashOptions& options,
                                                 const fs::path& directory) {
  const fs::path file = directory / "properties";
  std::map<std::string, std::string> properties;
  const int status = run({program_of(options), "export", (directory / "result.json").string(),
                          "--format", "properties"},
                         file);
  std::istringstream lines(status == 0 ? read_file(file) : "");
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find('=');
    if (equals != std::string::npos) properties[line.substr(0, equals)] = line.substr(equals + 1);
  }
  std::error_code error;
  fs::remove(file, error);
  return properties;
}

/// The replay commands of all crash tests that failed: the last lines that this program prints.
std::vector<std::string>& replays() {
  static std::vector<std::string> commands;
  return commands;
}

void print_replays() {
  std::printf("\nTo bring the failing crash states back:\n");
  for (const std::string& command : replays()) std::printf("  %s\n", command.c_str());
  std::fflush(stdout);
}

void remember_replay(const std::string& command) {
  replays();  // made before print_replays is registered, so destroyed after it has run
  static const int registered = std::atexit(print_replays);
  static_cast<void>(registered);
  replays().push_back(command);
}

/// The fixture of the test that runs now; null where it is no CrashTest.
CrashTest*& fixture() {
  static CrashTest* current = nullptr;
  return current;
}

[[noreturn]] void play(const Part& part, const std::function<void()>& workload,
                       const internal::Check& check, const CrashOptions& options) {
  if (part.name == "check") internal::check_and_exit(check);
  internal::run_and_exit(part.name == "prepare" ? options.prepare : workload);
}

}  // namespace

fs::path CrashState::directory() const {
  return fs::current_path();
}

std::string CrashState::printed() const {
  return read_file(environment("EVERYCRASH_STDOUT"));
}

std::string CrashState::effects() const {
  return read_file(environment("EVERYCRASH_EFFECTS"));
}

CrashOutcome internal::run_crash_test(const char* file, int line,
                                      const std::function<void()>& workload, const Check& check,
                                      const CrashOptions& options) {
  const int number = next_number();
  const Part& part = own_part();
  if (!part.name.empty()) {
    if (part.number == number) play(part, workload, check, options);
    return {.passed = true};  // a later one of this test is meant
  }
  CrashOutcome outcome;
  const bool own_folder = fixture() == nullptr;
  outcome.directory = own_folder ? fresh_directory() : fixture()->directory();
  if (!own_folder && !outcome.directory.empty()) {
    outcome.directory /= std::to_string(number);
    std::error_code error;
    if (!fs::create_directory(outcome.directory, error)) outcome.directory.clear();
  }
  if (outcome.directory.empty()) {
    outcome.message = "cannot make a folder for the result; set EVERYCRASH_TEST_OUTPUT";
    return outcome;
  }
  const fs::path report = outcome.directory / "report.txt";
  const int status = run(command_line(options, outcome.directory, number), report);
  auto properties = properties_of(options, outcome.directory);
  const std::string seed = properties.count("seed") ? properties["seed"] : "";
  testing::Test::RecordProperty("everycrash_seed",
                                seed.empty() ? std::to_string(options.seed) : seed);
  testing::Test::RecordProperty("everycrash_states", properties["states"]);
  outcome.passed = status == kSurvived;
  outcome.skipped = status == internal::kSkipped;
  if (outcome.passed || outcome.skipped) {
    if (outcome.skipped) outcome.message = read_file(report);
    std::error_code error;
    if (own_folder) fs::remove_all(outcome.directory, error);
    return outcome;
  }
  outcome.reproduce = properties["reproduce"];
  outcome.message = read_file(report) + "(" + file + ":" + std::to_string(line) + ", exit status " +
                    std::to_string(status) + "; kept in " + outcome.directory.string() + ")";
  if (!outcome.reproduce.empty()) {
    testing::Test::RecordProperty("everycrash_state",
                                  properties["point"] + " " + properties["state"]);
    testing::Test::RecordProperty("everycrash_replay", outcome.reproduce);
    remember_replay(outcome.reproduce);
  }
  return outcome;
}

CrashTest::CrashTest() {
  fixture() = this;
}

const fs::path& CrashTest::directory() {
  if (!directory_.empty()) return directory_;
  directory_ = internal::own_part().name.empty() ? fresh_directory() : fs::current_path();
  return directory_;
}

CrashTest::~CrashTest() {
  fixture() = nullptr;
  if (directory_.empty() || HasFailure() || !internal::own_part().name.empty()) return;
  std::error_code error;
  fs::remove_all(directory_, error);
}

}  // namespace everycrash
