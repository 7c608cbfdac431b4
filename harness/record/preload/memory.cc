// Our own memory functions: those of the process may belong to a sanitizer or to the program, and
// may not be ready when the first caught call comes.

#include <stddef.h>

extern "C" {

__attribute__((visibility("hidden"))) void* memcpy(void* __restrict to, const void* __restrict from,
                                                   size_t size) {
  void* result = to;
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
  return result;
}

__attribute__((visibility("hidden"))) void* memmove(void* to, const void* from, size_t size) {
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  if (target <= source || target >= source + size) return memcpy(to, from, size);
  while (size > 0) {
    --size;
    static_cast<volatile char*>(target)[size] = source[size];
  }
  return to;
}

__attribute__((visibility("hidden"))) void* memset(void* to, int value, size_t size) {
  void* result = to;
  asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
  return result;
}

__attribute__((visibility("hidden"))) int memcmp(const void* a, const void* b, size_t size) {
  const auto* left = static_cast<const volatile unsigned char*>(a);
  const auto* right = static_cast<const volatile unsigned char*>(b);
  for (size_t i = 0; i < size; ++i) {
    if (left[i] != right[i]) return left[i] - right[i];
  }
  return 0;
}

__attribute__((visibility("hidden"))) size_t strlen(const char* string) {
  const volatile char* end = string;
  while (*end != 0) ++end;
  return static_cast<size_t>(end - string);
}

}  // extern "C"
