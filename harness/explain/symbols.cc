#include "harness/explain/symbols.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "harness/explain/symbols_module.h"

namespace everycrash {
namespace {

/// Takes the next field off TEXT, up to a character of STOPS, which goes too.
std::string_view take(std::string_view& text, std::string_view stops) {
  const size_t end = text.find_first_of(stops);
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return field;
}

bool parse_hexadecimal(std::string_view text, uint64_t& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return problem == std::errc() && end == text.data() + text.size();
}

std::string_view base_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// Headers of the system: inlined into the user's functions, but not the user's.
bool is_system_source(std::string_view file) {
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/") ||
         file.starts_with("/rustc/");
}

/// Position of the bracket that opens the last one of TEXT, or npos.
size_t opening_of_last(std::string_view text) {
  int depth = 0;
  for (size_t at = text.size(); at-- > 0;) {
    if (text[at] == ')') ++depth;
    if (text[at] == '(' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

/// The part behind the return type, which only templates have: after the last space outside of
/// brackets.
std::string_view without_return_type(std::string_view name) {
  if (name.find("operator") != std::string_view::npos) return name;
  int depth = 0;
  for (size_t at = name.size(); at-- > 0;) {
    const char c = name[at];
    if (c == '>' || c == ')' || c == ']' || c == '}') ++depth;
    if (c == '<' || c == '(' || c == '[' || c == '{') --depth;
    if (c == ' ' && depth == 0) return name.substr(at + 1);
  }
  return name;
}

}  // namespace

std::string readable_name(std::string_view mangled) {
  // glibc's name for its own use of a function that it also exports.
  constexpr std::string_view kInternal = "__GI_";
  if (mangled.starts_with(kInternal)) mangled.remove_prefix(kInternal.size());
  const std::string text(mangled);
  if (!mangled.starts_with("_Z")) return text;
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !demangled) return text;
  std::string_view name = demangled.get();
  if (const size_t clone = name.find(" [clone"); clone != std::string_view::npos) {
    name = name.substr(0, clone);
  }
  for (const std::string_view suffix : {" const", " volatile", " &", " &&"}) {
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  }
  if (name.ends_with(')')) {
    const size_t parameters = opening_of_last(name);
    if (parameters != std::string_view::npos && parameters > 0) name = name.substr(0, parameters);
  }
  name = without_return_type(name);
  // Rust ends its names in a hash: "app::save::h0123456789abcdef".
  constexpr size_t kRustHash = 19;
  if (name.size() > kRustHash && name.substr(name.size() - kRustHash).starts_with("::h") &&
      name.substr(name.size() - 16).find_first_not_of("0123456789abcdef") ==
          std::string_view::npos) {
    name.remove_suffix(kRustHash);
  }
  return std::string(name);
}

Symboliser::Symboliser() = default;
Symboliser::~Symboliser() = default;

const std::vector<Symboliser::Mapping>& Symboliser::parse(std::string_view mappings) {
  const auto [entry, is_new] = mappings_.try_emplace(std::string(mappings));
  if (!is_new) return entry->second;
  while (!mappings.empty()) {
    std::string_view line = take(mappings, "\n");
    Mapping mapping;
    const std::string_view start = take(line, "-");
    const std::string_view end = take(line, " ");
    take(line, " ");  // permissions
    const std::string_view offset = take(line, " ");
    take(line, " ");  // device
    take(line, " ");  // inode
    const size_t path = line.find_first_not_of(' ');
    if (path != std::string_view::npos) mapping.path = line.substr(path);
    constexpr std::string_view kDeleted = " (deleted)";
    if (mapping.path.ends_with(kDeleted)) {
      mapping.path.resize(mapping.path.size() - kDeleted.size());
      mapping.deleted = true;
    }
    if (parse_hexadecimal(start, mapping.start) && parse_hexadecimal(end, mapping.end) &&
        parse_hexadecimal(offset, mapping.file_offset)) {
      entry->second.push_back(std::move(mapping));
    }
  }
  return entry->second;
}

DebugModule* Symboliser::module_of(const std::string& path) {
  const auto [entry, is_new] = modules_.try_emplace(path);
  if (is_new && path.starts_with('/')) entry->second = DebugModule::open(path);
  return entry->second.get();
}

const std::vector<Frame>& Symboliser::look_up(const Mapping& mapping, uint64_t address) {
  const uint64_t file_offset = address - mapping.start + mapping.file_offset;
  const auto [entry, is_new] = found_.try_emplace({mapping.path, file_offset});
  std::vector<Frame>& frames = entry->second;
  if (!is_new) return frames;
  DebugModule* module = mapping.deleted ? nullptr : module_of(mapping.path);
  const std::optional<uint64_t> offset =
      module == nullptr ? std::nullopt : module->address_of(file_offset);
  Frame frame;
  frame.module = mapping.path;
  frame.module_offset = offset.value_or(file_offset);
  if (!offset) {
    frames.push_back(std::move(frame));
    return frames;
  }
  for (SourcePlace& place : module->look_up(*offset)) {
    frame.function = readable_name(place.function);
    frame.source_file = std::move(place.file);
    frame.line = place.line;
    frame.column = place.column;
    frames.push_back(frame);
  }
  return frames;
}

std::vector<Frame> Symboliser::frames(std::span<const uint64_t> addresses,
                                      std::string_view mappings) {
  const std::vector<Mapping>& known = parse(mappings);
  std::vector<Frame> frames;
  for (const uint64_t return_address : addresses) {
    if (return_address == 0) continue;
    const uint64_t address = return_address - 1;
    const Mapping* mapping = nullptr;
    for (const Mapping& candidate : known) {
      if (address >= candidate.start && address < candidate.end) mapping = &candidate;
    }
    if (mapping == nullptr || mapping->path.empty() || mapping->path.starts_with("//anon")) {
      Frame frame;
      frame.module_offset = address;
      frames.push_back(std::move(frame));
      continue;
    }
    const std::vector<Frame>& found = look_up(*mapping, address);
    frames.insert(frames.end(), found.begin(), found.end());
  }
  return frames;
}

std::vector<Frame> Symboliser::stack(const Trace& trace, uint64_t sequence) {
  return frames(trace.stack(sequence), trace.mappings_of_stack(sequence));
}

bool is_runtime_module(std::string_view path) {
  if (path.starts_with('[')) return true;
  const std::string_view name = base_name(path);
  constexpr std::array<std::string_view, 12> kPrefixes = {
      "libc.so",      "libc-2.",   "ld-linux", "ld-2.",    "ld-musl",  "libpthread",
      "libstdc++.so", "libgcc_s.", "libm.so",  "librt.so", "libdl.so", "libeverycrash"};
  for (const std::string_view prefix : kPrefixes) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

size_t user_frame(std::span<const Frame> frames) {
  constexpr size_t kNone = SIZE_MAX;
  size_t with_source = kNone;
  size_t outside = kNone;
  for (size_t i = 0; i < frames.size(); ++i) {
    if (is_runtime_module(frames[i].module)) continue;
    if (outside == kNone) outside = i;
    if (frames[i].source_file.empty() || frames[i].line == 0) continue;
    if (!is_system_source(frames[i].source_file)) return i;
    if (with_source == kNone) with_source = i;
  }
  if (with_source != kNone) return with_source;
  return outside == kNone ? 0 : outside;
}

std::string describe(const Frame& frame) {
  if (!frame.source_file.empty() && frame.line != 0) {
    return fmt::format("{} at {}:{}", frame.function.empty() ? "??" : frame.function,
                       frame.source_file, frame.line);
  }
  const std::string place =
      frame.module.empty() ? fmt::format("generated code at 0x{:x}", frame.module_offset)
                           : fmt::format("{}+0x{:x}", base_name(frame.module), frame.module_offset);
  return frame.function.empty() ? place : fmt::format("{} in {}", frame.function, place);
}

}  // namespace everycrash
