#include "harness/trace/chance_names.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "harness/trace/point_name.h"

namespace everycrash {
namespace {

std::string with_part_as(std::string_view path, const point::Part& part, std::string_view text) {
  return fmt::format("{}{}{}", path.substr(0, part.begin), text, path.substr(part.end));
}

std::string random_pattern(std::string_view path) {
  const point::Part part = point::chance_part(path.data(), path.size());
  return part.empty() ? std::string() : with_part_as(path, part, "<random>");
}

/// The pattern without numbers that may be those of processes, which the next run will not have.
std::string shape_of(std::string_view path) {
  constexpr size_t kShortest = 3;
  const std::string pattern = random_pattern(path);
  std::string shape;
  for (size_t at = 0; at < pattern.size();) {
    size_t end = at;
    while (end < pattern.size() && point::is_digit(pattern[end])) ++end;
    if (end - at >= kShortest) {
      shape += '#';
    } else {
      shape += pattern.substr(at, std::max<size_t>(end - at, 1));
    }
    at = std::max(end, at + 1);
  }
  return shape;
}

/// The number of a process is no chance, though letters before it may make the end mixed.
bool names_process(std::string_view path, int32_t process) {
  const point::Part part = point::chance_part(path.data(), path.size());
  const std::string number = std::to_string(process);
  return number.size() >= 3 &&
         path.substr(part.begin, part.end - part.begin).find(number) != std::string_view::npos;
}

std::string_view last_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// "state.json" of "state.json.2842761234", and of ".state.json.2842761234".
bool begins_with(std::string_view path, std::string_view target) {
  std::string_view name = last_name(path);
  const std::string_view beginning = last_name(target);
  if (name.starts_with('.') && !beginning.starts_with('.')) name.remove_prefix(1);
  return !beginning.empty() && name.size() > beginning.size() && name.starts_with(beginning);
}

}  // namespace

ChanceNames::ChanceNames(std::span<const Operation> records) {
  for (const Operation& record : records) learn(record);
}

void ChanceNames::learn(const Operation& record) {
  if (record.failed()) return;
  if (record.kind == Kind::kOpen) {
    const bool alone =
        (record.open_flags & O_EXCL) != 0 && (record.mode & (S_IRWXG | S_IRWXO)) == 0;
    if (record.has(format::kCreated)) made_.emplace(record.path, Made{record.process, alone});
  } else if (record.kind == Kind::kRename || record.kind == Kind::kUnlink) {
    const auto gone = made_.find(record.path);
    if (gone == made_.end()) return;
    const auto [path, made] = *gone;
    made_.erase(gone);
    const bool succeeds = record.kind == Kind::kRename && begins_with(path, record.other_path);
    if (!made.alone && !succeeds) return;
    std::string shape = shape_of(path);
    if (!shape.empty() && !names_process(path, made.process)) shapes_.insert(std::move(shape));
  }
}

bool ChanceNames::knows(std::string_view path) const {
  return !shapes_.empty() && shapes_.contains(shape_of(path));
}

std::string ChanceNames::pattern_of(std::string_view path) const {
  return knows(path) ? random_pattern(path) : std::string(path);
}

std::string ChanceNames::glob_of(std::string_view path) const {
  // As many as mkstemp chooses are chosen every time, more only by chance.
  constexpr size_t kFixed = 8;
  constexpr size_t kLeast = 7;
  if (!knows(path)) return "";
  const point::Part part = point::chance_part(path.data(), path.size());
  const std::string_view chosen = path.substr(part.begin, part.end - part.begin);
  const bool number = chosen.find_first_not_of("0123456789") == std::string_view::npos;
  if (chosen.size() > kFixed || number) {
    return with_part_as(path, part, std::string(kLeast, '?') + "*");
  }
  return with_part_as(path, part, std::string(chosen.size(), '?'));
}

}  // namespace everycrash
