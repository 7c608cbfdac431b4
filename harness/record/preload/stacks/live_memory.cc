#include "harness/record/preload/stacks/live_memory.h"

#include "harness/record/preload/core/caches.h"
#include "harness/record/preload/core/user_memory.h"

namespace everycrash::preload {

namespace {

constexpr uint64_t kPageBits = 12;
constexpr size_t kPages = 1024;
uint64_t readable[kPages];  // page numbers, each at its place

bool is_readable(uint64_t page) {
  uint64_t& known = readable[page % kPages];
  if (known == page) return true;
  char probe = 0;
  if (page == 0 ||
      !copy_from_user(&probe, reinterpret_cast<const void*>(page << kPageBits), sizeof probe)) {
    return false;
  }
  known = page;
  return true;
}

}  // namespace

void forget_live_memory() {
  for (uint64_t& page : readable) page = 0;
}

bool read_live_memory(void* to, uint64_t from, size_t size) {
  if (size == 0) return true;
  if (from + size < from) return false;
  const uint64_t last = (from + size - 1) >> kPageBits;
  for (uint64_t page = from >> kPageBits; page <= last; ++page) {
    if (!is_readable(page)) return false;
  }
  memcpy(to, reinterpret_cast<const void*>(from), size);
  return true;
}

}  // namespace everycrash::preload
