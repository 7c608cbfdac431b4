#include "harness/check/whole_trace.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "harness/check/run/materialise.h"
#include "harness/explore/state_builder.h"
#include "harness/model/difference.h"

namespace everycrash {

std::string find_missing_calls(const Trace& trace) {
  if (trace.full() != 0) {
    return fmt::format("the trace could not be written to its end: {}",
                       std::strerror(trace.full()));
  }
  for (const Operation& record : trace.records()) {
    if (record.kind != Kind::kUnsupported) continue;
    if (static_cast<Unsupported>(record.mode) == Unsupported::kIoUring) continue;
    return explain_unsupported(record);
  }
  return "";
}

Result<std::string> find_unrecorded_changes(const Trace& trace,
                                            const std::filesystem::path& directory) {
  const Result<StateBuilder> builder = StateBuilder::at_end(trace);
  if (!builder) return tl::unexpected(builder.error());
  const Result<FileSystem> found = read_tree(directory);
  if (!found) return tl::unexpected(found.error());
  std::vector<Difference> differences = find_differences(builder->tree(), *found, {});
  std::erase_if(differences, [](const Difference& difference) {
    return difference.kind == Difference::Kind::kAttributes;
  });
  return differences.empty() ? "" : describe(differences);
}

}  // namespace everycrash
