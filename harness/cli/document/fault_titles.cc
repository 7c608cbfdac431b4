#include "harness/cli/document/fault_titles.h"

#include <fmt/format.h>

#include "harness/cli/document/operation_words.h"
#include "harness/explore/point_names.h"

namespace everycrash::cli {
namespace {

std::string_view words_of(FaultWay way) {
  switch (way) {
    case FaultWay::kDiskFull:
      return "meets a disk that is full from then on";
    case FaultWay::kNoAnswer:
      return "gets no answer";
    case FaultWay::kCutShort:
      return "is cut short";
    case FaultWay::kFailsForGood:
      return "fails for good";
    case FaultWay::kFails:
      return "fails";
  }
  return "";
}

std::string_view outcome_of(Judge judge) {
  switch (judge) {
    case Judge::kSilentSuccess:
      return "and the run says that all is well";
    case Judge::kEndless:
      return "and the run does not end";
    case Judge::kResume:
      return "and the run cannot be taken up again";
    default:
      return "and what is left is not good";
  }
}

}  // namespace

std::string title_of(const Operation& call, const FaultCluster& cluster) {
  return fmt::format("{} of {} {}, {}", name_of(call.kind), shown_path(point_path(call)),
                     words_of(cluster.way), outcome_of(cluster.judge));
}

}  // namespace everycrash::cli
