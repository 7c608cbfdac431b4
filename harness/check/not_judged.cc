#include "harness/check/not_judged.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace everycrash {
namespace {

/// "a, b, c and 7 more"
std::string first_of(std::vector<std::string> names) {
  constexpr size_t kShown = 3;
  const size_t count = names.size();
  names.resize(std::min(count, kShown));
  return fmt::format("{}{}", fmt::join(names, ", "),
                     count > kShown ? fmt::format(" and {} more", count - kShown) : "");
}

/// "a, b, c, 7 more"
std::string first_effects_of(std::vector<std::string> names) {
  constexpr size_t kShown = 3;
  const size_t count = names.size();
  names.resize(std::min(count, kShown));
  if (count > kShown) names.push_back(fmt::format("{} more", count - kShown));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What is not judged and why, with what leads over to the remedy.
std::string what_and_why(const NotJudged& fact) {
  switch (fact.why) {
    case Unjudged::kNothing:
      return "";
    case Unjudged::kNoRecovery:
      return "recovery twice: ";
    case Unjudged::kNoEffects:
      return "exactly once: the workload had no effects";
    case Unjudged::kNotCounted:
      return fmt::format(
          "effects: {} message{} to {}, not HTTP; --effect-peer '{}' makes each an effect",
          fact.count, fact.count == 1 ? "" : "s", fact.names.front(), fact.names.front());
    case Unjudged::kEncrypted:
      return fmt::format(
          "effects: what was sent to {} is encrypted, so that requests cannot be told apart; name "
          "them with EVERYCRASH_EFFECT or $EVERYCRASH_EVENTS",
          fact.names.front());
    case Unjudged::kAssumedKeys:
      return "whether the receiver knows an Idempotency-Key again: requests that have one may be "
             "repeated; ";
    case Unjudged::kNothingPromised:
      return "acknowledged: nothing was promised";
    case Unjudged::kWrittenSo:
      return fmt::format("{} {}; ", fact.names.front(), describe(*fact.flaw));
    case Unjudged::kMoreWrittenSo:
      return fmt::format("and {} more files like these", fact.count);
    case Unjudged::kSendsOutside:
      return "resume: the workload sends to other machines, and would do so again for each crash "
             "state; ";
    case Unjudged::kRecoveryFails:
    case Unjudged::kSecondRunFails:
      return fmt::format("resume: {}; ", fact.text);
    case Unjudged::kSecondRunChanges:
      return fmt::format("resume: a second run changes something ({}); ", fact.text);
    case Unjudged::kSecondRunRepeats:
      return "resume: a second run has the same effects again; ";
    case Unjudged::kEffectOfEachRun:
      return fmt::format("exactly once of {}: a second run does that again, also without a crash; ",
                         first_effects_of(fact.names));
    case Unjudged::kTemporaryLeftovers:
      return fmt::format("no leftovers of temporary files ({}): ", fact.names.front());
    case Unjudged::kNewFiles:
      return fmt::format(
          "half file of {}, until it was whole for the first time: nothing tells whether that does "
          "harm; ",
          first_of(fact.names));
    case Unjudged::kSpareCopies:
      return fmt::format("spare copies ({}) while the file itself is whole; ",
                         first_of(fact.names));
    case Unjudged::kContentsVary:
      return fmt::format(
          "the content of {} after a resumed run: no two undisturbed runs leave the same; ",
          first_of(fact.names));
    case Unjudged::kFirstRunFails:
    case Unjudged::kNamesVary:
      return fmt::format("resume: no two undisturbed runs leave the same ({}); ", fact.text);
  }
  return "";
}

const char* describe(Remedy remedy) {
  switch (remedy) {
    case Remedy::kNone:
      return "";
    case Remedy::kRecovery:
      return "give a recovery command";
    case Remedy::kChecker:
      return "give a checker";
    case Remedy::kCheckerIfItMatters:
      return "give a checker if they matter";
    case Remedy::kCheckerOrHalfFile:
      return "give a checker, or --oracle half-file";
    case Remedy::kIgnoreOrChecker:
      return "give --ignore for what differs, or a checker";
    case Remedy::kResumeIfItMay:
      return "give --resume if it may";
    case Remedy::kResumeIfMeant:
      return "give --resume if the workload is meant to go on after a crash";
    case Remedy::kResumeOrLeftovers:
      return "give --resume or --oracle no-leftovers if the next run is meant to clear them away";
    case Remedy::kExactlyOnce:
      return "give --oracle exactly-once if it must not";
    case Remedy::kSink:
      return "--sink has a receiver that shows it";
  }
  return "";
}

}  // namespace

Remedy remedy_of(Unjudged why) {
  switch (why) {
    case Unjudged::kNothing:
    case Unjudged::kNoEffects:
    case Unjudged::kNotCounted:
    case Unjudged::kEncrypted:
    case Unjudged::kNothingPromised:
    case Unjudged::kMoreWrittenSo:
      return Remedy::kNone;
    case Unjudged::kNoRecovery:
      return Remedy::kRecovery;
    case Unjudged::kAssumedKeys:
      return Remedy::kSink;
    case Unjudged::kWrittenSo:
    case Unjudged::kContentsVary:
      return Remedy::kChecker;
    case Unjudged::kSendsOutside:
      return Remedy::kResumeIfItMay;
    case Unjudged::kRecoveryFails:
    case Unjudged::kSecondRunFails:
    case Unjudged::kSecondRunChanges:
    case Unjudged::kSecondRunRepeats:
      return Remedy::kResumeIfMeant;
    case Unjudged::kEffectOfEachRun:
      return Remedy::kExactlyOnce;
    case Unjudged::kTemporaryLeftovers:
      return Remedy::kResumeOrLeftovers;
    case Unjudged::kNewFiles:
      return Remedy::kCheckerOrHalfFile;
    case Unjudged::kSpareCopies:
      return Remedy::kCheckerIfItMatters;
    case Unjudged::kFirstRunFails:
    case Unjudged::kNamesVary:
      return Remedy::kIgnoreOrChecker;
  }
  return Remedy::kNone;
}

std::string describe(const NotJudged& not_judged) {
  return what_and_why(not_judged) + describe(remedy_of(not_judged.why));
}

}  // namespace everycrash
