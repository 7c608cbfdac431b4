// The symbols and debug information of one ELF file; internal to symbols.cc.
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace everycrash {

/// What is known of one address; functions are mangled, as the file has them.
struct SourcePlace {
  std::string function;
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
};

/// One opened file, with its separate debug file if this machine has it. Not thread-safe. Owns
/// everything it opened. Reads local files only: no debug information is fetched from anywhere.
class DebugModule {
 public:
  /// Nothing for a file that is missing or no ELF.
  static std::unique_ptr<DebugModule> open(const std::filesystem::path& file);

  /// The address, as the ELF headers number them, of a byte of the file. False outside of every
  /// loaded segment; ADDRESS stays as it was.
  [[nodiscard]] bool find_address(uint64_t file_offset, uint64_t& address) const;

  /// The function at ADDRESS and, if it was inlined, those it was inlined into; innermost first,
  /// never empty. Without debug information: one place with the symbol's name, or with nothing.
  std::vector<SourcePlace> look_up(uint64_t address);

  /// As look_up() without debug information, which costs little.
  [[nodiscard]] std::vector<SourcePlace> name_of(uint64_t address) const;

 private:
  struct CloseDwfl {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
  };
  struct Unit {
    uint64_t low = 0, high = 0;
    Dwarf_Die die{};
  };
  DebugModule(std::unique_ptr<Dwfl, CloseDwfl> dwfl, Dwfl_Module* module)
      : dwfl_(std::move(dwfl)), module_(module) {}
  bool find_unit(uint64_t address, Dwarf_Die& unit, Dwarf_Addr& bias);
  void index_units();
  [[nodiscard]] std::string symbol_at(uint64_t address) const;

  std::unique_ptr<Dwfl, CloseDwfl> dwfl_;
  Dwfl_Module* module_;  ///< owned by dwfl_
  bool indexed_ = false;
  std::vector<Unit> units_;  ///< where the file has no table of its own (clang, Rust); by address
};

}  // namespace everycrash
