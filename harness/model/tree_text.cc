#include "harness/model/tree_text.h"

#include <fmt/format.h>

namespace everycrash {
namespace {

std::string content_text(const std::string& bytes) {
  std::string quoted, pieces;
  bool runs = false;
  for (size_t i = 0; i < bytes.size();) {
    size_t end = i;
    while (end < bytes.size() && bytes[end] == bytes[i]) ++end;
    const char shown = bytes[i] == 0 ? '0' : bytes[i] < 0 ? '~' : bytes[i];
    if (!pieces.empty()) pieces += ' ';
    pieces += fmt::format("{}*{}", shown, end - i);
    runs = runs || end - i > 8 || bytes[i] <= 0;
    quoted.append(end - i, shown);
    i = end;
  }
  return runs ? fmt::format("[{}]", pieces) : fmt::format("\"{}\"", quoted);
}

std::string attributes_text(const Node& node) {
  std::string text;
  const uint32_t usual = node.is_directory() ? 0755 : node.is_symlink() ? 0777 : 0644;
  if ((node.attributes->mode & 07777) != usual) {
    text += fmt::format(" mode={:o}", node.attributes->mode & 07777);
  }
  for (const auto& [name, value] : node.attributes->extended) {
    text += fmt::format(" {}={}", name, value);
  }
  if (node.links.size() > 1) text += fmt::format(" links={}", node.links.size());
  return text.empty() ? "" : fmt::format("{{{}}}", text.substr(1));
}

}  // namespace

std::string tree_text(const FileSystem& tree) {
  std::string text;
  for (const auto& [path, id] : tree.paths()) {
    if (path.empty()) continue;
    const Node& node = tree.node(id);
    if (!text.empty()) text += ' ';
    text += path;
    if (node.is_directory()) text += '/';
    if (node.is_file()) text += fmt::format("={}", content_text(tree.content(id)));
    if (node.is_symlink()) text += fmt::format("->{}", node.target);
    text += attributes_text(node);
  }
  return text.empty() ? "(empty)" : text;
}

}  // namespace everycrash
