#include "harness/explain/run_names.h"

#include <fmt/format.h>

#include "harness/base/path_text.h"

namespace everycrash {
namespace {

/// Without line and address wherever the function is known.
std::string name_of_site(const Frame& frame) {
  if (frame.language != ScriptLanguage::kNone) {
    const std::string file(base_name(frame.source_file));
    const std::string place =
        frame.function.empty() ? file : fmt::format("{} in {}", frame.function, file);
    return frame.program.empty() ? place : fmt::format("{} run by {}", frame.program, place);
  }
  return frame.function.empty()
             ? fmt::format("{}+{:#x}", base_name(frame.module), frame.module_offset)
             : fmt::format("{} in {}", frame.function, base_name(frame.module));
}

}  // namespace

CrashPoint RunNames::named_point(uint64_t record) const {
  while (record > 0 && points_.occurrence(record) == 0) --record;
  return {record, -1};
}

std::string RunNames::site_of(uint64_t stack) const {
  if (stack == 0) return "unknown";
  const auto known = sites_.find(stack);
  if (known != sites_.end()) return known->second;
  const std::vector<Frame> frames = stacks_.frames(stack);
  const std::string site = frames.empty() ? "unknown" : name_of_site(frames[user_frame(frames)]);
  return sites_[stack] = site;
}

}  // namespace everycrash
