// From recorded call stacks to functions and source lines, after the fact: return addresses and
// the text of /proc/PID/maps in, names out. The program need not run any more; its files are read
// where the mappings say they were.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/trace/script.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// One function on a call stack. An inlined function has a frame of its own, so one address can
/// give several. What is unknown is empty or 0.
///
/// Or one function of a script that was being executed, in its own language: such a frame has no
/// module, and no function where it is a file's own code.
struct Frame {
  std::string function;  ///< demangled, without parameters: "Store::save"
  std::string module;    ///< path of the program or library; "[vdso]", "" for generated code
  std::string source_file;
  uint32_t line = 0;
  uint32_t column = 0;
  /// Address of the call inside the module as its ELF headers number it, what addr2line takes; the
  /// address itself where there is no module.
  uint64_t module_offset = 0;
  ScriptLanguage language = ScriptLanguage::kNone;
  std::string program;  ///< in a script: the program that it had run there, if that made the call
  std::string command;  ///< the command line, where there is no source line to name
};

class DebugModule;

/// Looks addresses up and keeps what it found, modules as well as answers. For one thread at a
/// time. Owns the mappings of the files it has read. Never fails: a file that is missing, stripped
/// or no ELF at all gives frames with less in them.
class Symboliser {
 public:
  Symboliser();
  ~Symboliser();
  Symboliser(const Symboliser&) = delete;
  Symboliser& operator=(const Symboliser&) = delete;

  /// Frames of the kStack record with that sequence number, innermost first; empty for 0.
  std::vector<Frame> stack(const Trace& trace, uint64_t sequence);

  /// The same for ADDRESSES, return addresses innermost first, each looked up one byte before, so
  /// in the call and not behind it. (An address of the system call itself lies behind its
  /// instruction too.) MAPPINGS are lines of /proc/PID/maps, those of executable segments at least.
  std::vector<Frame> frames(std::span<const uint64_t> addresses, std::string_view mappings);

 private:
  struct Mapping {
    uint64_t start = 0, end = 0;  ///< addresses
    uint64_t file_offset = 0;
    std::string path;
    bool deleted = false;  ///< what has this path now, if anything, is another file
  };

  const std::vector<Mapping>& parse(std::string_view mappings);
  DebugModule* module_of(const std::string& path);
  const std::vector<Frame>& look_up(const Mapping& mapping, uint64_t address);

  std::unordered_map<std::string, std::vector<Mapping>> mappings_;
  std::map<std::string, std::unique_ptr<DebugModule>> modules_;
  std::map<std::pair<std::string, uint64_t>, std::vector<Frame>> found_;
};

/// True for the C and C++ run-time libraries, the loader, the vdso and the recorder: never where a
/// reader wants to look first.
[[nodiscard]] bool is_runtime_module(std::string_view path);

/// True for a file of a script language's own library: not where a reader wants to look first.
[[nodiscard]] bool is_script_library(std::string_view file);

/// Position of the frame to show first: the innermost one of a script, outside the language's own
/// library if there is one; else the innermost one of the user's own source; else that of the
/// script that had the program run; else the innermost outside the run-time libraries that is no
/// inlined part of a system header, else the innermost outside the run-time libraries, else 0.
[[nodiscard]] size_t user_frame(std::span<const Frame> frames);

/// "Store::save at src/store.cc:36", "Store::save in app+0x1339", "app+0x1339".
[[nodiscard]] std::string describe(const Frame& frame);

/// MANGLED as a person says it: demangled (C++, Rust), without parameters and return type.
[[nodiscard]] std::string readable_name(std::string_view mangled);

}  // namespace everycrash
