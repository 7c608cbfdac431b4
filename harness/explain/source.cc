#include "harness/explain/source.h"

#include <fstream>

namespace everycrash {
namespace {

constexpr size_t kLineBytesMax = 200;

void cut(std::string& line) {
  if (line.ends_with('\r')) line.pop_back();
  if (line.size() <= kLineBytesMax) return;
  size_t end = kLineBytesMax;
  // Not inside a UTF-8 character.
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
  line.resize(end);
}

}  // namespace

std::optional<SourceExcerpt> read_excerpt(const std::filesystem::path& file, uint32_t line,
                                          uint32_t around) {
  std::error_code ignored;
  if (line == 0 || !std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
  std::ifstream in(file);
  SourceExcerpt excerpt;
  excerpt.first_line = line > around ? line - around : 1;
  const uint64_t last = uint64_t{line} + around;
  std::string text;
  uint64_t number = 0;
  while (number < last && std::getline(in, text)) {
    if (++number < excerpt.first_line) continue;
    cut(text);
    excerpt.lines.push_back(text);
  }
  if (number < line) return std::nullopt;
  return excerpt;
}

std::string display_path(const std::filesystem::path& file, const std::filesystem::path& root) {
  const std::filesystem::path plain = file.lexically_normal();
  if (!plain.is_absolute()) return plain.string();
  // Without a current directory (somebody removed it) nothing is below it.
  std::error_code ignored;
  const std::filesystem::path base = root.empty() ? std::filesystem::current_path(ignored) : root;
  const std::filesystem::path relative = plain.lexically_relative(base.lexically_normal());
  if (relative.empty() || *relative.begin() == ".." || relative == ".") return plain.string();
  return relative.string();
}

}  // namespace everycrash
