#include "harness/record/preload/stacks/python_lines.h"

namespace everycrash::preload {

namespace {

constexpr uint32_t kCodeUnit = 2;  // bytes

// The entries of a location table, each a byte 1kkkklll (kind, code units less one) and what
// belongs to its kind, in bytes whose high bit is not set.
class Locations {
 public:
  explicit Locations(const LineTable& table)
      : at_(table.bytes), end_(table.bytes + table.size), line_(table.first_line) {}

  // Goes to the next entry. False at the end, or at what is none.
  bool next() {
    if (at_ == end_ || (*at_ & 0x80) == 0) return false;
    const uint8_t head = *at_++;
    const unsigned kind = (head >> 3) & 15;
    size_ = (uint32_t{head} & 7) + 1;
    const int64_t change = line_change(kind);
    has_line_ = kind != kNoLocation;
    line_ += change;
    while (at_ != end_ && (*at_ & 0x80) == 0) ++at_;  // columns
    return true;
  }
  [[nodiscard]] uint32_t size() const { return size_ * kCodeUnit; }
  [[nodiscard]] uint32_t line() const {
    return has_line_ && line_ > 0 && line_ <= INT32_MAX ? static_cast<uint32_t>(line_) : 0;
  }

 private:
  static constexpr unsigned kFirstOneLine = 10;
  static constexpr unsigned kNoColumns = 13;
  static constexpr unsigned kLong = 14;
  static constexpr unsigned kNoLocation = 15;

  int64_t line_change(unsigned kind) {
    if (kind == kNoColumns || kind == kLong) return signed_number();
    const bool one_line = kind >= kFirstOneLine && kind < kNoColumns;
    return one_line ? static_cast<int64_t>(kind - kFirstOneLine) : 0;
  }

  // Six bits a byte, least significant first; bit 6 says that more follow; the lowest is the sign.
  int64_t signed_number() {
    uint64_t value = 0;
    for (unsigned shift = 0; at_ != end_ && shift < 36; shift += 6) {
      const uint8_t byte = *at_++;
      value |= uint64_t{byte & 0x3fU} << shift;
      if ((byte & 0x40) == 0) break;
    }
    const auto magnitude = static_cast<int64_t>(value >> 1);
    return (value & 1) != 0 ? -magnitude : magnitude;
  }

  const uint8_t* at_;
  const uint8_t* end_;
  int64_t line_;
  uint32_t size_ = 0;
  bool has_line_ = false;
};

uint32_t checked(int64_t line) {
  return line > 0 && line <= INT32_MAX ? static_cast<uint32_t>(line) : 0;
}

}  // namespace

uint32_t line_by_locations(const LineTable& table, uint32_t offset) {
  Locations entries(table);
  for (uint64_t end = 0; entries.next();) {
    end += entries.size();
    if (offset < end) return entries.line();
  }
  return 0;
}

uint32_t line_by_ranges(const LineTable& table, uint32_t offset) {
  int64_t line = table.first_line;
  uint64_t end = 0;
  for (size_t i = 0; i + 1 < table.size; i += 2) {
    const auto change = static_cast<int8_t>(table.bytes[i + 1]);
    const bool has_line = change != INT8_MIN;
    if (has_line) line += change;
    end += table.bytes[i];
    if (offset < end) return has_line ? checked(line) : 0;
  }
  return 0;
}

uint32_t line_by_steps(const LineTable& table, uint32_t offset) {
  int64_t line = table.first_line;
  uint64_t start = 0;
  for (size_t i = 0; i + 1 < table.size; i += 2) {
    start += table.bytes[i];
    if (start > offset) break;
    line += static_cast<int8_t>(table.bytes[i + 1]);
  }
  return checked(line);
}

}  // namespace everycrash::preload
