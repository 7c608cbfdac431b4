#include "harness/check/oracles/all_oracles.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "harness/check/oracles/acknowledged.h"
#include "harness/check/oracles/exactly_once.h"
#include "harness/check/oracles/half_file.h"
#include "harness/check/oracles/no_leftovers.h"
#include "harness/check/oracles/recovery_twice.h"
#include "harness/check/oracles/resume.h"

namespace everycrash {

void Oracle::leave_out(const Grounds& /*grounds*/, const Selection& /*selection*/,
                       std::vector<NotJudged>& /*not_judged*/) const {}

std::span<const Oracle* const> all_oracles() {
  static const HalfFileOracle kHalfFile;
  static const AcknowledgedOracle kAcknowledged;
  static const RecoveryTwiceOracle kRecoveryTwice;
  static const ExactlyOnceOracle kExactlyOnce;
  static const ResumeOracle kResume;
  static const NoLeftoversOracle kNoLeftovers;
  static const Oracle* const kAll[] = {&kHalfFile,    &kAcknowledged, &kRecoveryTwice,
                                       &kExactlyOnce, &kResume,       &kNoLeftovers};
  return kAll;
}

std::optional<Judge> oracle_named(std::string_view name) {
  std::string blanks(name);
  std::replace(blanks.begin(), blanks.end(), '-', ' ');
  for (const Oracle* oracle : all_oracles()) {
    if (blanks == name_of(oracle->name())) return oracle->name();
  }
  return std::nullopt;
}

void ask_oracles(Oracle::Sees sees, const Seen& seen, std::vector<Complaint>& complaints) {
  for (const Oracle* oracle : all_oracles()) {
    if (oracle->sees() != sees || !seen.grounds.selection.has(oracle->name())) continue;
    std::vector<Complaint> said = oracle->judge(seen);
    std::move(said.begin(), said.end(), std::back_inserter(complaints));
  }
}

}  // namespace everycrash
