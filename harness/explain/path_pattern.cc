#include "harness/explain/path_pattern.h"

#include "harness/trace/name_guesses.h"
#include "harness/trace/stable_name.h"

namespace everycrash {

std::string path_pattern(std::string_view path, int32_t process) {
  std::string named =
      stable_name(without_hashes(path), [process](int32_t number) { return number == process; });
  if (const size_t chance = named.find("<random>"); chance != std::string::npos) {
    // "objects/3f/tmp_XXXXXX" will be "objects/3f/a0c1...".
    const size_t name = named.rfind('/', chance) + 1;  // 0 where there is no folder
    named = without_hash_folders(named.substr(0, name)) + named.substr(name);
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
