#include "harness/explain/path_pattern.h"

#include <algorithm>

#include "harness/trace/stable_name.h"

namespace everycrash {
namespace {

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/// The length of the run of hexadecimal digits at FROM.
size_t hex_run(std::string_view text, size_t from) {
  size_t end = from;
  while (end < text.size() && is_hex(text[end])) ++end;
  return end - from;
}

/// TEXT with '#' for folders of two hexadecimal digits at its end, each followed by a '/'.
std::string without_fan_out(std::string text) {
  size_t folder = text.size();
  std::string sorted;
  for (; folder >= 3 && text[folder - 1] == '/' && hex_run(text, folder - 3) == 2 &&
         (folder == 3 || text[folder - 4] == '/');
       folder -= 3) {
    sorted += "#/";
  }
  text.replace(folder, std::string::npos, sorted);
  return text;
}

/// PATH with '#' for what names a file by a hash of its content: a long run of hexadecimal digits,
/// with the folders of two digits before it that sort by its beginning ("objects/3f/a0c1...").
std::string without_hashes(std::string_view path) {
  constexpr size_t kHashMin = 16;
  std::string text;
  for (size_t at = 0; at < path.size();) {
    const size_t run = hex_run(path, at);
    const std::string_view digits = path.substr(at, run);
    const bool mixed = digits.find_first_of("0123456789") != std::string_view::npos &&
                       digits.find_first_of("abcdef") != std::string_view::npos;
    if (run < kHashMin || !mixed) {
      text += run == 0 ? path.substr(at, 1) : digits;
      at += std::max<size_t>(run, 1);
      continue;
    }
    at += run;
    text = without_fan_out(std::move(text)) + "#";
  }
  return text;
}

}  // namespace

std::string path_pattern(std::string_view path, int32_t process) {
  std::string named =
      stable_name(without_hashes(path), [process](int32_t number) { return number == process; });
  if (const size_t chance = named.find("<random>"); chance != std::string::npos) {
    // "objects/3f/tmp_XXXXXX" will be "objects/3f/a0c1...".
    const size_t name = named.rfind('/', chance) + 1;  // 0 where there is no folder
    named = without_fan_out(named.substr(0, name)) + named.substr(name);
  }
  std::string pattern;
  for (const char c : named) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) {
      pattern += c;
    } else if (pattern.empty() || pattern.back() != '#') {
      pattern += '#';
    }
  }
  return pattern;
}

std::string path_pattern(std::string_view path, int32_t process, const ChanceNames& chance) {
  return path_pattern(chance.pattern_of(path), process);
}

}  // namespace everycrash
