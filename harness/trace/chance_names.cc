#include "harness/trace/chance_names.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "harness/base/path_text.h"
#include "harness/trace/operation.h"

namespace everycrash {
namespace {

constexpr size_t kChosenMax = 8;  // by mkstemp and its like, the same number every time

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
bool names_process(std::string_view path, const point::Part& part, int32_t process) {
  const std::string number = std::to_string(process);
  return number.size() >= 3 &&
         path.substr(part.begin, part.end - part.begin).find(number) != std::string_view::npos;
}

bool is_mark(char c) {
  return c == '.' || c == '-' || c == '_';
}

/// What mkstemp or one like it chooses.
bool is_chosen(char c) {
  return point::is_alphanumeric(c) || c == '_';
}

bool is_number(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "state.json" of "state.json.2842761234", and of ".state.json.2842761234".
bool begins_with(std::string_view path, std::string_view target) {
  std::string_view name = base_name(path);
  const std::string_view beginning = base_name(target);
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
  } else if (takes_name(record.kind)) {
    const auto gone = made_.find(record.path);
    if (gone == made_.end()) return;
    const auto [path, made] = *gone;
    made_.erase(gone);
    const bool succeeds = gives_other_name(record.kind) && begins_with(path, record.other_path);
    if (made.alone) learn_template(path, made.process);
    if (!made.alone && !succeeds) return;
    std::string shape = shape_of(path);
    const point::Part part = point::chance_part(path.data(), path.size());
    if (!shape.empty() && !names_process(path, part, made.process)) {
      shapes_.insert(std::move(shape));
    }
  }
}

void ChanceNames::learn_template(std::string_view path, int32_t process) {
  const size_t suffix = point::random_suffix(path.data(), path.size());
  point::Part part = {suffix, path.size()};
  if (part.empty()) {
    part = point::chance_part(path.data(), path.size());
    if (part.begin == 0 || !is_mark(path[part.begin - 1])) return;
  }
  const std::string_view chosen = path.substr(part.begin, part.end - part.begin);
  if (chosen.size() > kChosenMax || is_number(chosen) || names_process(path, part, process)) return;
  templates_.insert(
      {std::string(path.substr(0, part.begin)), chosen.size(), std::string(path.substr(part.end))});
}

point::Part ChanceNames::part_of(std::string_view path) const {
  if (!shapes_.empty() && shapes_.contains(shape_of(path))) {
    return point::chance_part(path.data(), path.size());
  }
  for (const Template& made : templates_) {
    if (path.size() != made.before.size() + made.chosen + made.behind.size()) continue;
    if (!path.starts_with(made.before) || !path.ends_with(made.behind)) continue;
    const std::string_view chosen = path.substr(made.before.size(), made.chosen);
    if (std::all_of(chosen.begin(), chosen.end(), is_chosen)) {
      return {made.before.size(), made.before.size() + made.chosen};
    }
  }
  return {};
}

std::string ChanceNames::pattern_of(std::string_view path) const {
  const point::Part part = part_of(path);
  return part.empty() ? std::string(path) : with_part_as(path, part, "<random>");
}

std::string ChanceNames::glob_of(std::string_view path) const {
  constexpr size_t kLeast = 7;
  const point::Part part = part_of(path);
  if (part.empty()) return "";
  const std::string_view chosen = path.substr(part.begin, part.end - part.begin);
  if (chosen.size() > kChosenMax || is_number(chosen)) {
    return with_part_as(path, part, std::string(kLeast, '?') + "*");
  }
  return with_part_as(path, part, std::string(chosen.size(), '?'));
}

}  // namespace everycrash
