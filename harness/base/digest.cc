#include "harness/base/digest.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace everycrash {

Digest& Digest::operator+=(const Digest& other) {
  low += other.low;
  high += other.high + (low < other.low ? 1 : 0);
  return *this;
}

Digest& Digest::operator-=(const Digest& other) {
  const uint64_t before = low;
  low -= other.low;
  high -= other.high + (low > before ? 1 : 0);
  return *this;
}

std::string Digest::hex() const {
  return fmt::format("{:016x}{:016x}", high, low);
}

Digest digest_of(std::string_view bytes, uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return {hash.low64, hash.high64};
}

std::string short_id_of(std::string_view bytes) {
  constexpr size_t kDigits = 12;
  return digest_of(bytes).hex().substr(0, kDigits);
}

Digest digest_of_words(std::span<const uint64_t> words, uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(words.data(), words.size_bytes(), seed);
  return {hash.low64, hash.high64};
}

}  // namespace everycrash
