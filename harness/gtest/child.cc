#include "child.h"

#include <fcntl.h>
#include <gtest/gtest-spi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>

namespace everycrash::internal {
namespace {

constexpr int kFailed = 1;
constexpr int kCannotTell = 77;
constexpr int kNeverThere = 99;
constexpr std::string_view kMark = ":everycrash.";

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string raw{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> arguments;
  for (size_t at = 0; at < raw.size();) {
    const size_t end = raw.find('\0', at) == std::string::npos ? raw.size() : raw.find('\0', at);
    arguments.push_back(raw.substr(at, end - at));
    at = end + 1;
  }
  return arguments;
}

Part find_part() {
  for (const std::string& argument : own_arguments()) {
    const size_t mark = argument.rfind(kMark);
    if (mark == std::string::npos || argument.rfind("--gtest_filter=", 0) != 0) continue;
    const std::string rest = argument.substr(mark + kMark.size());
    const size_t dot = rest.find('.');
    if (dot == std::string::npos) continue;
    return {rest.substr(0, dot), std::atoi(rest.c_str() + dot + 1)};
  }
  return {};
}

int real_output = -1;
bool arrived = false;

/// What GoogleTest prints before the part begins is nobody's output: in the workload it would count
/// as acknowledgements.
void silence() {
  real_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nothing, STDOUT_FILENO);
  close(nothing);
}

void speak_again() {
  arrived = true;
  std::fflush(stdout);
  dup2(real_output, STDOUT_FILENO);
  close(real_output);
}

/// A child that ends without having played its part must not be taken for one that was content.
void refuse_to_end_early() {
  if (arrived) return;
  std::fputs(
      "everycrash: in this child the test ended before its EXPECT_CRASH_CONSISTENT;\n"
      "what stands before it must lead there each time\n",
      stderr);
  std::fflush(stderr);
  _exit(kNeverThere);
}

/// Looked at before main(), since that prints already.
struct Early {
  Early() {
    if (own_part().name.empty()) return;
    silence();
    std::atexit(refuse_to_end_early);
  }
};
const Early early;

/// Calls FUNCTION; what fails in it is told in TEXT. The exit status that stands for it.
int outcome_of(const std::function<void()>& function, std::string& text) {
  testing::TestPartResultArray results;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &results);
    try {
      function();
    } catch (const std::exception& error) {
      text += std::string("exception: ") + error.what() + "\n";
      return kFailed;
    } catch (...) {
      text += "exception of an unknown type\n";
      return kFailed;
    }
  }
  int status = 0;
  for (int i = 0; i < results.size(); ++i) {
    const testing::TestPartResult& result = results.GetTestPartResult(i);
    if (result.passed()) continue;
    if (result.file_name() != nullptr) {
      text += result.file_name();
      if (result.line_number() >= 0) text += ":" + std::to_string(result.line_number());
      text += ": ";
    }
    text += std::string(result.message()) + "\n";
    if (result.failed()) status = kFailed;
    if (result.skipped() && status == 0) status = kCannotTell;
  }
  return status;
}

[[noreturn]] void end(int status, const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(nullptr);
  _exit(status);
}

/// Answers for one state after another, as everycrash asks; see harness/check/run/check_server.h.
[[noreturn]] void serve(const Check& check) {
  const int socket = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  close(nothing);
  std::string question;
  while (true) {
    char bytes[256];
    const ssize_t got = read(socket, bytes, sizeof bytes);
    if (got <= 0) end(0, "");
    question.append(bytes, static_cast<size_t>(got));
    if (question.back() != '\n') continue;
    std::string text;
    const int status = outcome_of([&check] { check(CrashState()); }, text);
    const std::string number = question.substr(question.find(' ') + 1);
    const std::string answer = (status == 0 ? "ok " : "bad ") + number;
    question.clear();
    if (write(socket, answer.data(), answer.size()) != static_cast<ssize_t>(answer.size()))
      end(0, "");
  }
}

/// Characters of a test's name that mean something in a filter do not occur in it, but for '/'.
std::string filter_for(const Part& part) {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  return std::string("--gtest_filter=") + test.test_suite_name() + "." + test.name() +
         std::string(kMark) + part.name + "." + std::to_string(part.number);
}

}  // namespace

const Part& own_part() {
  static const Part part = find_part();
  return part;
}

std::vector<std::string> arguments_for(const Part& part) {
  std::vector<std::string> arguments = own_arguments();
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) arguments.front() = program.string();
  std::erase_if(arguments, [](const std::string& word) { return word.rfind("--gtest_", 0) == 0; });
  arguments.push_back("--gtest_also_run_disabled_tests");
  arguments.push_back(filter_for(part));
  return arguments;
}

std::string quoted_for_shell(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos)
    return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string command_for(const Part& part) {
  std::string command;
  for (const std::string& word : arguments_for(part))
    command += (command.empty() ? "" : " ") + quoted_for_shell(word);
  return command;
}

void run_and_exit(const std::function<void()>& function) {
  speak_again();
  std::string text;
  const int status = outcome_of(function, text);
  std::fputs(text.c_str(), stderr);
  end(status, "");
}

void check_and_exit(const Check& check) {
  if (std::getenv("EVERYCRASH_CHECK_SERVER") != nullptr) {
    arrived = true;
    serve(check);
  }
  speak_again();
  std::string text;
  const int status = outcome_of([&check] { check(CrashState()); }, text);
  end(status, text);
}

}  // namespace everycrash::internal
