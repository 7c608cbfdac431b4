#include "harness/explain/symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unwind.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/base/folder_for_test.h"
#include "harness/trace/trace_writer.h"

namespace everycrash {

// Not in the unnamed namespace, and never inlined: the tests expect these names.
struct Walker {
  using Addresses = std::vector<uint64_t>;
  [[gnu::noinline]] static Addresses outer();
  [[gnu::always_inline]] static inline Addresses inlined();
  [[gnu::noinline]] static Addresses inner();
};
_Unwind_Reason_Code add_address(_Unwind_Context* context, void* addresses) {
  static_cast<Walker::Addresses*>(addresses)->push_back(_Unwind_GetIP(context));
  return _URC_NO_REASON;
}
// backtrace() would do, but the address sanitizer puts a frame of its own there.
constexpr uint32_t kInnerLine = __LINE__ + 3;
Walker::Addresses Walker::inner() {
  Addresses addresses;
  _Unwind_Backtrace(add_address, &addresses);
  return addresses;
}
constexpr uint32_t kInlinedLine = __LINE__ + 2;
Walker::Addresses Walker::inlined() {
  Addresses addresses = inner();
  addresses.push_back(0);
  return addresses;
}
constexpr uint32_t kOuterLine = __LINE__ + 2;
Walker::Addresses Walker::outer() {
  Addresses addresses = inlined();
  addresses.push_back(0);
  return addresses;
}

namespace {

std::string own_mappings() {
  std::ifstream in("/proc/self/maps");
  std::string text;
  for (std::string line; std::getline(in, line);) {
    if (line.find("r-xp") != std::string::npos) text += line + "\n";
  }
  return text;
}

std::string own_file() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

class Symbols : public testing::Test {
 protected:
  /// This process's mappings, with the test binary exchanged for FILE.
  static std::string mappings_with(const std::string& file) {
    std::string text = own_mappings();
    const std::string own = own_file();
    for (size_t at = 0; (at = text.find(own, at)) != std::string::npos; at += file.size()) {
      text.replace(at, own.size(), file);
    }
    return text;
  }

  /// A copy of the test binary, changed by TOOL, which takes INPUT and OUTPUT last.
  std::string changed_copy(const std::string& tool) {
    const std::string copy = (directory_ / "copy").string();
    const std::string command = tool + " '" + own_file() + "' '" + copy + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return copy;
  }

  static void expect_walker(const std::vector<Frame>& frames) {
    ASSERT_GE(frames.size(), 4u);
    EXPECT_EQ(frames[0].function, "everycrash::Walker::inner");
    EXPECT_EQ(frames[0].line, kInnerLine);
    EXPECT_EQ(frames[1].function, "everycrash::Walker::inlined");
    EXPECT_EQ(frames[1].line, kInlinedLine);
    EXPECT_EQ(frames[2].function, "everycrash::Walker::outer");
    EXPECT_EQ(frames[2].line, kOuterLine);
    for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(frames[i].source_file.ends_with("symbols_test.cc"));
  }

