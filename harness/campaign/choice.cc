#include "harness/campaign/choice.h"

namespace everycrash {

Choice choose(const Campaign& campaign, size_t count, const DigestOf& split_by) {
  Choice choice;
  const uint64_t limit = campaign.plan().states_max.value_or(0);
  for (uint32_t i = 0; i < count; ++i) {
    if (limit != 0 && i >= limit) {  // over all shards, so that shards are parts of one run
      ++choice.over_limit;
    } else if (split_by(i).high % campaign.plan().shard.count != campaign.plan().shard.index) {
      ++choice.other_shards;
    } else {
      choice.numbers.push_back(i);
    }
  }
  return choice;
}

Examined told_by_shards(const Campaign& campaign, const Choice& choice, const DigestOf& split_by,
                        const DigestOf& verdict_of) {
  Examined examined;
  for (const uint32_t number : choice.numbers) {
    const std::vector<Complaint>* complaints =
        campaign.verdicts.find(verdict_of(number), split_by(number).high);
    examined.judged.push_back(complaints != nullptr);
    examined.complaints.push_back(complaints != nullptr ? *complaints : std::vector<Complaint>());
  }
  return examined;
}

void remember_for_merge(const Choice& choice, const Examined& examined, const DigestOf& verdict_of,
                        Campaign& campaign) {
  if (campaign.plan().shard.count == 1) return;
  for (size_t i = 0; i < choice.numbers.size(); ++i) {
    if (!examined.judged[i]) continue;
    campaign.verdicts.remember(verdict_of(choice.numbers[i]), examined.complaints[i]);
  }
}

void count_verdict(Verdict verdict, CoverageFacts& coverage) {
  ++coverage.checked;
  if (verdict == Verdict::kSurvived) {
    ++coverage.survived;
  } else if (verdict == Verdict::kViolated) {
    ++coverage.violated;
  } else {
    ++coverage.not_measured;
  }
}

void count_verdicts(const Examined& examined, CoverageFacts& coverage) {
  for (size_t i = 0; i < examined.judged.size(); ++i) {
    if (examined.judged[i]) {
      count_verdict(examined.verdict(i), coverage);
    } else {
      ++coverage.skipped_by_budget;
    }
  }
}

void count_choice(const Campaign& campaign, const Choice& choice, const Examined& examined,
                  InOrder::What what, CoverageFacts& coverage) {
  coverage.skipped_by_shard = choice.other_shards;
  count_verdicts(examined, coverage);
  coverage.skipped_by_budget += choice.over_limit;
  coverage.exhaustive = coverage.skipped_by_budget == 0;
  if (coverage.exhaustive) return;
  coverage.bounds.emplace_back(InOrder{what, campaign.was_interrupted()});
}

}  // namespace everycrash
