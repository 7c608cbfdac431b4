#include "harness/record/preload/core/clock.h"

#include <elf.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>

#include "harness/record/preload/core/raw_call.h"
#include "harness/record/preload/core/text.h"

namespace everycrash::preload {

namespace {

using ClockFunction = int (*)(clockid_t, timespec*);
constinit ClockFunction clock_function = nullptr;

const char* vdso_of(char** environment) {
  while (*environment != nullptr) ++environment;
  auto* entry = reinterpret_cast<Elf64_auxv_t*>(environment + 1);
  for (; entry->a_type != AT_NULL; ++entry) {
    if (entry->a_type == AT_SYSINFO_EHDR) return reinterpret_cast<const char*>(entry->a_un.a_val);
  }
  return nullptr;
}

// What is needed of a loaded image, as addresses.
struct Image {
  const char* base;  // address minus virtual address
  const Elf64_Sym* symbols = nullptr;
  const char* strings = nullptr;
  size_t symbol_count = 0;
};

void read_dynamic(const Elf64_Dyn* entry, Image& image) {
  for (; entry->d_tag != DT_NULL; ++entry) {
    const char* address = image.base + entry->d_un.d_ptr;
    if (entry->d_tag == DT_SYMTAB) image.symbols = reinterpret_cast<const Elf64_Sym*>(address);
    if (entry->d_tag == DT_STRTAB) image.strings = address;
    // The second word of the hash table is the number of symbols.
    if (entry->d_tag == DT_HASH) image.symbol_count = reinterpret_cast<const uint32_t*>(address)[1];
  }
}

}  // namespace

void find_clock(char** environment) {
  const char* vdso = vdso_of(environment);
  if (vdso == nullptr) return;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(vdso);
  const auto* segments = reinterpret_cast<const Elf64_Phdr*>(vdso + header->e_phoff);
  Image image = {vdso};
  const Elf64_Dyn* dynamic = nullptr;
  for (int i = 0; i < header->e_phnum; ++i) {
    if (segments[i].p_type == PT_LOAD)
      image.base = vdso + segments[i].p_offset - segments[i].p_vaddr;
    if (segments[i].p_type == PT_DYNAMIC) {
      dynamic = reinterpret_cast<const Elf64_Dyn*>(vdso + segments[i].p_offset);
    }
  }
  if (dynamic == nullptr) return;
  read_dynamic(dynamic, image);
  if (image.symbols == nullptr || image.strings == nullptr) return;
  for (size_t i = 0; i < image.symbol_count; ++i) {
    const Elf64_Sym& symbol = image.symbols[i];
    if (equal(text_of(image.strings + symbol.st_name), text_of("__vdso_clock_gettime"))) {
      clock_function =
          reinterpret_cast<ClockFunction>(const_cast<char*>(image.base + symbol.st_value));
    }
  }
}

int64_t now_ns() {
  timespec now = {};
  if (clock_function == nullptr || clock_function(CLOCK_REALTIME, &now) != 0) {
    raw_call(SYS_clock_gettime, CLOCK_REALTIME, to_long(&now));
  }
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

}  // namespace everycrash::preload
