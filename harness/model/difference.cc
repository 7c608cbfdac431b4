#include "harness/model/difference.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "harness/base/path_text.h"

namespace everycrash {
namespace {

const char* type_name(const Node& node) {
  if (node.is_directory()) return "a folder";
  if (node.is_file()) return "a file";
  if (node.is_symlink()) return "a symbolic link";
  return "a special file";
}

std::string describe_entry(const Node& node) {
  if (node.is_file()) return fmt::format("a file of {} bytes", node.size);
  if (node.is_symlink()) return fmt::format("a symbolic link to {}", node.target);
  return type_name(node);
}

class Comparison {
 public:
  Comparison(const FileSystem& expected, const FileSystem& found, const IgnoreGlobs& ignore)
      : expected_(expected), found_(found), ignore_(ignore) {}

  void compare(const std::string& path, NodeId expected, NodeId found);
  std::vector<Difference> take() { return std::move(differences_); }

 private:
  void compare_entries(const std::string& path, const Node& expected, const Node& found);
  void compare_attributes(const std::string& path, const Node& expected, const Node& found);
  [[nodiscard]] int64_t first_difference(NodeId expected, NodeId found) const;
  void add(Difference::Kind kind, const std::string& path, const std::string& text) {
    const std::string shown = path.empty() ? "." : path;
    differences_.push_back({kind, path, fmt::format("{}: {}", shown, text)});
  }

  const FileSystem& expected_;
  const FileSystem& found_;
  const IgnoreGlobs& ignore_;
  std::vector<Difference> differences_;
};

void Comparison::compare(const std::string& path, NodeId expected_id, NodeId found_id) {
  const Node& expected = expected_.node(expected_id);
  const Node& found = found_.node(found_id);
  if (expected.digest == found.digest) return;
  if ((expected.attributes->mode & S_IFMT) != (found.attributes->mode & S_IFMT)) {
    add(Difference::Kind::kContent, path,
        fmt::format("{} expected, {} found", type_name(expected), type_name(found)));
    return;
  }
  if (expected.target != found.target) {
    add(Difference::Kind::kContent, path,
        fmt::format("a link to {} expected, to {} found", expected.target, found.target));
  } else if (expected.size != found.size) {
    add(Difference::Kind::kContent, path,
        fmt::format("{} bytes expected, {} found", expected.size, found.size));
  } else if (expected.is_file() && expected.sum != found.sum) {
    add(Difference::Kind::kContent, path,
        fmt::format("as long as expected, {} {}, but different from byte {} on", expected.size,
                    expected.size == 1 ? "byte" : "bytes",
                    first_difference(expected_id, found_id)));
  }
  compare_attributes(path, expected, found);
  if (expected.is_directory()) compare_entries(path, expected, found);
}

void Comparison::compare_attributes(const std::string& path, const Node& expected,
                                    const Node& found) {
  const Attributes& a = *expected.attributes;
  const Attributes& b = *found.attributes;
  if (a.mode != b.mode) {
    add(Difference::Kind::kAttributes, path,
        fmt::format("mode {:04o} expected, {:04o} found", a.mode & 07777, b.mode & 07777));
  }
  if (a.owner != b.owner || a.group != b.group) {
    add(Difference::Kind::kAttributes, path,
        fmt::format("owner {}:{} expected, {}:{} found", a.owner, a.group, b.owner, b.group));
  }
  if (a.extended != b.extended) {
    add(Difference::Kind::kAttributes, path, "its extended attributes are others than expected");
  }
}

void Comparison::compare_entries(const std::string& path, const Node& expected, const Node& found) {
  struct Sides {
    NodeId expected = kNoNode;
    NodeId found = kNoNode;
  };
  std::map<std::string, Sides> names;
  for (const auto& [name, node] : expected.entries) names[expected_.name(name)].expected = node;
  for (const auto& [name, node] : found.entries) names[found_.name(name)].found = node;
  for (const auto& [name, sides] : names) {
    const std::string child = path.empty() ? name : path + "/" + name;
    if (is_ignored(child, ignore_)) continue;
    if (sides.found == kNoNode) {
      add(Difference::Kind::kMissing, child,
          fmt::format("missing ({} expected)", describe_entry(expected_.node(sides.expected))));
    } else if (sides.expected == kNoNode) {
      add(Difference::Kind::kExtra, child,
          fmt::format("not expected ({})", describe_entry(found_.node(sides.found))));
    } else {
      compare(child, sides.expected, sides.found);
    }
  }
}

int64_t Comparison::first_difference(NodeId expected, NodeId found) const {
  const std::string a = expected_.content(expected);
  const std::string b = found_.content(found);
  return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
}

}  // namespace

bool is_ignored(const std::string& path, const IgnoreGlobs& globs) {
  const std::string last(base_name(path));
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
    return fnmatch(glob.c_str(), path.c_str(), 0) == 0 ||
           (glob.find('/') == std::string::npos && fnmatch(glob.c_str(), last.c_str(), 0) == 0);
  });
}

std::vector<Difference> find_differences(const FileSystem& expected, const FileSystem& found,
                                         const IgnoreGlobs& ignore) {
  Comparison comparison(expected, found, ignore);
  comparison.compare("", kRootNode, kRootNode);
  return comparison.take();
}

std::string describe(const std::vector<Difference>& differences, size_t lines_max) {
  std::string text;
  for (size_t i = 0; i < differences.size(); ++i) {
    if (i > 0) text += '\n';
    if (i == lines_max) return text + fmt::format("and {} more", differences.size() - i);
    text += differences[i].text;
  }
  return text;
}

}  // namespace everycrash
