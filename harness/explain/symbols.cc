#include "harness/explain/symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
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

/// "/usr/local/go/src/os/file.go", and "os/file.go" of what was built with -trimpath: Go's own
/// library. Any other package that comes from elsewhere begins with the name of a host.
bool is_go_library(std::string_view file) {
  if (!file.ends_with(".go") && !file.ends_with(".s")) return false;
  constexpr std::string_view kSource = "/src/";
  if (file.starts_with('/')) {
    const size_t source = file.find(kSource);
    if (source == std::string_view::npos) return false;
    const std::string_view root = base_name(file.substr(0, source));  // "go", "go1.21.5", "go-1.19"
    if (!root.starts_with("go") && !root.starts_with("toolchain@")) return false;
    file.remove_prefix(source + kSource.size());
  }
  // Those that lie between a program and the kernel: https://pkg.go.dev/std
  constexpr std::array<std::string_view, 19> kPackages = {
      "archive", "bufio", "compress", "database", "encoding", "fmt",  "internal",
      "io",      "log",   "mime",     "net",      "os",       "path", "reflect",
      "runtime", "sync",  "syscall",  "testing",  "text"};
  const std::string_view package = file.substr(0, file.find('/'));
  return package != file &&
         std::find(kPackages.begin(), kPackages.end(), package) != kPackages.end();
}

/// Headers of the system: inlined into the user's functions, but not the user's.
bool is_system_source(std::string_view file) {
  constexpr std::array<std::string_view, 7> kPrefixes = {
      "/usr/include/", "/usr/lib/",      "/rustc/",    "library/core/",
      "library/std/",  "library/alloc/", "../sysdeps/"};
  if (file.ends_with("/everycrash/everycrash.h")) return true;  // a marker, inlined
  if (is_go_library(file)) return true;
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return file.starts_with(prefix); });
}

constexpr size_t kNone = SIZE_MAX;

bool is_script(const Frame& frame) {
  return frame.language != ScriptLanguage::kNone;
}

bool is_there(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored);
}

/// "stdlib/stdlib.ml", and "DIR/stdlib.ml" where a function of it was inlined into what was built
/// in DIR, and nothing tells so but that there is no such file.
bool is_ocaml_library(const std::string& file) {
  if (!file.ends_with(".ml")) return false;
  if (file.starts_with("stdlib/") || file.starts_with("otherlibs/")) return true;
  constexpr std::array<std::string_view, 3> kInlined = {"stdlib.ml", "unix.ml", "printf.ml"};
  return std::find(kInlined.begin(), kInlined.end(), base_name(file)) != kInlined.end() &&
         !is_there(file);
}

/// Of the frames of a script that executed itself, or of one that HAD_RUN the program.
size_t innermost_script(std::span<const Frame> frames, bool had_run) {
  size_t first = kNone;
  for (size_t i = 0; i < frames.size(); ++i) {
    if (!is_script(frames[i]) || frames[i].program.empty() == had_run) continue;
    if (!is_script_library(frames[i].source_file)) return i;
    if (first == kNone) first = i;
  }
  return first;
}

}  // namespace

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
  Frame frame;
  frame.module = mapping.path;
  frame.module_offset = file_offset;
  if (module == nullptr || !module->find_address(file_offset, frame.module_offset)) {
    frames.push_back(std::move(frame));
    return frames;
  }
  // Nobody looks for a line of the C library, and unpacking its debug information takes longer than
  // a short run.
  std::vector<SourcePlace> places = is_runtime_module(mapping.path)
                                        ? module->name_of(frame.module_offset)
                                        : module->look_up(frame.module_offset);
  for (SourcePlace& place : places) {
    frame.function = readable_name(place.function);
    frame.source_file = std::filesystem::path(place.file).lexically_normal().string();
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
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_script_library(std::string_view file) {
  if (file.starts_with("<frozen ")) return true;
  // ".../lib/python3.11/json/__init__.py", but not what was installed beside it.
  const size_t library = file.find("/lib/python3.");
  return library != std::string_view::npos &&
         file.find("/site-packages/", library) == std::string_view::npos &&
         file.find("/dist-packages/", library) == std::string_view::npos;
}

size_t user_frame(std::span<const Frame> frames) {
  if (const size_t own = innermost_script(frames, false); own != kNone) return own;
  const size_t starter = innermost_script(frames, true);
  size_t not_system = kNone;
  size_t outside = kNone;
  for (size_t i = 0; i < frames.size(); ++i) {
    if (is_runtime_module(frames[i].module) || is_script(frames[i])) continue;
    if (outside == kNone) outside = i;
    if (is_system_source(frames[i].source_file) || is_ocaml_library(frames[i].source_file))
      continue;
    if (not_system == kNone) not_system = i;
    if (frames[i].source_file.empty() || frames[i].line == 0) continue;
    // A distribution's programs may come with lines, but nobody has their files.
    if (starter == kNone || is_there(frames[i].source_file)) return i;
  }
  if (starter != kNone) return starter;
  if (not_system != kNone) return not_system;
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
