#include "harness/record/preload/stacks/python_lines.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace everycrash::preload {
namespace {

// def f(path, value):
//     with open(path) as f:
//         for i in range(3):
//             f.write(
//                 str(value) +
//                 "x")
//     try:
//         return [i
//             for i in path]
//     finally:
//         pass
// compiled by the versions named; the lines are those that co_lines() gives, or, for 3.8,
// dis.findlinestarts().
std::vector<uint8_t> bytes_of(const std::string& hexadecimal) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

const std::vector<uint8_t>& python311() {
  static const std::vector<uint8_t> table = bytes_of(
      "8000dd090d8864891a8c1af0000405159071dd1116907191189418f000030915f0000309158841d80c0d8f478a4"
      "7dd10139045910a940ad81013f103011114f103020d15f400020d15f000020d15f000020d15f003030915f00304"
      "0515f000040515f000040515f100040515f400040515f000040515f000040515f000040515f000040515f000040"
      "515f000040515f8f8f8f000040515f000040515f000040515f000040515f00a04050df00201101bf00001101bd8"
      "1519f00301101bf10001101bf40001101bf00600090df88804880488048804");
  return table;
}

LineTable table_of(const std::vector<uint8_t>& bytes) {
  return {bytes.data(), bytes.size(), 1};
}

TEST(PythonLines, follow_locations) {
  const LineTable table = table_of(python311());
  EXPECT_EQ(line_by_locations(table, 0), 1u);
  EXPECT_EQ(line_by_locations(table, 2), 2u);
  EXPECT_EQ(line_by_locations(table, 46), 3u);
  EXPECT_EQ(line_by_locations(table, 104), 5u);
  EXPECT_EQ(line_by_locations(table, 120), 6u);
  EXPECT_EQ(line_by_locations(table, 124), 5u) << "backwards";
  EXPECT_EQ(line_by_locations(table, 138), 4u);
  EXPECT_EQ(line_by_locations(table, 178), 0u) << "has none";
  EXPECT_EQ(line_by_locations(table, 192), 7u);
  EXPECT_EQ(line_by_locations(table, 227), 11u);
  EXPECT_EQ(line_by_locations(table, 228), 0u) << "behind the end";
}

TEST(PythonLines, follow_locations_of_long_form) {
  // A number of three bytes: 5000 lines down.
  const std::vector<uint8_t> bytes = {0xe8, 0x50, 0x5c, 0x02};
  EXPECT_EQ(line_by_locations(table_of(bytes), 0), 1u + 5000u);
}

TEST(PythonLines, follow_ranges) {
  const std::vector<uint8_t> bytes =
      bytes_of("0a010c0104010601020102ff06ff02ff1cff02050601020106ff0403");
  const LineTable table = table_of(bytes);
  EXPECT_EQ(line_by_ranges(table, 0), 2u);
  EXPECT_EQ(line_by_ranges(table, 10), 3u);
  EXPECT_EQ(line_by_ranges(table, 32), 6u);
  EXPECT_EQ(line_by_ranges(table, 40), 4u);
  EXPECT_EQ(line_by_ranges(table, 90), 11u);
  EXPECT_EQ(line_by_ranges(table, 92), 0u);
}

TEST(PythonLines, follow_steps) {
  const std::vector<uint8_t> bytes = bytes_of("00010a010c010401060102ff02ff10030201060102ff0a03");
  const LineTable table = table_of(bytes);
  EXPECT_EQ(line_by_steps(table, 0), 2u);
  EXPECT_EQ(line_by_steps(table, 9), 2u);
  EXPECT_EQ(line_by_steps(table, 10), 3u);
  EXPECT_EQ(line_by_steps(table, 32), 6u);
  EXPECT_EQ(line_by_steps(table, 36), 4u);
  EXPECT_EQ(line_by_steps(table, 77), 11u);
}

TEST(PythonLines, are_unknown_without_a_table) {
  EXPECT_EQ(line_by_locations({nullptr, 0, 7}, 0), 0u);
  EXPECT_EQ(line_by_ranges({nullptr, 0, 7}, 0), 0u);
  EXPECT_EQ(line_by_steps({nullptr, 0, 7}, 0), 7u) << "an empty table has one line";
}

TEST(PythonLines, never_read_beyond_a_damaged_table) {
  // Under a sanitizer this fails if they do: each cut has memory of its own.
  for (size_t size = 0; size < python311().size(); ++size) {
    for (int changed = 0; changed < 256; changed += 51) {
      std::vector<uint8_t> cut(python311().begin(),
                               python311().begin() + static_cast<std::ptrdiff_t>(size));
      if (!cut.empty()) cut.back() = static_cast<uint8_t>(changed);
      cut.shrink_to_fit();
      for (const uint32_t offset : {0u, 100u, 1u << 30}) {
        EXPECT_LE(line_by_locations(table_of(cut), offset), uint32_t{INT32_MAX});
        EXPECT_LE(line_by_ranges(table_of(cut), offset), uint32_t{INT32_MAX});
        EXPECT_LE(line_by_steps(table_of(cut), offset), uint32_t{INT32_MAX});
      }
    }
  }
}

}  // namespace
}  // namespace everycrash::preload
