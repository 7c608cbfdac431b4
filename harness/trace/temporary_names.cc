#include "harness/trace/temporary_names.h"

#include "harness/trace/stable_name.h"

namespace everycrash {

void TemporaryNames::add(const std::string& path, const std::set<int32_t>& processes) {
  names_.insert(path);
  patterns_.insert(stable_name(chance_.pattern_of(path),
                               [&](int32_t number) { return processes.contains(number); }));
}

bool TemporaryNames::contains(std::string_view path) const {
  return names_.contains(std::string(path)) ||
         patterns_.contains(stable_name(chance_.pattern_of(path), [](int32_t) { return true; }));
}

}  // namespace everycrash
