#include "harness/check/run/given_file.h"

#include <cerrno>
#include <fstream>

#include "harness/trace/event.h"

namespace everycrash {

Status write_file(const std::filesystem::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return system_error("cannot write " + path.string(), errno);
  return {};
}

std::string effect_lines(std::string_view events) {
  std::string lines;
  for (const Event& event : parse_events(events)) {
    if (event.is_effect()) lines.append(event.line).append("\n");
  }
  return lines;
}

Status GivenFile::hold(std::string_view text) {
  struct stat now {};
  const bool same = text_ == text && stat(path_.c_str(), &now) == 0 &&
                    now.st_ino == written_.st_ino && now.st_size == written_.st_size &&
                    now.st_mtim.tv_sec == written_.st_mtim.tv_sec &&
                    now.st_mtim.tv_nsec == written_.st_mtim.tv_nsec;
  if (same) return {};
  Status done = write_file(path_, text);
  if (!done) return done;
  text_ = text;
  if (stat(path_.c_str(), &written_) != 0) written_ = {};
  return {};
}

}  // namespace everycrash
