#include "harness/campaign/finding_facts.h"

#include "harness/base/error.h"

namespace everycrash {

void FindingFacts::blame(const std::vector<Complaint>& said) {
  const Complaint* first = nullptr;
  for (const Complaint& complaint : said) {
    if (!is_violation(complaint)) continue;
    if (first == nullptr) first = &complaint;
    complaints.push_back(complaint.message);
  }
  EVERYCRASH_ASSERT(first != nullptr);
  judge = first->judge;
  path = first->path;
  run_end = first->run_end;
  effect_fault = effect_fault_of(*first);
}

}  // namespace everycrash
