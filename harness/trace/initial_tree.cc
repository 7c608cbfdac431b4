#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/trace/trace_writer.h"

namespace everycrash {
namespace {

using format::Kind;
using format::RecordHeader;

/// Everything below DIRECTORY, relative, sorted, "" first.
Result<std::vector<std::string>> list_tree(const std::filesystem::path& directory) {
  std::vector<std::string> paths{""};
  std::error_code error;
  std::filesystem::recursive_directory_iterator it(directory, error);
  for (; !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
    paths.push_back(it->path().lexically_relative(directory).string());
  }
  if (error) {
    return harness_error(fmt::format("cannot read {}: {}", directory.string(), error.message()));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Result<std::string> read_content(const std::filesystem::path& file, const struct stat& info) {
  std::string content;
  if (S_ISLNK(info.st_mode)) {
    content.resize(format::kPathMax);
    const ssize_t size = readlink(file.c_str(), content.data(), content.size());
    if (size < 0) return system_error(fmt::format("cannot read link {}", file.string()), errno);
    content.resize(static_cast<size_t>(size));
  } else if (S_ISREG(info.st_mode)) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) return system_error(fmt::format("cannot read {}", file.string()), errno);
    content.resize(static_cast<size_t>(info.st_size));
    size_t have = 0;
    while (have < content.size()) {
      const ssize_t got = ::read(descriptor, content.data() + have, content.size() - have);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      have += static_cast<size_t>(got);
    }
    close(descriptor);
    if (have != content.size()) {
      return harness_error(fmt::format("cannot read {} whole", file.string()));
    }
  }
  return content;
}

/// The extended attributes of FILE that this user may read. Linux limits both the list and each
/// value to 64 KiB (xattr(7)).
std::map<std::string, std::string> read_attributes(const std::filesystem::path& file) {
  constexpr size_t kLimit = 65536;
  std::map<std::string, std::string> attributes;
  std::string names(kLimit, '\0');
  const ssize_t size = llistxattr(file.c_str(), names.data(), names.size());
  for (size_t at = 0; size > 0 && at < static_cast<size_t>(size);) {
    const std::string name = names.c_str() + at;
    at += name.size() + 1;
    std::string value(kLimit, '\0');
    const ssize_t length = lgetxattr(file.c_str(), name.c_str(), value.data(), value.size());
    if (length < 0) continue;
    value.resize(static_cast<size_t>(length));
    attributes[name] = value;
  }
  return attributes;
}

}  // namespace

Status TraceWriter::append_initial_tree(const std::filesystem::path& directory) {
  Result<std::vector<std::string>> paths = list_tree(directory);
  if (!paths) return tl::unexpected(paths.error());
  std::set<uint64_t> seen;
  for (const std::string& path : *paths) {
    const std::filesystem::path full = path.empty() ? directory : directory / path;
    struct stat info {};
    if (lstat(full.c_str(), &info) != 0)
      return system_error("cannot look at " + full.string(), errno);
    const bool first = seen.insert(info.st_ino).second;
    Result<std::string> content = first ? read_content(full, info) : std::string();
    if (!content) return tl::unexpected(content.error());
    RecordHeader record{};
    record.kind = static_cast<uint16_t>(Kind::kInitial);
    record.call = format::kNoCall;
    record.inode = info.st_ino;
    record.mode = info.st_mode;
    record.owner = info.st_uid;
    record.group = info.st_gid;
    record.length = static_cast<int64_t>(content->size());
    record.time_ns = info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec;
    record.other_offset = static_cast<int64_t>(info.st_rdev);
    Result<uint64_t> done = append(record, path, "", *content);
    if (!done) return tl::unexpected(done.error());
    if (!first) continue;
    for (const auto& [name, value] : read_attributes(full)) {
      RecordHeader attribute{};
      attribute.kind = static_cast<uint16_t>(Kind::kInitialAttribute);
      attribute.call = format::kNoCall;
      attribute.inode = info.st_ino;
      done = append(attribute, path, name, value);
      if (!done) return tl::unexpected(done.error());
    }
  }
  return {};
}

}  // namespace everycrash
