#include "harness/inject/clock_variants.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "harness/inject/fault_text.h"
#include "harness/record/installed_files.h"

namespace everycrash {
namespace {

std::string inherited(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

const std::vector<ClockVariant>& clock_variants() {
  static const std::vector<ClockVariant> kVariants = {
      {.name = "2 hours back", .fault = "start() clock=-2h"},
      {.name = "2 hours on", .fault = "start() clock=+2h"},
      {.name = "east of Greenwich", .zone = "EAST-9"},
  };
  return kVariants;
}

const ClockVariant* find_clock_variant(const std::string& name) {
  const auto& all = clock_variants();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ClockVariant& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Status set_clock(const ClockVariant* variant, const SetForCommands& set) {
  std::string preload = inherited("LD_PRELOAD");
  std::string plan;
  if (variant != nullptr && !variant->fault.empty()) {
    const Result<std::filesystem::path> library = find_faults_library();
    if (!library) return tl::unexpected(library.error());
    preload = library->string() + (preload.empty() ? "" : ":" + preload);
    plan = variant->fault + "\n";
  }
  set("LD_PRELOAD", preload);
  set("EVERYCRASH_FAULTS", plan);
  const bool has_zone = variant != nullptr && !variant->zone.empty();
  if (has_zone || std::getenv("TZ") != nullptr) {
    set("TZ", has_zone ? variant->zone : inherited("TZ"));
  } else {
    set("TZ", ":/etc/localtime");  // what an unset one means
  }
  return {};
}

}  // namespace everycrash
