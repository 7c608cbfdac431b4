// How a crash point names an operation, so that it means the same in every run:
// "rename(state.json)".
//
// What differs from run to run is taken out of the path (path_pattern.h). The preload library names
// operations while they happen, the tool when it reads a trace; both use this header, which is
// therefore free of the C++ library and of allocation.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "harness/trace/kind_traits.h"
#include "harness/trace/path_pattern.h"

namespace everycrash::point {

/// The word for an operation in the name of a crash point; "" for kinds that are no points.
inline const char* word_of(format::Kind kind) {
  const KindTraits traits = traits_of(kind);
  return traits.has(kIsPoint) ? traits.word : "";
}

/// The name of an operation, "rename(state.json)", without its occurrence.
template <typename IsProcess>
size_t name_point(format::Kind kind, const char* path, size_t size, IsProcess is_process, char* out,
                  size_t capacity) {
  size_t used = 0;
  for (const char* word = word_of(kind); *word != 0 && used < capacity; ++word) out[used++] = *word;
  if (used < capacity) out[used++] = '(';
  used += stable_path(path, size, is_process, out + used, capacity - used);
  if (used < capacity) out[used++] = ')';
  return used;
}

}  // namespace everycrash::point
