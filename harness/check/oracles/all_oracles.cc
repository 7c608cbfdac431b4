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

namespace {

template <typename Kind>
const Oracle* instance_of() {
  static const Kind kOracle;
  return &kOracle;
}

std::string with_dashes(std::string_view name) {
  std::string dashes(name);
  std::replace(dashes.begin(), dashes.end(), ' ', '-');
  return dashes;
}

}  // namespace

void Oracle::leave_out(const Grounds& /*grounds*/, const Selection& /*selection*/,
                       std::vector<NotJudged>& /*not_judged*/) const {}

std::span<const Oracle* const> all_oracles() {
  static const Oracle* const kAll[] = {
      instance_of<HalfFileOracle>(),      instance_of<AcknowledgedOracle>(),
      instance_of<RecoveryTwiceOracle>(), instance_of<ExactlyOnceOracle>(),
      instance_of<ResumeOracle>(),        instance_of<NoLeftoversOracle>(),
  };
  return kAll;
}

std::vector<std::string> oracle_names() {
  std::vector<std::string> names;
  for (const Oracle* oracle : all_oracles()) names.push_back(with_dashes(name_of(oracle->name())));
  return names;
}

std::optional<Judge> oracle_named(std::string_view name) {
  for (const Oracle* oracle : all_oracles()) {
    if (with_dashes(name) == with_dashes(name_of(oracle->name()))) return oracle->name();
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
