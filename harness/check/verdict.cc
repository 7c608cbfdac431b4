#include "harness/check/verdict.h"

#include <algorithm>
#include <iterator>

#include "harness/base/error.h"

namespace everycrash {
namespace {

template <typename Value>
struct Named {
  Value value;
  const char* name;
};

// Each in the order of its enumeration.
constexpr Named<Judge> kJudges[] = {
    {Judge::kChecker, "checker"},
    {Judge::kHalfFile, "half file"},
    {Judge::kAcknowledged, "acknowledged"},
    {Judge::kResume, "resume"},
    {Judge::kNoLeftovers, "no leftovers"},
    {Judge::kExactlyOnce, "exactly once"},
    {Judge::kRecoveryTwice, "recovery twice"},
    {Judge::kRecovery, "recovery"},
    {Judge::kSilentSuccess, "silent success"},
    {Judge::kEndless, "endless"},
    {Judge::kSerial, "serial"},
};

constexpr Named<Verdict> kVerdicts[] = {
    {Verdict::kSurvived, "survived"},
    {Verdict::kNotMeasured, "not measured"},
    {Verdict::kViolated, "violated"},
    {Verdict::kHarnessBroken, "harness broken"},
};

constexpr Named<Wrong> kWrongs[] = {
    {Wrong::kUnknown, ""},
    {Wrong::kRejected, "rejected"},
    {Wrong::kTimedOut, "timed out"},
    {Wrong::kNotStarted, "not started"},
    {Wrong::kCannotTell, "cannot tell"},
    {Wrong::kLeavesProcesses, "leaves processes"},
    {Wrong::kUnreadable, "unreadable"},
    {Wrong::kMissing, "missing"},
    {Wrong::kEmpty, "empty"},
    {Wrong::kHalfWritten, "half written"},
    {Wrong::kForeign, "foreign"},
    {Wrong::kGone, "gone"},
    {Wrong::kOlder, "older"},
    {Wrong::kDiffers, "differs"},
    {Wrong::kOtherLayout, "other layout"},
    {Wrong::kLeftover, "leftover"},
    {Wrong::kChangedAgain, "changed again"},
    {Wrong::kNoOrder, "no order"},
    {Wrong::kSilentLoss, "silent loss"},
    {Wrong::kIncomparable, "incomparable"},
    {Wrong::kDuplicateEffect, "duplicate effect"},
    {Wrong::kLostEffect, "lost effect"},
    {Wrong::kUnseenEffects, "unseen effects"},
    {Wrong::kEndless, "endless"},
    {Wrong::kNeverCame, "never came"},
    {Wrong::kRunnerFailed, "runner failed"},
    {Wrong::kUnusable, "unusable"},
    {Wrong::kFlaky, "flaky"},
};

template <typename Value, size_t kCount>
const char* name_in(const Named<Value> (&table)[kCount], Value value) {
  const auto at = static_cast<size_t>(value);
  EVERYCRASH_ASSERT(at < kCount && table[at].value == value);
  return table[at].name;
}

template <typename Value, size_t kCount>
std::optional<Value> named_in(const Named<Value> (&table)[kCount], std::string_view name) {
  const auto found = std::find_if(std::begin(table), std::end(table),
                                  [&](const Named<Value>& each) { return each.name == name; });
  if (found == std::end(table)) return std::nullopt;
  return found->value;
}

}  // namespace

const char* name_of(Judge judge) {
  return name_in(kJudges, judge);
}

const char* name_of(Verdict verdict) {
  return name_in(kVerdicts, verdict);
}

const char* name_of(Wrong wrong) {
  return name_in(kWrongs, wrong);
}

const char* name_of(EffectFault fault) {
  switch (fault) {
    case EffectFault::kDuplicate:
      return "duplicate";
    case EffectFault::kLoss:
      return "loss";
    case EffectFault::kNone:
      break;
  }
  return "";
}

std::optional<Judge> judge_named(std::string_view name) {
  return named_in(kJudges, name);
}

std::optional<Verdict> verdict_named(std::string_view name) {
  return named_in(kVerdicts, name);
}

std::optional<Wrong> wrong_named(std::string_view name) {
  return named_in(kWrongs, name);
}

const Complaint* first_violation(const std::vector<Complaint>& complaints) {
  const auto found = std::find_if(complaints.begin(), complaints.end(), is_violation);
  return found == complaints.end() ? nullptr : &*found;
}

EffectFault effect_fault_of(const Complaint& complaint) {
  if (complaint.wrong == Wrong::kDuplicateEffect) return EffectFault::kDuplicate;
  if (complaint.wrong == Wrong::kLostEffect) return EffectFault::kLoss;
  return EffectFault::kNone;
}

}  // namespace everycrash
