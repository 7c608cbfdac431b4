#include "harness/trace/chance_names.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

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

/// The number of a process is no chance, though its letters before it make the end mixed.
bool names_process(std::string_view path, int32_t process) {
  const std::string number = std::to_string(process);
  return number.size() >= 3 && path.find(number) != std::string_view::npos;
}

}  // namespace

ChanceNames::ChanceNames(std::span<const Operation> records) {
  for (const Operation& record : records) learn(record);
}

void ChanceNames::learn(const Operation& record) {
  if (record.failed()) return;
  if (record.kind == Kind::kOpen) {
    const bool alone = (record.mode & (S_IRWXG | S_IRWXO)) == 0;
    if (record.has(format::kCreated) && (record.open_flags & O_EXCL) != 0 && alone) {
      made_.emplace(record.path, record.process);
    }
  } else if (record.kind == Kind::kRename || record.kind == Kind::kUnlink) {
    const auto gone = made_.find(record.path);
    if (gone == made_.end()) return;
    std::string pattern = random_pattern(gone->first);
    if (!pattern.empty() && !names_process(gone->first, gone->second)) {
      patterns_.insert(std::move(pattern));
    }
    made_.erase(gone);
  }
}

std::string ChanceNames::pattern_of(std::string_view path) const {
  if (patterns_.empty()) return std::string(path);
  std::string pattern = random_pattern(path);
  return patterns_.contains(pattern) ? pattern : std::string(path);
}

std::string ChanceNames::glob_of(std::string_view path) const {
  if (patterns_.empty() || !patterns_.contains(random_pattern(path))) return "";
  const point::Part part = point::chance_part(path.data(), path.size());
  return with_part_as(path, part, std::string(part.end - part.begin, '?'));
}

}  // namespace everycrash
