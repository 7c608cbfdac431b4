#include "harness/trace/printed_line.h"

#include <algorithm>

namespace everycrash {

std::string printed_line(const Trace& trace, const Operation& record) {
  constexpr size_t kLongest = 4096;
  std::string text(record.payload);
  const auto& records = trace.records();
  auto before = std::lower_bound(
      records.begin(), records.end(), record.sequence,
      [](const Operation& one, uint64_t sequence) { return one.sequence < sequence; });
  while (before != records.begin() && text.size() < kLongest) {
    --before;
    if (before->kind != Kind::kPrint || before->process != record.process) continue;
    if (before->payload.ends_with('\n')) break;
    text.insert(0, before->payload);
  }
  while (text.ends_with('\n')) text.pop_back();
  text.erase(0, text.rfind('\n') + 1);
  return text;
}

}  // namespace everycrash
