#include "harness/campaign/noted_promises.h"

#include <algorithm>

namespace everycrash {
namespace {

bool is_about_promise(const Complaint& complaint) {
  return complaint.judge == Judge::kAcknowledged;
}

}  // namespace

std::vector<Complaint> NotedPromises::held_against(std::vector<Complaint> complaints) const {
  if (noted_) std::erase_if(complaints, is_about_promise);
  return complaints;
}

void NotedPromises::note(const std::vector<Complaint>& complaints) {
  if (!noted_) return;
  const auto promise = std::find_if(complaints.begin(), complaints.end(), is_about_promise);
  if (promise == complaints.end()) return;
  ++states_;
  if (first_.empty() || promise->message < first_) first_ = promise->message;
}

}  // namespace everycrash
