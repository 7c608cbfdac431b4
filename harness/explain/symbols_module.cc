#include "harness/explain/symbols_module.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>

#include <algorithm>
#include <cstdlib>
#include <span>

namespace everycrash {
namespace {

/// As libdwfl's own, but never asks a server: with DEBUGINFOD_URLS set, libdwfl would download.
int find_local_debug_file(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base,
                          const char* file, const char* link, GElf_Word checksum, char** found) {
  const char* servers = std::getenv("DEBUGINFOD_URLS");
  if (servers != nullptr && *servers != '\0') {
    return dwfl_build_id_find_debuginfo(module, data, name, base, file, link, checksum, found);
  }
  return dwfl_standard_find_debuginfo(module, data, name, base, file, link, checksum, found);
}

const Dwfl_Callbacks kCallbacks = {.find_elf = dwfl_build_id_find_elf,
                                   .find_debuginfo = find_local_debug_file,
                                   .section_address = dwfl_offline_section_address,
                                   .debuginfo_path = nullptr};

/// The scopes around a place, innermost first; frees the array that libdw allocates.
class Scopes {
 public:
  Scopes(Dwarf_Die* unit, Dwarf_Addr address) {
    Dwarf_Die* nearest = nullptr;
    if (dwarf_getscopes(unit, address, &nearest) > 0) {
      // From an inlined function on, those are the scopes of its text; the scopes of its copy,
      // which tell where it was inlined, are found from the innermost one.
      Dwarf_Die innermost = nearest[0];
      count_ = dwarf_getscopes_die(&innermost, &scopes_);
    }
    std::free(nearest);
  }
  ~Scopes() { std::free(scopes_); }
  Scopes(const Scopes&) = delete;
  Scopes& operator=(const Scopes&) = delete;

  [[nodiscard]] std::span<Dwarf_Die> all() const {
    return {scopes_, count_ > 0 ? static_cast<size_t>(count_) : 0};
  }

 private:
  Dwarf_Die* scopes_ = nullptr;
  int count_ = 0;
};

std::string text_of(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Attribute storage;
  const char* text = dwarf_formstring(dwarf_attr_integrate(&die, attribute, &storage));
  return text == nullptr ? "" : text;
}

std::string name_of_function(Dwarf_Die& die) {
  std::string name = text_of(die, DW_AT_linkage_name);
  if (name.empty()) name = text_of(die, DW_AT_MIPS_linkage_name);
  return name.empty() ? text_of(die, DW_AT_name) : name;
}

uint32_t number_of(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Attribute storage;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(&die, attribute, &storage), &value) != 0) return 0;
  return static_cast<uint32_t>(value);
}

/// Where the inlined function DIE was called.
SourcePlace place_of_call(Dwarf_Die& die, Dwarf_Die& unit) {
  SourcePlace place;
  place.line = number_of(die, DW_AT_call_line);
  place.column = number_of(die, DW_AT_call_column);
  Dwarf_Files* files = nullptr;
  if (dwarf_getsrcfiles(&unit, &files, nullptr) == 0) {
    const char* file = dwarf_filesrc(files, number_of(die, DW_AT_call_file), nullptr, nullptr);
    if (file != nullptr) place.file = file;
  }
  return place;
}

SourcePlace place_of_line(Dwarf_Die& unit, Dwarf_Addr address) {
  SourcePlace place;
  Dwarf_Line* line = dwarf_getsrc_die(&unit, address);
  if (line == nullptr) return place;
  int number = 0;
  int column = 0;
  if (dwarf_lineno(line, &number) == 0) place.line = static_cast<uint32_t>(number);
  if (dwarf_linecol(line, &column) == 0) place.column = static_cast<uint32_t>(column);
  const char* file = dwarf_linesrc(line, nullptr, nullptr);
  if (file != nullptr) place.file = file;
  return place;
}

