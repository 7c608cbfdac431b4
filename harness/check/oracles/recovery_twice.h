// The oracle "recovery twice": recovering what was recovered changes nothing.
#pragma once

#include <vector>

#include "harness/check/oracles/oracle.h"

namespace everycrash {

/// It forgives what --ignore covers, and nothing else.
class RecoveryTwiceOracle : public Oracle {
 public:
  [[nodiscard]] Judge name() const override { return Judge::kRecoveryTwice; }
  [[nodiscard]] Sees sees() const override { return Sees::kRecoveries; }
  [[nodiscard]] std::span<const ApplicabilityRow> when() const override;
  [[nodiscard]] std::vector<Complaint> judge(const Seen& seen) const override;
};

}  // namespace everycrash
