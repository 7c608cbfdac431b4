// Where power can be lost, and what is undecided there.
//
// A state is legal at every crash point from its last operation up to the next sync whose guarantee
// it lacks. It is checked once, at the last of these points, since by then most was promised to the
// outside. So only the points right before such a sync returns matter, and the end of the trace;
// and the points before each effect, because effects tell states apart. At each of them there is a
// window of units that may or may not be on disk, above a floor of units that are.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "harness/base/digest.h"
#include "harness/model/unit_id.h"

namespace everycrash {

class Trace;
class UnitHistory;
struct Floor;

/// A place in the trace where states are enumerated.
struct Boundary {
  uint64_t record = 0;       ///< everything up to this record has happened
  uint32_t steps = 0;        ///< so many steps of the floor are guaranteed
  bool before_sync = false;  ///< states that hold all of the next step are legal later, too
  uint32_t promises = 0;     ///< prints so far
  Digest effects;            ///< of the effects so far, a sum
};

/// The boundaries of a trace in its order. With ALL_POINTS, one after every record that a crash
/// can tell apart.
[[nodiscard]] std::vector<Boundary> boundaries_of(const Trace& trace, const Floor& floor,
                                                  bool all_points);

inline constexpr uint32_t kNowhere = ~uint32_t{0};

/// The undecided units at one boundary, with their order, in numbers local to the window that grow
/// with the trace. Immutable. Refers to nothing.
class Window {
 public:
  /// UNITS must be sorted. FLOOR says which units are on disk for certain.
  Window(const UnitHistory& history, std::vector<UnitId> units, const std::vector<bool>& floor);

  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(units_.size()); }
  [[nodiscard]] UnitId unit(uint32_t local) const { return units_[local]; }
  [[nodiscard]] std::span<const UnitId> units() const { return units_; }
  /// The local number of a unit, kNowhere if it is not undecided here.
  [[nodiscard]] uint32_t local(UnitId unit) const;
  /// What must be kept for LOCAL to be kept; partners need each other.
  [[nodiscard]] std::span<const uint32_t> before(uint32_t local) const {
    return {before_.data() + before_begin_[local], before_.data() + before_begin_[local + 1]};
  }
  /// What must be lost when LOCAL is lost.
  [[nodiscard]] std::span<const uint32_t> after(uint32_t local) const {
    return {after_.data() + after_begin_[local], after_.data() + after_begin_[local + 1]};
  }
  /// The other half of an atomic step, if it is undecided too.
  [[nodiscard]] uint32_t partner(uint32_t local) const { return partners_[local]; }

  /// Which units are kept, by local number.
  using Kept = std::vector<uint8_t>;

  /// True if what LOCAL does cannot be seen, given what later units are kept.
  [[nodiscard]] bool is_hidden(uint32_t local, const Kept& kept) const {
    const Hiders& by = hiders_[local];
    const auto is_kept = [&kept](uint32_t unit) {
      return unit == kAlways || (unit != kNowhere && kept[unit] != 0);
    };
    if (is_kept(by.dropped)) return true;
    return by.needs_both ? is_kept(by.hidden) && is_kept(by.hidden_too)
                         : is_kept(by.hidden) || is_kept(by.hidden_too);
  }
  [[nodiscard]] uint64_t weight(uint32_t local) const { return weights_[local]; }
  /// Sum of the weights of what is kept and seen: equal sums mean equal states of this window.
  [[nodiscard]] uint64_t hash(const Kept& kept) const;

  /// Takes LOCAL out of KEPT, with all that needs it.
  void lose(uint32_t local, Kept& kept) const;
  /// Puts LOCAL into KEPT, with all that it needs.
  void keep(uint32_t local, Kept& kept) const;

 private:
  static constexpr uint32_t kAlways = ~uint32_t{0} - 1;
  struct Hiders {
    uint32_t dropped = kNowhere, hidden = kNowhere, hidden_too = kNowhere;
    bool needs_both = false;
  };
  using Carried = std::unordered_map<UnitId, std::vector<uint32_t>>;
  const std::vector<uint32_t>& needs_of_carried(const UnitHistory& history, UnitId unit,
                                                const std::vector<bool>& floor,
                                                Carried& known) const;
  void spread(uint32_t local, Kept& kept, bool keep) const;

  std::vector<UnitId> units_;
  std::vector<uint32_t> before_, before_begin_, after_, after_begin_, partners_;
  std::vector<Hiders> hiders_;
  std::vector<uint64_t> weights_;
};

}  // namespace everycrash
