// 128-bit content hashes (XXH3), which tell crash states apart. Not for security.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace everycrash {

/// A value; the same bytes give the same digest on every machine. Zero is "nothing hashed".
struct Digest {
  uint64_t low = 0;
  uint64_t high = 0;

  friend auto operator<=>(const Digest&, const Digest&) = default;

  /// A set of digests is their sum: order does not count, and a member is added or taken away in
  /// constant time, which is what makes the hash of a tree incremental.
  Digest& operator+=(const Digest& other);
  Digest& operator-=(const Digest& other);

  /// 32 lower-case hexadecimal digits.
  [[nodiscard]] std::string hex() const;
};

/// Hash of BYTES; SEED separates uses of the same bytes.
[[nodiscard]] Digest digest_of(std::string_view bytes, uint64_t seed = 0);

/// The first 12 digits of the hash of BYTES: short enough for people to call something by.
[[nodiscard]] std::string short_id_of(std::string_view bytes);

/// Hash of a few integers and digests as one fixed-size message: cheap, for inner loops.
[[nodiscard]] Digest digest_of_words(std::span<const uint64_t> words, uint64_t seed = 0);

}  // namespace everycrash

template <>
struct std::hash<everycrash::Digest> {
  size_t operator()(const everycrash::Digest& digest) const noexcept { return digest.low; }
};
