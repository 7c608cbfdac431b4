#include "harness/check/run/pid_namespace.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

namespace everycrash {
namespace {

constexpr uint64_t kFirstNamespace = 0xeffffffc;  // PROC_PID_INIT_INO of linux/proc_ns.h
constexpr size_t kLockBytesMax = 512;             // what is larger is no lock

/// Numbers of namespaces, in decimal and hexadecimal digits.
std::vector<std::string> namespace_numbers() {
  std::set<uint64_t> numbers = {kFirstNamespace};
  struct stat own {};
  if (stat("/proc/self/ns/pid", &own) == 0) numbers.insert(own.st_ino);
  std::vector<std::string> texts;
  for (const uint64_t number : numbers) {
    texts.push_back(fmt::format("{}", number));
    texts.push_back(fmt::format("{:x}", number));
  }
  return texts;
}

}  // namespace

std::string who_names_pid_namespace(const Trace& trace) {
  const std::vector<std::string> numbers = namespace_numbers();
  const auto holds_one = [&numbers](std::string_view text) {
    return text.size() <= kLockBytesMax &&
           std::any_of(numbers.begin(), numbers.end(), [text](const std::string& number) {
             return text.find(number) != std::string_view::npos;
           });
  };
  for (const Operation& record : trace.records()) {
    const bool writes = record.kind == Kind::kWrite || record.kind == Kind::kSymlink;
    const bool names = record.kind == Kind::kOpen || record.kind == Kind::kLink;
    if (writes && holds_one(record.payload)) return std::string(record.path);
    if (names && holds_one(record.path)) return std::string(record.path);
    if (names && holds_one(record.other_path)) return std::string(record.other_path);
  }
  return "";
}

}  // namespace everycrash