  FolderForTest directory_;
};

TEST_F(Symbols, names_function_and_line_of_a_recorded_stack) {
  const std::filesystem::path file = directory_ / "t.trace";
  const std::vector<uint64_t> addresses = Walker::outer();
  {
    Result<TraceWriter> writer = TraceWriter::create(file, 8 << 20, "/state", {1, 2});
    ASSERT_TRUE(writer);
    format::RecordHeader record{};
    record.kind = static_cast<uint16_t>(Kind::kMappings);
    const Result<uint64_t> mappings = writer->append(record, "", "", own_mappings());
    ASSERT_TRUE(mappings);
    record.kind = static_cast<uint16_t>(Kind::kStack);
    record.other_inode = *mappings;
    record.length = static_cast<int64_t>(addresses.size());
    const std::string_view bytes(reinterpret_cast<const char*>(addresses.data()),
                                 addresses.size() * sizeof addresses[0]);
    ASSERT_TRUE(writer->append(record, "", "", bytes));
    ASSERT_TRUE(writer->seal());
  }
  Result<Trace> trace = Trace::open(file);
  ASSERT_TRUE(trace) << trace.error().message;
  Symboliser symboliser;
  expect_walker(symboliser.stack(*trace, 2));
  EXPECT_TRUE(symboliser.stack(*trace, 0).empty());
  EXPECT_TRUE(symboliser.stack(*trace, 1).empty()) << "no stack";
}

TEST_F(Symbols, gives_the_same_from_memory) {
  Symboliser symboliser;
  const std::vector<uint64_t> addresses = Walker::outer();
  expect_walker(symboliser.frames(addresses, own_mappings()));
  expect_walker(symboliser.frames(addresses, own_mappings()));
}

// clang and Rust write no .debug_aranges.
TEST_F(Symbols, need_no_table_of_address_ranges) {
  const std::string copy = changed_copy(OBJCOPY " --remove-section .debug_aranges");
  Symboliser symboliser;
  expect_walker(symboliser.frames(Walker::outer(), mappings_with(copy)));
}

/// The set of a .debug_aranges section that begins at AT: its size, and whether it holds ADDRESS.
/// (DWARF 5, 6.1.2)
struct RangeSet {
  size_t size = 0;
  bool holds = false;
};
RangeSet range_set(std::string_view section, size_t at, uint64_t address) {
  uint32_t length = 0;
  std::memcpy(&length, section.data() + at, sizeof length);
  RangeSet set{length + sizeof length};
  constexpr size_t kHeader = 16;  // with what aligns the first pair
  for (size_t pair = at + kHeader; pair + 16 <= at + set.size; pair += 16) {
    uint64_t range[2];
    std::memcpy(range, section.data() + pair, sizeof range);
    set.holds = set.holds || address - range[0] < range[1];
  }
  return set;
}

// Go's linker takes over the table of C's objects, and has none for its own.
TEST_F(Symbols, need_no_entry_in_a_table_that_others_are_in) {
  Symboliser whole;
  const uint64_t address = whole.frames(Walker::outer(), own_mappings()).front().module_offset;
  const std::string table = (directory_ / "table").string();
  changed_copy(OBJCOPY
               " -O binary --set-section-flags .debug_aranges=alloc "
               "--only-section .debug_aranges");
  std::ifstream in(directory_ / "copy", std::ios::binary);
  const std::string section((std::istreambuf_iterator<char>(in)), {});
  std::string others;
  for (size_t at = 0; at + 16 <= section.size();) {
    const RangeSet set = range_set(section, at, address);
    if (!set.holds) others += section.substr(at, set.size);
    at += set.size;
  }
  ASSERT_LT(others.size(), section.size());
  ASSERT_FALSE(others.empty());
  std::ofstream(table, std::ios::binary) << others;
  const std::string copy = changed_copy(OBJCOPY " --update-section .debug_aranges='" + table + "'");
  Symboliser symboliser;
  expect_walker(symboliser.frames(Walker::outer(), mappings_with(copy)));
}

TEST_F(Symbols, find_a_separate_debug_file) {
  const std::string debug = (directory_ / "copy.debug").string();
  const std::string extract = OBJCOPY " --only-keep-debug '" + own_file() + "' '" + debug + "'";
  ASSERT_EQ(std::system(extract.c_str()), 0);
  const std::string copy =
      changed_copy(OBJCOPY " --strip-debug --add-gnu-debuglink='" + debug + "'");
  Symboliser symboliser;
  expect_walker(symboliser.frames(Walker::outer(), mappings_with(copy)));
}

TEST_F(Symbols, of_a_binary_without_debug_information_are_names_alone) {
  const std::string copy = changed_copy(OBJCOPY " --strip-debug");
  Symboliser symboliser;
  const std::vector<Frame> frames = symboliser.frames(Walker::outer(), mappings_with(copy));
  ASSERT_GE(frames.size(), 2u);
  EXPECT_EQ(frames[0].function, "everycrash::Walker::inner");
  EXPECT_EQ(frames[0].source_file, "");
  EXPECT_EQ(frames[1].function, "everycrash::Walker::outer") << "inlining is not known";
}

TEST_F(Symbols, of_a_stripped_binary_are_places_in_it) {
  const std::string copy = changed_copy(OBJCOPY " --strip-all");
  Symboliser symboliser;
  const std::vector<Frame> whole = symboliser.frames(Walker::outer(), own_mappings());
  const std::vector<Frame> frames = symboliser.frames(Walker::outer(), mappings_with(copy));
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames[0].function, "");
  EXPECT_EQ(frames[0].module_offset, whole[0].module_offset);
  EXPECT_THAT(describe(frames[0]), testing::StartsWith("copy+0x"));
}

TEST_F(Symbols, of_a_library_come_from_its_exported_names_at_least) {
  Symboliser symboliser;
  const auto inside = reinterpret_cast<uint64_t>(&getenv) + 2;
  const std::vector<Frame> frames = symboliser.frames({&inside, 1}, own_mappings());
  ASSERT_FALSE(frames.empty());
  EXPECT_THAT(frames[0].module, testing::HasSubstr("libc"));
  EXPECT_EQ(frames.back().function, "getenv");
}

TEST_F(Symbols, of_a_missing_file_are_places_in_it) {
  Symboliser symboliser;
  const uint64_t address = 0x401235;
  for (const std::string path : {"/no/such/program", "/etc/hostname", "/tmp"}) {
    const std::string mappings = "00401000-00402000 r-xp 00001000 08:01 7   " + path + "\n";
    const std::vector<Frame> frames = symboliser.frames({&address, 1}, mappings);
    ASSERT_EQ(frames.size(), 1u);
    EXPECT_EQ(frames[0].module, path);
    EXPECT_EQ(frames[0].module_offset, 0x1234u);
    EXPECT_EQ(frames[0].function, "");
  }
}

TEST_F(Symbols, are_not_taken_from_a_file_that_took_the_place_of_the_mapped_one) {
  std::string mappings = mappings_with(own_file() + " (deleted)");
  Symboliser symboliser;
  const std::vector<Frame> frames = symboliser.frames(Walker::outer(), mappings);
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames[0].module, own_file());
  EXPECT_EQ(frames[0].function, "");
}

