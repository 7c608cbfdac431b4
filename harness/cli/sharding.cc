#include "harness/cli/sharding.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "harness/base/quoting.h"

namespace everycrash::cli {
namespace {

constexpr std::string_view kWithValue[] = {"--shard", "--jobs",  "--json",  "--output",  "--report",
                                           "--color", "--junit", "--sarif", "--markdown"};
constexpr std::string_view kFlags[] = {"-q", "--quiet", "-v", "-vv", "--verbose", "--check-server"};

bool is_one_of(std::string_view word, const auto& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace

std::string shard_text(const Shard& shard) {
  if (shard.count == 1) return "";
  return fmt::format("{}/{}", shard.index + 1, shard.count);
}

reports::Bounds bounds_of(const TestOptions& options) {
  return {
      .lost_fsync = options.lost_fsync,
      // A merge has no time limit of its own, and must not look at fewer states than its shards.
      .states_max = options.budget.empty() ? options.states_max : 0,
      .depth = options.depth,
      .tear_bytes = options.tear,
      .all_points = options.all_points,
      .strict = options.strict,
      .require_complete = options.require_complete,
      .expect = options.expect};
}

void apply_bounds(const reports::Bounds& bounds, TestOptions& options) {
  options.lost_fsync = bounds.lost_fsync;
  options.states_max = bounds.states_max;
  options.depth = bounds.depth;
  options.tear = bounds.tear_bytes;
  options.all_points = bounds.all_points;
  options.strict = bounds.strict;
  options.require_complete = bounds.require_complete;
  options.expect = bounds.expect;
}

Status announce_sharding() {
  const char* const file = std::getenv("TEST_SHARD_STATUS_FILE");
  if (file == nullptr || *file == '\0') return {};
  const int descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return system_error(
        fmt::format("cannot make the file {} that TEST_SHARD_STATUS_FILE names", file), errno);
  close(descriptor);
  return {};
}

std::vector<std::string> own_arguments() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(in, argument, '\0');) arguments.push_back(argument);
  return arguments;
}

std::string repeatable_command(const std::vector<std::string>& arguments) {
  std::string command = "everycrash";
  for (size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == "--") {  // behind it nothing is ours
      for (; i < arguments.size(); ++i) command += " " + shell_quote(arguments[i]);
      break;
    }
    if (is_one_of(word, kFlags)) continue;
    if (is_one_of(word.substr(0, word.find('=')), kWithValue)) {
      if (word.find('=') == std::string_view::npos) ++i;
      continue;
    }
    command += " " + shell_quote(word);
  }
  return command;
}

}  // namespace everycrash::cli
