// Our own memory functions: those of the process may belong to a sanitizer or to the program, and
// may not be ready when the first caught call comes.

#include <stddef.h>

namespace {

// A word that may lie anywhere and may alias anything.
using Word __attribute__((may_alias, aligned(1))) = unsigned long;

constexpr size_t kWord = sizeof(Word);
constexpr size_t kShort = 256;  // below, starting the string instruction costs more than a loop

}  // namespace

extern "C" {

__attribute__((visibility("hidden"))) void* memcpy(void* __restrict to, const void* __restrict from,
                                                   size_t size) {
  void* result = to;
  if (size >= kShort) {
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
    return result;
  }
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  for (; size >= kWord; size -= kWord, target += kWord, source += kWord) {
    *reinterpret_cast<Word*>(target) = *reinterpret_cast<const Word*>(source);
  }
  for (; size > 0; --size) *target++ = *source++;
  return result;
}

__attribute__((visibility("hidden"))) void* memmove(void* to, const void* from, size_t size) {
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  if (target <= source) {
    for (size_t i = 0; i < size; ++i) target[i] = source[i];
  } else {
    while (size > 0) {
      --size;
      target[size] = source[size];
    }
  }
  return to;
}

__attribute__((visibility("hidden"))) void* memset(void* to, int value, size_t size) {
  void* result = to;
  if (size >= kShort) {
    asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
    return result;
  }
  auto* target = static_cast<char*>(to);
  for (; size > 0; --size) *target++ = static_cast<char>(value);
  return result;
}

__attribute__((visibility("hidden"))) int memcmp(const void* a, const void* b, size_t size) {
  const auto* left = static_cast<const unsigned char*>(a);
  const auto* right = static_cast<const unsigned char*>(b);
  for (size_t i = 0; i < size; ++i) {
    if (left[i] != right[i]) return left[i] - right[i];
  }
  return 0;
}

__attribute__((visibility("hidden"))) size_t strlen(const char* string) {
  const char* end = string;
  while (*end != 0) ++end;
  return static_cast<size_t>(end - string);
}

}  // extern "C"