TEST_F(Symbols, survive_addresses_and_mappings_that_make_no_sense) {
  Symboliser symboliser;
  const std::vector<uint64_t> addresses = {0, 1, 0x1500, UINT64_MAX};
  const std::vector<Frame> frames = symboliser.frames(
      addresses,
      "garbage\n\nzz-yy r-xp 0 0 0 /x\n1000-2000 r-xp 00000000 00:00 0\n9-1 r-xp 0 0 0 /x");
  ASSERT_EQ(frames.size(), 3u);
  for (const Frame& frame : frames) EXPECT_EQ(frame.module, "");
  EXPECT_EQ(describe(frames[1]), "generated code at 0x14ff");
}

Frame frame_in(const char* module, const char* file = "") {
  Frame frame;
  frame.module = module;
  frame.source_file = file;
  frame.line = *file == '\0' ? 0 : 7;
  return frame;
}

TEST(UserFrame, lies_outside_of_the_runtime_libraries) {
  const std::vector<Frame> frames = {frame_in("/lib/x86_64-linux-gnu/libc.so.6", "io/write.c"),
                                     frame_in("/usr/lib/libeverycrash_preload.so", "preload.cc"),
                                     frame_in("/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30"),
                                     frame_in("/usr/bin/python3.11")};
  EXPECT_EQ(user_frame(frames), 3u);
}

TEST(UserFrame, prefers_source_of_the_user_to_names_without) {
  const std::vector<Frame> frames = {frame_in("/lib/libc.so.6"), frame_in("/lib/libsqlite3.so.0"),
                                     frame_in("/home/u/app", "/usr/include/c++/12/fstream"),
                                     frame_in("/home/u/app", "/home/u/app.cc")};
  EXPECT_EQ(user_frame(frames), 3u);
  EXPECT_EQ(user_frame(std::span(frames).first(3)), 1u);
  EXPECT_EQ(user_frame(std::span(frames).first(1)), 0u);
  EXPECT_EQ(user_frame({}), 0u);
}

TEST(UserFrame, is_not_inside_the_marker_that_was_included) {
  const std::vector<Frame> frames = {
      frame_in("/home/u/app", "/usr/include/everycrash/everycrash.h"),
      frame_in("/home/u/app", "/home/u/app.cc")};
  EXPECT_EQ(user_frame(frames), 1u);
  const std::vector<Frame> own = {frame_in("/home/u/app", "../include/everycrash/everycrash.h"),
                                  frame_in("/home/u/app", "/home/u/app.cc")};
  EXPECT_EQ(user_frame(own), 1u);
}

