#include "harness/campaign/campaign.h"

#include <algorithm>
#include <utility>

#include "harness/campaign/panel.h"
#include "harness/campaign/workload.h"
#include "harness/check/examination.h"
#include "harness/explain/run_names.h"

namespace everycrash {

Result<Campaign> make_campaign(const CampaignInput& input) {
  Campaign campaign{.input = input,
                    .evidence = EvidenceCollector(input.trace, input.panel.grounds->history,
                                                  *input.panel.seats.front(), input.stop),
                    .stages = Stages(input.panel.grounds->history, input.panel.grounds->effects)};
  if (input.told != nullptr) {
    Result<Verdicts> told = Verdicts::told_by(input.told->shards);
    if (!told) return tl::unexpected(told.error());
    campaign.verdicts = std::move(*told);
  }
  if (input.plan.budget) {
    campaign.deadline = std::chrono::steady_clock::now() + *input.plan.budget;
  }
  return campaign;
}

const Grounds& Campaign::grounds() const {
  return *input.panel.grounds;
}

SiteOf Campaign::sites() const {
  return [&names = input.names](uint64_t stack) { return names.site_of(stack); };
}

Result<RecordOptions> Campaign::recorder(const std::filesystem::path& trace_file) const {
  return recorder_options(plan().run, input.workload, trace_file, input.workspace, input.stop);
}

ExaminationOptions Campaign::examination(CrashKind crash, const std::string& model,
                                         size_t total) const {
  ExaminationOptions options;
  options.deadline = deadline;
  options.interrupted = input.stop.requested;
  input.progress.begin_states(crash, model, total, deadline);
  if (silent) return options;
  options.progress = [&progress = input.progress](size_t done, size_t violated) {
    progress.judged(done, violated);
  };
  return options;
}

bool Campaign::wants_evidence(const std::string& id) const {
  return !input.stop() && (!shows || shows(id));
}

bool Campaign::is_over() const {
  return input.stop() || (deadline && std::chrono::steady_clock::now() >= *deadline);
}

bool Campaign::ends_at_finding() const {
  return plan().fail_fast && !facts.findings.empty();
}

bool Campaign::was_interrupted() const {
  return input.stop() || (input.told != nullptr && input.told->interrupted);
}

void Campaign::tell_unjudged(const std::set<std::string>& reasons) {
  constexpr size_t kShown = 5;
  size_t left = kShown;
  for (const std::string& reason : reasons) {
    if (left-- == 0) {
      facts.gaps.emplace_back(MoreReasons{reasons.size() - kShown});
      return;
    }
    std::string line = reason.substr(0, reason.find('\n'));
    const bool told = std::any_of(facts.gaps.begin(), facts.gaps.end(), [&line](const Gap& gap) {
      const auto* known = std::get_if<UnjudgedState>(&gap);
      return known != nullptr && known->reason == line;
    });
    if (!told) facts.gaps.emplace_back(UnjudgedState{std::move(line)});
  }
}

}  // namespace everycrash
