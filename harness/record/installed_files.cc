#include "harness/record/installed_files.h"

#include <fmt/format.h>

#include <cstdlib>

namespace everycrash {

namespace {

namespace fs = std::filesystem;

Result<fs::path> find(const char* name, const char* variable, const char* build_tree) {
  if (const char* chosen = std::getenv(variable); chosen != nullptr) {
    if (fs::exists(chosen)) return fs::absolute(chosen);
    return harness_error(fmt::format("{} names {}, which does not exist", variable, chosen));
  }
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = program.parent_path().parent_path() / "lib" / "everycrash" / name;
  if (fs::exists(installed, ignored)) return installed;
  if (fs::exists(build_tree, ignored)) return fs::path(build_tree);
  return harness_error(fmt::format("{} is missing; it belongs to {}. Install everycrash again.",
                                   name, installed.string()));
}

}  // namespace

Result<fs::path> find_preload_library() {
  return find("libeverycrash_preload.so", "EVERYCRASH_PRELOAD", EVERYCRASH_BUILT_PRELOAD);
}

Result<fs::path> find_faults_library() {
  return find("libeverycrash_faults.so", "EVERYCRASH_FAULTS_PRELOAD", EVERYCRASH_BUILT_FAULTS);
}

Result<fs::path> find_container_program() {
  return find("everycrash_contain", "EVERYCRASH_CONTAIN", EVERYCRASH_BUILT_CONTAIN);
}

Result<fs::path> find_disk_server() {
  return find("everycrash_diskd", "EVERYCRASH_DISK_SERVER", EVERYCRASH_BUILT_DISK_SERVER);
}

}  // namespace everycrash