TEST(UserFrame, is_not_inside_a_system_header) {
  const std::vector<Frame> frames = {frame_in("/home/u/app", "library/std/src/fs.rs"),
                                     frame_in("/home/u/app")};
  EXPECT_EQ(user_frame(frames), 1u);
  EXPECT_EQ(user_frame(std::span(frames).first(1)), 0u);
}

TEST(UserFrame, is_not_inside_the_library_of_ocaml) {
  const std::vector<Frame> frames = {frame_in("/home/u/app", "otherlibs/unix/unix.ml"),
                                     frame_in("/home/u/app", "stdlib/stdlib.ml"),
                                     frame_in("/home/u/app", "stdlib.ml"),
                                     frame_in("/home/u/app", "save.ml")};
  EXPECT_EQ(user_frame(frames), 3u);
}

TEST(UserFrame, is_not_inside_the_library_of_go) {
  for (const char* library :
       {"/usr/local/go/src/os/file_unix.go", "/home/u/sdk/go1.21.5/src/os/file.go",
        "/home/u/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.22.1/src/os/file.go",
        "internal/runtime/syscall/asm_linux_amd64.s", "<autogenerated>"}) {
    const std::vector<Frame> frames = {frame_in("/home/u/app", library),
                                       frame_in("/home/u/app", "/home/u/save.go")};
    EXPECT_EQ(user_frame(frames), 1u) << library;
  }
  for (const char* own : {"/home/u/go/src/example.org/os/save.go", "/srv/src/os/save.go",
                          "example.org/app/save.go", "app/save.go"}) {
    const std::vector<Frame> frames = {frame_in("/home/u/app", own),
                                       frame_in("/home/u/app", "/home/u/main.go")};
    EXPECT_EQ(user_frame(frames), 0u) << own;
  }
}

TEST(ReadableName, leaves_out_what_a_reader_does_not_need) {
  EXPECT_EQ(readable_name("main"), "main");
  EXPECT_EQ(readable_name("_ZN5Store4saveERKNSt7__cxx1112basic_stringIcEE"), "Store::save");
  EXPECT_EQ(readable_name("_ZNK5Store4sizeEv"), "Store::size");
  EXPECT_EQ(readable_name("_Z3putIiEvT_"), "put<int>");
  EXPECT_EQ(readable_name("_ZN12_GLOBAL__N_14saveEi"), "(anonymous namespace)::save");
  EXPECT_EQ(readable_name("_ZN5StoreclEi"), "Store::operator()");
  EXPECT_EQ(readable_name("_ZN3app4save17h0123456789abcdefE"), "app::save");
  EXPECT_EQ(readable_name("_Zgarbage"), "_Zgarbage");
  EXPECT_EQ(readable_name("__GI_rename"), "rename");
}

TEST(ReadableName, reads_what_ocaml_writes) {
  EXPECT_EQ(readable_name("camlSave__save_81"), "Save.save");
  EXPECT_EQ(readable_name("camlStdlib__Printf__fun_229"), "Stdlib.Printf.fun");
  EXPECT_EQ(readable_name("caml_alloc"), "caml_alloc");
}

TEST(ReadableName, keeps_the_function_around_a_lambda) {
  EXPECT_EQ(readable_name("_ZZ4mainENKUlvE_clEv"), "main::{lambda#1}::operator()");
  EXPECT_EQ(readable_name("_ZZN5Store4saveEiENKUliE0_clEi"), "Store::save::{lambda#2}::operator()");
}

TEST(ReadableName, leaves_out_long_template_arguments) {
  EXPECT_EQ(
      readable_name("_Z3putISt3mapINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEiSt4lessI"
                    "S5_ESaISt4pairIKS5_iEEEEvRT_"),
      "put<...>");
}

TEST(ReadableName, leaves_out_what_compilers_append) {
  EXPECT_EQ(readable_name("save.constprop.0"), "save");
  EXPECT_EQ(readable_name("_ZN5Store4saveEi.part.0.cold"), "Store::save");
}

TEST(ReadableName, reads_what_rust_writes_in_dollars) {
  EXPECT_EQ(readable_name("_ZN3app3run28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE.llvm.77"),
            "app::run::{{closure}}");
  EXPECT_EQ(
      readable_name("_ZN46_$LT$app..Store$u20$as$u20$core..ops..Drop$GT$4drop17h0123456789abcdefE"),
      "<app::Store as core::ops::Drop>::drop");
}

}  // namespace
}  // namespace everycrash
