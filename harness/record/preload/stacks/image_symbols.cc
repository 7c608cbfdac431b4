#include "harness/record/preload/stacks/image_symbols.h"

#include <link.h>

namespace everycrash::preload {

namespace {

// The loader has put addresses in place of the offsets of most images, but not of the vdso.
const void* address_in(const Image& image, uint64_t value) {
  const auto base = reinterpret_cast<uint64_t>(image.base);
  return reinterpret_cast<const void*>(value < base ? base + value : value);
}

Image read_tables(const link_map& map) {
  Image image;
  image.base = reinterpret_cast<const char*>(map.l_addr);
  for (const Elf64_Dyn* entry = map.l_ld; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    const void* address = address_in(image, entry->d_un.d_ptr);
    if (entry->d_tag == DT_SYMTAB) image.symbols = static_cast<const Elf64_Sym*>(address);
    if (entry->d_tag == DT_STRTAB) image.strings = static_cast<const char*>(address);
    if (entry->d_tag == DT_GNU_HASH) image.hash = static_cast<const uint32_t*>(address);
  }
  return image;
}

uint32_t gnu_hash(Text name) {
  uint32_t hash = 5381;
  for (size_t i = 0; i < name.size; ++i) hash = hash * 33 + static_cast<uint8_t>(name.data[i]);
  return hash;
}

}  // namespace

void visit_images(bool (*use)(Text path, const Image& image)) {
  for (const link_map* map = _r_debug.r_map; map != nullptr; map = map->l_next) {
    const Image image = read_tables(*map);
    if (image.symbols == nullptr || image.strings == nullptr || image.hash == nullptr) continue;
    const bool is_program = map == _r_debug.r_map;
    if (use(is_program || map->l_name == nullptr ? Text{} : text_of(map->l_name), image)) return;
  }
}

// The layout is that of https://flapenguin.me/elf-dt-gnu-hash: four counts, a Bloom filter, a first
// symbol for each bucket, and the hash of each symbol with its low bit set on the last of a bucket.
uint64_t find_symbol(const Image& image, const char* name) {
  const Text wanted = text_of(name);
  const uint32_t hash = gnu_hash(wanted);
  const uint32_t bucket_count = image.hash[0];
  const uint32_t first_hashed = image.hash[1];
  const uint32_t bloom_words = image.hash[2];
  const uint32_t* buckets = image.hash + 4 + bloom_words * 2;
  const uint32_t* hashes = buckets + bucket_count;
  if (bucket_count == 0) return 0;
  uint32_t index = buckets[hash % bucket_count];
  if (index < first_hashed) return 0;
  for (;; ++index) {
    const uint32_t known = hashes[index - first_hashed];
    const Elf64_Sym& symbol = image.symbols[index];
    if ((known | 1) == (hash | 1) && symbol.st_shndx != SHN_UNDEF &&
        equal(text_of(image.strings + symbol.st_name), wanted)) {
      return reinterpret_cast<uint64_t>(image.base) + symbol.st_value;
    }
    if ((known & 1) != 0) return 0;
  }
}

}  // namespace everycrash::preload
