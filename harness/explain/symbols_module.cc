#include "harness/explain/symbols_module.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>

#include <algorithm>
#include <cstdlib>

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

bool is_function(int tag) {
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

bool is_code(int tag) {
  return is_function(tag) || tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
         tag == DW_TAG_catch_block;
}

bool may_hold_functions(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
         tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/// Appends the functions below DIE that hold ADDRESS, outermost first. dwarf_getscopes() would do,
/// but gives up at the first entry whose range it cannot read, and clang writes such.
bool find_functions(Dwarf_Die& die, Dwarf_Addr address, int depth, std::vector<Dwarf_Die>& found) {
  constexpr int kDepthMax = 200;
  Dwarf_Die child;
  if (depth > kDepthMax || dwarf_child(&die, &child) != 0) return false;
  do {
    const int tag = dwarf_tag(&child);
    if (is_code(tag) && dwarf_haspc(&child, address) > 0) {
      if (is_function(tag)) found.push_back(child);
      find_functions(child, address, depth + 1, found);
      return true;
    }
    if (may_hold_functions(tag) && find_functions(child, address, depth + 1, found)) return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

std::string text_of(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Attribute storage;
  const char* text = dwarf_formstring(dwarf_attr_integrate(&die, attribute, &storage));
  return text == nullptr ? "" : text;
}

std::string name_of_function(Dwarf_Die& die) {
  std::string name = text_of(die, DW_AT_linkage_name);
  if (name.empty()) name = text_of(die, DW_AT_MIPS_linkage_name);
  // Rust's newer mangling, which nothing here can read.
  const bool unreadable = name.starts_with("_R");
  return name.empty() || unreadable ? text_of(die, DW_AT_name) : name;
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

bool DebugModule::find_address(uint64_t file_offset, uint64_t& address) const {
  GElf_Addr bias = 0;
  Elf* elf = dwfl_module_getelf(module_, &bias);
  size_t headers = 0;
  if (elf == nullptr || elf_getphdrnum(elf, &headers) != 0) return false;
  for (size_t i = 0; i < headers; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) continue;
    if (header.p_type == PT_LOAD && file_offset >= header.p_offset &&
        file_offset < header.p_offset + header.p_filesz) {
      address = file_offset - header.p_offset + header.p_vaddr;
      return true;
    }
  }
  return false;
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
  if (Dwarf_Die* found = dwfl_module_addrdie(module_, address, &bias); found != nullptr) {
    // In a gap between two units, libdwfl gives the first of them. Another may be in the gap: where
    // only some compilers of a program's parts have written the table.
    unit = *found;
    if (dwarf_haspc(found, address - bias) != 0) return true;
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

std::vector<SourcePlace> DebugModule::name_of(uint64_t address) const {
  GElf_Addr module_bias = 0;
  dwfl_module_getelf(module_, &module_bias);
  return {{symbol_at(address + module_bias), "", 0, 0}};
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
  Dwarf_Die described = unit_with_functions(unit);
  std::vector<Dwarf_Die> functions;
  find_functions(described, address - bias, 0, functions);
  for (auto function = functions.rbegin(); function != functions.rend(); ++function) {
    place.function = name_of_function(*function);
    places.push_back(place);
    if (dwarf_tag(&*function) == DW_TAG_subprogram) break;
    place = place_of_call(*function, described);
  }
  // The symbol is the better name where the debug information has none (assembler, some compilers'
  // clones).
  if (places.empty()) places.push_back(place);
  if (places.back().function.empty()) places.back().function = symbol_at(address);
  return places;
}

}  // namespace everycrash
