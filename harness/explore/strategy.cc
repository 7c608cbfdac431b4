#include "harness/explore/strategy.h"

namespace everycrash {

std::string_view name_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::kPrefix:
      return "prefixes";
    case Strategy::kAllLost:
      return "everything unsynced lost";
    case Strategy::kOneLost:
      return "one lost";
    case Strategy::kNamesLost:
      return "names lost";
    case Strategy::kDataLost:
      return "data lost";
    case Strategy::kTorn:
      return "torn writes";
    case Strategy::kOneKept:
      return "one kept";
    case Strategy::kPairs:
      return "pairs";
    case Strategy::kExhaustive:
      return "all";
    case Strategy::kRandom:
      return "random";
  }
  return "";
}

}  // namespace everycrash
