#include "harness/disk/disk_file_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace everycrash {
namespace {

constexpr std::array<std::string_view, 3> kTypes = {"ext4", "xfs", "btrfs"};

struct Known {
  std::string_view type, options, model;
};
constexpr std::array<Known, 6> kModels = {{
    {"ext4", "", "ext4"},
    {"ext4", "noauto_da_alloc", "ext4-noauto_da_alloc"},
    {"ext4", "nodelalloc", "ext4-nodelalloc"},
    {"ext4", "data=writeback", "ext4-writeback"},
    {"xfs", "", "xfs"},
    {"btrfs", "", "btrfs"},
}};

const PersistenceRules* model_named(std::string_view name) {
  const Result<const PersistenceRules*> rules = find_model(name);
  return rules ? *rules : nullptr;
}

}  // namespace

std::string DiskFileSystem::name() const {
  return mount_options.empty() ? type : type + ":" + mount_options;
}

Result<DiskFileSystem> parse_disk_file_system(std::string_view text) {
  for (const Known& known : kModels) {
    if (text == known.model) {
      return DiskFileSystem{std::string(known.type), std::string(known.options),
                            model_named(known.model)};
    }
  }
  const size_t colon = std::min(text.find(':'), text.size());
  DiskFileSystem found;
  found.type = text.substr(0, colon);
  if (colon < text.size()) found.mount_options = text.substr(colon + 1);
  if (std::find(kTypes.begin(), kTypes.end(), found.type) == kTypes.end()) {
    return fail(ErrorKind::kUsage,
                fmt::format("'{}' is no file system that a disk can be made with\n"
                            "Choose ext4, xfs or btrfs, with mount options behind a colon: "
                            "ext4:noauto_da_alloc",
                            text));
  }
  for (const Known& known : kModels) {
    if (found.type == known.type && found.mount_options == known.options) {
      found.model = model_named(known.model);
    }
  }
  return found;
}

std::vector<std::string> mkfs_command(const DiskFileSystem& file_system, const std::string& extra,
                                      const std::string& device) {
  std::vector<std::string> command;
  if (file_system.type == "ext4") {
    // Nothing may be left for the kernel to write by itself later; and small disks would get small
    // blocks, whose files grow in smaller steps than those of the disks that people have.
    command = {"mkfs.ext4",
               "-q",
               "-F",
               "-b",
               "4096",
               "-E",
               "lazy_itable_init=0,lazy_journal_init=0,nodiscard"};
  } else if (file_system.type == "xfs") {
    command = {"mkfs.xfs", "-q", "-f", "-K"};
  } else {
    command = {"mkfs.btrfs", "-q", "-f", "-K"};
  }
  std::istringstream words(extra);
  for (std::string word; words >> word;) command.push_back(word);
  command.push_back(device);
  return command;
}

}  // namespace everycrash