/// With -gsplit-dwarf the functions are described in another file; this is their unit there.
Dwarf_Die unit_with_functions(const Dwarf_Die& unit) {
  uint8_t kind = 0;
  Dwarf_Die split{};
  if (dwarf_cu_info(unit.cu, nullptr, &kind, nullptr, &split, nullptr, nullptr, nullptr) == 0 &&
      kind == DW_UT_skeleton && split.addr != nullptr) {
    return split;
  }
  return unit;
}

}  // namespace

std::unique_ptr<DebugModule> DebugModule::open(const std::filesystem::path& file) {
  std::unique_ptr<Dwfl, CloseDwfl> dwfl(dwfl_begin(&kCallbacks));
  if (!dwfl) return nullptr;
  dwfl_report_begin(dwfl.get());
  Dwfl_Module* module =
      dwfl_report_elf(dwfl.get(), file.filename().c_str(), file.c_str(), -1, 0, true);
  dwfl_report_end(dwfl.get(), nullptr, nullptr);
  if (module == nullptr) return nullptr;
  return std::unique_ptr<DebugModule>(new DebugModule(std::move(dwfl), module));
}

std::optional<uint64_t> DebugModule::address_of(uint64_t file_offset) const {
  GElf_Addr bias = 0;
  Elf* elf = dwfl_module_getelf(module_, &bias);
  size_t headers = 0;
  if (elf == nullptr || elf_getphdrnum(elf, &headers) != 0) return std::nullopt;
  for (size_t i = 0; i < headers; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) continue;
    if (header.p_type == PT_LOAD && file_offset >= header.p_offset &&
        file_offset < header.p_offset + header.p_filesz) {
      return file_offset - header.p_offset + header.p_vaddr;
    }
  }
  return std::nullopt;
}

void DebugModule::index_units() {
  indexed_ = true;
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module_, unit, &bias)) != nullptr;) {
    Dwarf_Addr base = 0;
    Dwarf_Addr low = 0;
    Dwarf_Addr high = 0;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &low, &high)) > 0;) {
      if (low < high) units_.push_back({low + bias, high + bias, *unit});
    }
  }
  std::sort(units_.begin(), units_.end(),
            [](const Unit& a, const Unit& b) { return a.low < b.low; });
}

bool DebugModule::find_unit(uint64_t address, Dwarf_Die& unit, Dwarf_Addr& bias) {
  if (dwfl_module_getdwarf(module_, &bias) == nullptr) return false;
  if (const Dwarf_Die* found = dwfl_module_addrdie(module_, address, &bias); found != nullptr) {
    unit = *found;
    return true;
  }
  if (!indexed_) index_units();
  const auto after =
      std::upper_bound(units_.begin(), units_.end(), address,
                       [](uint64_t value, const Unit& candidate) { return value < candidate.low; });
  if (after == units_.begin() || address >= std::prev(after)->high) return false;
  unit = std::prev(after)->die;
  return true;
}

std::string DebugModule::symbol_at(uint64_t address) const {
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name =
      dwfl_module_addrinfo(module_, address, &offset, &symbol, nullptr, nullptr, nullptr);
  return name == nullptr ? "" : name;
}

std::vector<SourcePlace> DebugModule::look_up(uint64_t address) {
  GElf_Addr module_bias = 0;
  dwfl_module_getelf(module_, &module_bias);
  address += module_bias;

  Dwarf_Die unit{};
  Dwarf_Addr bias = 0;
  if (!find_unit(address, unit, bias)) return {{symbol_at(address), "", 0, 0}};

  std::vector<SourcePlace> places;
  SourcePlace place = place_of_line(unit, address - bias);
  Dwarf_Die functions = unit_with_functions(unit);
  const Scopes scopes(&functions, address - bias);
  for (Dwarf_Die& scope : scopes.all()) {
    const int tag = dwarf_tag(&scope);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    place.function = name_of_function(scope);
    places.push_back(place);
    if (tag == DW_TAG_subprogram) break;
    place = place_of_call(scope, functions);
  }
  // The symbol is the better name where the debug information has none (assembler, some compilers'
  // clones).
  if (places.empty()) places.push_back(place);
  if (places.back().function.empty()) places.back().function = symbol_at(address);
  return places;
}

}  // namespace everycrash
