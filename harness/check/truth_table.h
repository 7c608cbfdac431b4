// A rule as a truth table: rows of conditions, of which the first that fits decides.
//
//   constexpr TruthRow<Fact, bool> kForgives[] = {
//       {.holds = {Fact::kIgnored}, .then = true},
//       {.holds = {Fact::kNew}, .lacks = {Fact::kAsked}, .then = true},
//       {.then = false},
//   };
//   static_assert(is_sound(kForgives));
//
// A fact is a value of an enumeration of at most 32 that begins at 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace everycrash {

/// The facts that hold. A value.
template <typename Fact>
class Facts {
 public:
  constexpr Facts() = default;
  constexpr Facts(std::initializer_list<Fact> facts) {
    for (const Fact fact : facts) set(fact);
  }
  constexpr Facts& set(Fact fact, bool holds = true) {
    const uint32_t bit = uint32_t{1} << static_cast<unsigned>(fact);
    bits_ = holds ? bits_ | bit : bits_ & ~bit;
    return *this;
  }
  [[nodiscard]] constexpr Facts with(Facts more) const { return Facts(bits_ | more.bits_); }
  [[nodiscard]] constexpr Facts without(Facts others) const { return Facts(bits_ & ~others.bits_); }
  [[nodiscard]] constexpr bool contains_all_of(Facts other) const {
    return (bits_ & other.bits_) == other.bits_;
  }
  [[nodiscard]] constexpr bool contains_any_of(Facts other) const {
    return (bits_ & other.bits_) != 0;
  }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }

 private:
  constexpr explicit Facts(uint32_t bits) : bits_(bits) {}

  uint32_t bits_ = 0;
};

template <typename Fact, typename Outcome>
struct TruthRow {
  Facts<Fact> holds;  ///< all of them
  Facts<Fact> lacks;  ///< none of them holds
  Outcome then;

  [[nodiscard]] constexpr bool fits(Facts<Fact> facts) const {
    return facts.contains_all_of(holds) && !facts.contains_any_of(lacks);
  }
};

/// The position of the row of TABLE, an array or a span of rows, that decides where FACTS hold.
template <typename Table, typename Fact>
constexpr size_t deciding_row(const Table& table, Facts<Fact> facts) {
  size_t row = 0;
  while (row + 1 < std::size(table) && !table[row].fits(facts)) ++row;
  return row;
}

/// What is the case where FACTS hold.
template <typename Table, typename Fact>
constexpr auto decide(const Table& table, Facts<Fact> facts) {
  return table[deciding_row(table, facts)].then;
}

/// True if the last row fits whatever the facts are, so that one always decides, and none before it
/// does, or contradicts itself.
template <typename Table>
constexpr bool is_sound(const Table& table) {
  for (size_t row = 0; row < std::size(table); ++row) {
    const bool is_last = row + 1 == std::size(table);
    const bool fits_all = table[row].holds.empty() && table[row].lacks.empty();
    if (fits_all != is_last || table[row].holds.contains_any_of(table[row].lacks)) return false;
  }
  return true;
}

}  // namespace everycrash
