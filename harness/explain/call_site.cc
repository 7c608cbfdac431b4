#include "harness/explain/call_site.h"

#include <fmt/format.h>

#include <filesystem>

#include "harness/explain/source.h"
#include "harness/explain/symbols.h"

namespace everycrash {
namespace {

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// Without line and address wherever the function is known.
std::string name_of_site(const Frame& frame) {
  if (frame.language != ScriptLanguage::kNone) {
    const std::string file = file_name(frame.source_file);
    const std::string place =
        frame.function.empty() ? file : fmt::format("{} in {}", frame.function, file);
    return frame.program.empty() ? place : fmt::format("{} run by {}", frame.program, place);
  }
  return frame.function.empty()
             ? fmt::format("{}+{:#x}", file_name(frame.module), frame.module_offset)
             : fmt::format("{} in {}", frame.function, file_name(frame.module));
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

}  // namespace

CallSite call_site_of(const Frame& frame) {
  CallSite site{.name = name_of_site(frame)};
  if (frame.source_file.empty() || frame.line == 0) return site;
  const std::optional<SourceExcerpt> excerpt = read_excerpt(frame.source_file, frame.line, 0);
  if (excerpt && !excerpt->lines.empty()) site.line = trimmed(excerpt->lines.front());
  return site;
}

}  // namespace everycrash
