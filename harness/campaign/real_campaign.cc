#include "harness/campaign/real_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "harness/base/digest.h"
#include "harness/campaign/choice.h"
#include "harness/campaign/panel.h"
#include "harness/campaign/real_judge.h"
#include "harness/campaign/workspace.h"

namespace everycrash {
namespace {

constexpr size_t kMoreSchedules = 4;  // times as many, while something was not seen

}  // namespace

RealCampaign::RealCampaign(Campaign& campaign, CrashKind crash, DiskFileSystem file_system)
    : campaign_(campaign),
      crash_(crash),
      file_system_(std::move(file_system)),
      noted_(campaign.plan().prints_are_promises),
      outputs_(campaign.trace()) {
  coverage_.crash = crash_;
  coverage_.model = file_system_.name();
  coverage_.real = true;
}

/// A finding of a model that comes before is no reason: here somebody wants to see it.
bool RealCampaign::is_over() const {
  return campaign_.is_over() || (campaign_.plan().fail_fast && coverage_.violated > 0);
}

/// Every finding that the model of this file system has.
bool RealCampaign::all_seen() const {
  const auto& findings = campaign_.facts.findings;
  return std::all_of(findings.begin(), findings.end(), [this](const FindingFacts& finding) {
    const auto& models = finding.models;
    const bool ours =
        finding.crash == crash_ && file_system_.model != nullptr &&
        std::find(models.begin(), models.end(), file_system_.model->name) != models.end();
    return !ours || seen_.count(finding.id) != 0;
  });
}

Status RealCampaign::run() {
  const RealDiskPlan& plan = campaign_.plan().real;
  const std::filesystem::path folder = campaign_.input.workspace.path() / "disk";
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  Result<std::unique_ptr<Disk>> disk = Disk::create({.file_system = file_system_,
                                                     .size_mb = plan.size_mb,
                                                     .mkfs_arguments = plan.mkfs_arguments,
                                                     .work_directory = folder,
                                                     .cache_directory = default_disk_cache()});
  if (!disk) {
    report(tl::unexpected(disk.error()));
    return tl::unexpected(disk.error());
  }
  disk_ = std::move(*disk);
  const size_t wanted = plan.schedules;
  const std::vector<Schedule> schedules =
      schedules_for(campaign_.trace(), kMoreSchedules * wanted, campaign_.plan().seed);
  size_t done = 0;
  Status running;
  for (; done < schedules.size() && !is_over(); ++done) {
    if (done >= wanted && all_seen()) break;
    running = run_schedule(schedules[done], done);
    if (!running) break;
  }
  campaign_.input.progress.end();
  coverage_.crash_points = points_.size();
  coverage_.distinct = coverage_.checked + coverage_.skipped_by_budget;
  coverage_.bounds.emplace_back(DiskContents{done, plan.images, known_.size()});
  disk_.reset();
  report(running);
  return running;
}

Status RealCampaign::run_schedule(const Schedule& schedule, size_t number) {
  const uint64_t seed = campaign_.plan().seed;
  Result<CrashRun> run =
      CrashRun::replay(*disk_, campaign_.trace(), schedule,
                       {.lost_flushes = crash_ == CrashKind::kLostFsync, .seed = seed});
  if (!run) return tl::unexpected(run.error());
  coverage_.considered += run->states().size();
  for (const size_t state :
       chosen_states(run->states().size(), campaign_.plan().real.images, seed)) {
    if (is_over()) {
      ++coverage_.skipped_by_budget;
      continue;
    }
    if (Status ok = judge_state(*run, state, number); !ok) return ok;
    campaign_.input.progress.judged_on_disk(file_system_.name(), number, coverage_.checked,
                                            coverage_.violated);
  }
  return {};
}

Result<std::vector<Complaint>> RealCampaign::complaints_at(CrashRun& run, const RealState& state,
                                                           const FileSystem& tree) {
  const StateView view{.tree = &tree,
                       .record = state.point,
                       .printed = outputs_.printed_until(state.point),
                       .events = outputs_.events_until(state.point)};
  if (!campaign_.plan().real.in_place) {
    return campaign_.panel().seats.front()->judge(view);
  }
  const Result<std::string> refused = run.mount(state);
  if (!refused) return tl::unexpected(refused.error());
  if (!refused->empty()) return std::vector<Complaint>{unreadable(*refused)};
  Result<std::vector<Complaint>> said = judge_in_place(campaign_, *disk_, view);
  if (Status ok = disk_->unmount(); !ok) return tl::unexpected(ok.error());
  return said;
}

/// A file system that cannot be read any more is a violation; but not where the disk lied to it
/// about flushes, since no program could help that.
Complaint RealCampaign::unreadable(const std::string& why) const {
  const Verdict verdict =
      crash_ == CrashKind::kLostFsync ? Verdict::kNotMeasured : Verdict::kViolated;
  return {
      .judge = Judge::kRecovery, .verdict = verdict, .message = why, .wrong = Wrong::kUnreadable};
}

Status RealCampaign::judge_state(CrashRun& run, size_t number, size_t schedule) {
  const RealState& state = run.states()[number];
  points_.insert(state.point);
  const Result<RealTree> real = run.look(state);
  if (!real && campaign_.input.stop()) return {};
  if (!real) return tl::unexpected(real.error());
  std::vector<Complaint> complaints;
  Digest tree;
  if (!real->tree) {
    complaints = {unreadable(real->mount_error)};
  } else {
    tree = real->tree->digest();
    const Digest key = digest_of_words(std::array{
        tree.low, tree.high, uint64_t{outputs_.printed_until(state.point).size()},
        uint64_t{outputs_.events_until(state.point).size()}, campaign_.stages.of(state.point)});
    if (const auto known = known_.find(key); known != known_.end()) {
      complaints = known->second;
    } else {
      Result<std::vector<Complaint>> said = complaints_at(run, state, *real->tree);
      if (!said && campaign_.input.stop()) return {};
      if (!said) return tl::unexpected(said.error());
      complaints = known_[key] = noted_.held_against(std::move(*said));
    }
  }
  count_verdict(worst_of(complaints), coverage_);
  const Complaint* const worst = first_violation(complaints);
  if (worst == nullptr) return {};
  const auto [finding, exact] = finding_for(tree, *worst, state);
  Seen& seen = (exact ? seen_ : alike_)[finding];
  if (++seen.states > 1) return {};
  seen.first.schedule = schedule;
  seen.first.state = number;
  return keep_image(finding, state, seen.first);
}

/// Saves the disk of the first state of FINDING, where --keep asks for it.
Status RealCampaign::keep_image(const std::string& finding, const RealState& state,
                                Sighting& sighting) {
  const std::filesystem::path& keep = campaign_.plan().real.keep;
  if (keep.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(keep, error);
  std::string name = file_system_.name();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
  const std::filesystem::path image =
      keep / fmt::format("{}-{}-{}.img", finding, name_of(crash_), name);
  if (const auto put = disk_->client().become(state.kept); !put) return tl::unexpected(put.error());
  const Status saved = disk_->client().save(std::filesystem::absolute(image));
  if (!saved) {
    return harness_error(
        fmt::format("cannot keep a disk image as {}: {}\n"
                    "Let --keep name a folder with room on its disk.",
                    image.string(), saved.error().message));
  }
  sighting.image = image;
  return {};
}

/// The finding whose states hold this tree; else one about the same file by the same judge, which
/// may have another cause; else a new one.
RealCampaign::Found RealCampaign::finding_for(const Digest& tree, const Complaint& said,
                                              const RealState& state) {
  std::vector<FindingFacts>& findings = campaign_.facts.findings;
  const auto known = campaign_.causes.find(tree);
  for (const FindingFacts& finding : findings) {
    const bool has_it = known != campaign_.causes.end() && finding.id == known->second;
    if (has_it && finding.crash == crash_) return {finding.id, true};
  }
  for (const FindingFacts& finding : findings) {
    if (finding.crash == crash_ && finding.judge == said.judge && finding.path == said.path) {
      return {finding.id, finding.models.empty()};
    }
  }
  const std::string on = "real " + file_system_.name();
  FindingFacts finding{.id = short_id_of(fmt::format("{}\n{}\n{}\n{}", name_of(crash_),
                                                     name_of(said.judge), said.path, on)),
                       .crash = crash_,
                       .cause = RealFacts{on, state.point},
                       .state = {.record = state.point},
                       .states = 1};
  finding.blame({said});
  findings.push_back(std::move(finding));
  return {findings.back().id, true};
}

/// WHY: what ended the search early, if it did not come to anything.
Sighting RealCampaign::sighting_of(const std::string& finding, const std::string& why) const {
  using What = Sighting::What;
  Sighting sighting;
  const auto seen = seen_.find(finding), alike = alike_.find(finding);
  if (seen != seen_.end()) {
    sighting = seen->second.first;
    sighting.what = What::kSeen;
    sighting.states = seen->second.states;
  } else if (alike != alike_.end()) {
    sighting = alike->second.first;
    sighting.what = What::kSeenAlike;
    sighting.states = alike->second.states;
  } else {
    sighting.what = coverage_.checked == 0 ? What::kNotSearched : What::kNotSeen;
    sighting.why = why;
  }
  sighting.file_system = file_system_.name();
  sighting.default_options = file_system_.mount_options.empty();
  sighting.lost_flushes = crash_ == CrashKind::kLostFsync;
  sighting.of = coverage_.checked;
  return sighting;
}

/// RUNNING: what ended the search early, if anything did.
void RealCampaign::report(const Status& running) {
  campaign_.facts.coverage.push_back(coverage_);
  const std::string why =
      running ? "" : running.error().message.substr(0, running.error().message.find('\n'));
  for (FindingFacts& finding : campaign_.facts.findings) {
    if (finding.crash == crash_) finding.sightings.push_back(sighting_of(finding.id, why));
  }
}

Status explore_real(Campaign& campaign, CrashKind crash, const DiskFileSystem& file_system) {
  return RealCampaign(campaign, crash, file_system).run();
}

}  // namespace everycrash
