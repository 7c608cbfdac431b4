// Looking up what a program or library that is loaded exports, without the loader's functions: they
// allocate, and take locks.
#pragma once

#include <elf.h>
#include <stdint.h>

#include "harness/record/preload/core/text.h"

namespace everycrash::preload {

/// Tables of one loaded image; they belong to the loader and live as long as the image.
struct Image {
  const char* base = nullptr;  ///< address minus virtual address
  const Elf64_Sym* symbols = nullptr;
  const char* strings = nullptr;
  const uint32_t* hash = nullptr;  ///< DT_GNU_HASH
};

/// Calls USE with the path ("" for the program itself) and the tables of each image that is loaded
/// now, the program first, until it returns true. Only while nothing can be loaded or unloaded.
void visit_images(bool (*use)(Text path, const Image& image));

/// Address of the variable or function NAME that IMAGE defines, or 0.
uint64_t find_symbol(const Image& image, const char* name);

}  // namespace everycrash::preload
