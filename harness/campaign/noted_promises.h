// Promises that a power loss broke, and whether they count.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/check/verdict.h"

namespace everycrash {

/// Promises that a power loss broke and that are only noted: what a program prints is held against
/// it only where somebody said that it is a promise (--ack). Not thread-safe.
class NotedPromises {
 public:
  explicit NotedPromises(bool prints_are_promises) : noted_(!prints_are_promises) {}
  /// COMPLAINTS without those that are only noted.
  [[nodiscard]] std::vector<Complaint> held_against(std::vector<Complaint> complaints) const;
  /// Counts one state, if it breaks a promise that is only noted.
  void note(const std::vector<Complaint>& complaints);
  [[nodiscard]] uint64_t states() const { return states_; }
  [[nodiscard]] const std::string& first() const { return first_; }

 private:
  bool noted_;  // false: they count, and nothing is taken
  uint64_t states_ = 0;
  std::string first_;
};

}  // namespace everycrash
