#include "harness/check/oracles/half_file_words.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "harness/base/path_text.h"
#include "harness/trace/name_guesses.h"

namespace everycrash {
namespace {

// Bytes of longer files are not looked at: there can be many states.
constexpr int64_t kComparedMax = 1 << 20;

const char* bytes_of(uint64_t count) {
  return count == 1 ? "byte" : "bytes";
}

/// "812 or 830 bytes".
std::string sizes_of(const NameHistory& name) {
  constexpr size_t kShown = 3;
  std::set<int64_t> sizes;
  for (const Version& version : name.versions) {
    if (version.content && S_ISREG(version.content->type)) sizes.insert(version.content->size);
  }
  std::string text;
  size_t shown = 0;
  for (const int64_t size : sizes) {
    if (shown++ == kShown) return fmt::format("{} or other sizes, in bytes", text);
    text += fmt::format("{}{}", text.empty() ? "" : ", ", size);
  }
  return text + (sizes.size() == 1 && *sizes.begin() == 1 ? " byte" : " bytes");
}

/// The bytes of the file at PATH, if it is one of the versions of NAME and short enough.
std::optional<std::string> version_in(const FileSystem& tree, const std::string& path,
                                      const NameHistory& name) {
  const NodeId node = tree.find(path);
  if (node == kNoNode || !tree.node(node).is_file() || tree.node(node).size == 0 ||
      tree.node(node).size > kComparedMax || !name.latest(content_of(tree.node(node)))) {
    return std::nullopt;
  }
  return tree.content(node);
}

size_t common_beginning(std::string_view a, std::string_view b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<size_t>(end.first - a.begin());
}

/// "bytes 4096 to 8191 are zero", where nothing else sets FOUND apart from the same bytes of WHOLE;
/// "" if something else does, or nothing.
std::string zeros_in(std::string_view found, std::string_view whole) {
  const size_t size = std::min(found.size(), whole.size());
  size_t begin = size, end = 0;
  for (size_t i = 0; i < size; ++i) {
    if (found[i] == whole[i]) continue;
    if (found[i] != 0) return "";
    begin = std::min(begin, i);
    end = i + 1;
  }
  if (begin >= end) return "";
  const std::string_view between = found.substr(begin, end - begin);
  if (between.find_first_not_of('\0') != std::string_view::npos) {
    return fmt::format("between bytes {} and {} it has zeros in place of its content", begin,
                       end - 1);
  }
  while (begin > 0 && found[begin - 1] == 0) --begin;
  while (end < size && found[end] == 0) ++end;
  if (end - begin == 1) return fmt::format("byte {} is zero", begin);
  return fmt::format("bytes {} to {} are zero", begin, end - 1);
}

/// How FOUND comes from WHOLE, by being cut or by zeros; "" if it does not.
std::string against(std::string_view found, std::string_view whole) {
  const size_t common = common_beginning(found, whole);
  if (common == found.size()) {
    return fmt::format("it ends at byte {} of {}", found.size(), whole.size());
  }
  if (common == whole.size()) {
    const std::string_view rest = found.substr(common);
    const bool zeros = rest.find_first_not_of('\0') == std::string_view::npos;
    return fmt::format("behind its {} {} {} {} {}{}", common, bytes_of(common),
                       rest.size() == 1 ? "comes" : "come", rest.size(), zeros ? "zero " : "more ",
                       bytes_of(rest.size()));
  }
  std::string zeros = zeros_in(found, whole);
  if (zeros.empty() || found.size() > whole.size()) return "";
  if (found.size() == whole.size()) return zeros;
  return fmt::format("it ends at byte {} of {}, and {}", found.size(), whole.size(), zeros);
}

/// So many bytes of FOUND are the beginning of ONE, and all behind them is as in OTHER; 0 = not so.
/// A whole page, if that can be.
size_t changeover(std::string_view found, std::string_view one, std::string_view other) {
  if (found.size() != other.size()) return 0;
  const size_t most = common_beginning(found, one);
  const auto from_end = std::mismatch(found.rbegin(), found.rend(), other.rbegin());
  const size_t least = static_cast<size_t>(found.rend() - from_end.first);
  if (least == 0 || least > most) return 0;
  const size_t page = most / format::kPageSize * format::kPageSize;
  return page >= least ? page : most;
}

/// What FOUND is, in the words that follow "f is half written: ".
std::string words_for(std::string_view found, const std::optional<std::string>& last,
                      const std::optional<std::string>& first) {
  if (found.find_first_not_of('\0') == std::string_view::npos) {
    return fmt::format("it holds {} zero {}", found.size(), bytes_of(found.size()));
  }
  for (const auto* whole : {&last, &first}) {
    if (!*whole) continue;
    std::string words = against(found, **whole);
    if (!words.empty()) return words;
  }
  if (!last || !first) return "";
  if (const size_t bytes = changeover(found, *last, *first); bytes > 0) {
    return fmt::format("it holds the first {} {} of its new content, then the old", bytes,
                       bytes_of(bytes));
  }
  if (const size_t bytes = changeover(found, *first, *last); bytes > 0) {
    return fmt::format("it holds the first {} {} of its old content, then the new", bytes,
                       bytes_of(bytes));
  }
  return "";
}

std::string words_for_content(const History& history, const std::string& path,
                              const NameHistory& name, const FileSystem& state, NodeId file) {
  const auto size = static_cast<uint64_t>(state.node(file).size);
  std::string words;
  if (state.node(file).size <= kComparedMax) {
    words = words_for(state.content(file), version_in(history.final_tree(), path, name),
                      version_in(history.initial_tree(), path, name));
  }
  if (!words.empty()) return words;
  return fmt::format("its {} {} are none of its whole versions, which have {}", size,
                     bytes_of(size), sizes_of(name));
}

std::string what_is_wrong(const History& history, const std::string& path, const NameHistory& name,
                          const FileSystem& state) {
  const NodeId found = state.find(path);
  if (found == kNoNode) {
    return fmt::format("{} is missing: neither its old nor its new version is there", path);
  }
  if (!state.node(found).is_file()) {
    return fmt::format("{} is none of the things it was at any time", path);
  }
  if (state.node(found).size == 0) {
    return fmt::format("{} is empty; whole it has {}", path, sizes_of(name));
  }
  return fmt::format("{} is half written: {}", path,
                     words_for_content(history, path, name, state, found));
}

/// Where PATH may lie aside: under names beside it that are named after it or that the run took
/// away again; where its folder is missing, in folders that are named after that.
std::vector<std::string> places_beside(const History& history, const std::string& path,
                                       const FileSystem& state) {
  const auto is_folder = [&](const std::string& each) {
    const NodeId node = state.find(each);
    return node != kNoNode && state.node(node).is_directory();
  };
  std::string moved = path;  // or a folder that it is in
  std::string folder(folder_of(moved));
  while (!is_folder(folder)) {
    moved = std::move(folder);
    folder = folder_of(moved);
  }
  std::vector<std::string> places;
  for (const auto& [id, node] : state.node(state.find(folder)).entries) {
    const std::string beside = folder.empty() ? state.name(id) : folder + "/" + state.name(id);
    const bool related =
        is_named_after(state.name(id), moved) || history.temporary().contains(beside);
    if (beside != moved && related) places.push_back(beside + path.substr(moved.size()));
  }
  return places;
}

}  // namespace

std::string version_beside(const History& history, const std::string& path, const NameHistory& name,
                           const FileSystem& state) {
  std::string best;
  size_t version = 0;
  for (const std::string& beside : places_beside(history, path, state)) {
    const NodeId node = state.find(beside);
    if (node == kNoNode || !state.node(node).is_file() || state.node(node).size == 0) continue;
    const std::optional<size_t> holds = name.latest(content_of(state.node(node)));
    if (!holds) continue;
    // The newest one; of several alike the first by name, since ids depend on the run.
    if (!best.empty() && (*holds < version || (*holds == version && best < beside))) continue;
    best = beside;
    version = *holds;
  }
  if (best.empty()) return "";
  if (version + 1 == name.versions.size()) return fmt::format("{} holds its new version", best);
  if (name.versions[version].since == 0) {
    return fmt::format("{} holds what it was before the run", best);
  }
  return fmt::format("{} holds an earlier version of it", best);
}

std::string half_file_message(const History& history, const std::string& path,
                              const NameHistory& name, const FileSystem& state) {
  const std::string beside = version_beside(history, path, name, state);
  if (beside.empty()) return what_is_wrong(history, path, name, state);
  if (state.find(path) == kNoNode) return fmt::format("{} is missing; {}, whole", path, beside);
  return fmt::format("{}; {}, whole", what_is_wrong(history, path, name, state), beside);
}

}  // namespace everycrash
