#include "harness/trace/name_guesses.h"

#include <algorithm>
#include <array>

#include "harness/base/path_text.h"
#include "harness/trace/path_pattern.h"

namespace everycrash {
namespace {

/// Length of the "~" or ".~3~" (GNU's numbered copies) at the end of NAME.
size_t tilde_suffix(std::string_view name) {
  if (!name.ends_with('~')) return 0;
  size_t start = name.size() - 1;
  while (start > 0 && point::is_digit(name[start - 1])) --start;
  const bool is_numbered = start + 1 < name.size() && name.substr(0, start).ends_with(".~");
  return is_numbered ? name.size() - start + 2 : 1;
}

/// "status" of "var/status.json".
std::string_view stem_of(std::string_view path) {
  const std::string_view base = base_name(path);
  const size_t dot = base.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? base : base.substr(0, dot);
}

bool is_hex(char c) {
  return point::is_digit(c) || (c >= 'a' && c <= 'f');
}

/// The length of the run of hexadecimal digits at FROM.
size_t hex_run(std::string_view text, size_t from) {
  size_t end = from;
  while (end < text.size() && is_hex(text[end])) ++end;
  return end - from;
}

}  // namespace

std::string original_of(std::string_view path) {
  constexpr std::array<std::string_view, 4> kSuffixes = {".bak", ".old", "-old", ".orig"};
  const std::string_view name = base_name(path);
  size_t suffix = tilde_suffix(name);
  for (const std::string_view each : kSuffixes) {
    if (name.ends_with(each)) suffix = each.size();
  }
  if (suffix == 0 || suffix == name.size()) return "";
  return std::string(path.substr(0, path.size() - suffix));
}

bool is_named_after(std::string_view name, std::string_view path) {
  return name.find(stem_of(path)) != std::string_view::npos;
}

bool looks_temporary(std::string_view path) {
  const std::string_view name = base_name(path);
  const auto contains = [name](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  };
  if (contains(".tmp") || contains(".temp") || contains(".new") || contains(".part")) return true;
  if (name.starts_with("tmp") || name.starts_with("~") || name.ends_with("~")) return true;
  return point::random_suffix(name.data(), name.size()) < name.size();
}

bool looks_like_lock(std::string_view path) {
  return path.find("lock") != std::string_view::npos;
}

std::string without_hash_folders(std::string text) {
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
    text = without_hash_folders(std::move(text)) + "#";
  }
  return text;
}

}  // namespace everycrash
