#include "harness/cli/real_campaign.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/cli/interrupt.h"
#include "reports/text.h"

namespace everycrash::cli {
namespace {

constexpr size_t kMoreSchedules = 4;  // times as many, while something was not seen

std::string kernel() {
  utsname name{};
  uname(&name);
  return fmt::format("{} {}", name.sysname, name.release);
}

bool is_violation(const Complaint& complaint) {
  return complaint.verdict == Verdict::kViolated;
}

}  // namespace

RealCampaign::RealCampaign(Campaign& campaign, std::string crash, DiskFileSystem file_system)
    : campaign_(campaign),
      crash_(std::move(crash)),
      file_system_(std::move(file_system)),
      noted_(campaign.exploration.options),
      outputs_(campaign.exploration.trace) {
  coverage_.crash = crash_;
  coverage_.model = "real " + file_system_.name();
}

std::string RealCampaign::name() const {
  return fmt::format(
      "real {} ({}, {})", file_system_.type, kernel(),
      file_system_.mount_options.empty() ? "default options" : file_system_.mount_options);
}

bool RealCampaign::is_over() const {
  return interrupted() ||
         (campaign_.deadline && std::chrono::steady_clock::now() >= *campaign_.deadline);
}

/// Every finding that the model of this file system has.
bool RealCampaign::all_seen() const {
  const auto& findings = campaign_.builder.document().findings;
  return std::all_of(findings.begin(), findings.end(), [this](const reports::Finding& finding) {
    const auto& models = finding.models;
    const bool ours =
        finding.crash == crash_ && file_system_.model != nullptr &&
        std::find(models.begin(), models.end(), file_system_.model->name) != models.end();
    return !ours || seen_.count(finding.id) != 0;
  });
}

Status RealCampaign::run() {
  const Exploration& exploration = campaign_.exploration;
  const TestOptions& options = exploration.options;
  const std::filesystem::path folder = exploration.workspace.path() / "disk";
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  Result<std::unique_ptr<Disk>> disk = Disk::create({.file_system = file_system_,
                                                     .size_mb = options.disk.size_mb,
                                                     .mkfs_arguments = options.disk.mkfs_arguments,
                                                     .work_directory = folder,
                                                     .cache_directory = default_disk_cache()});
  if (!disk) return tl::unexpected(disk.error());
  disk_ = std::move(*disk);
  const size_t wanted = options.schedules;
  const std::vector<Schedule> schedules =
      schedules_for(exploration.trace, kMoreSchedules * wanted, options.seed);
  size_t done = 0;
  for (; done < schedules.size() && !is_over(); ++done) {
    if (done >= wanted && all_seen()) break;
    if (Status ok = run_schedule(schedules[done], done); !ok) return ok;
  }
  campaign_.terminal.clear_progress();
  coverage_.crash_points = done;
  coverage_.bound = fmt::format("{} schedules of background writes, at most {} disk contents each",
                                done, options.images);
  disk_.reset();
  report();
  return {};
}

Status RealCampaign::run_schedule(const Schedule& schedule, size_t number) {
  const TestOptions& options = campaign_.exploration.options;
  Result<CrashRun> run =
      CrashRun::replay(*disk_, campaign_.exploration.trace, schedule,
                       {.lost_flushes = crash_ == "lost-fsync", .seed = options.seed});
  if (!run) return tl::unexpected(run.error());
  coverage_.considered += run->states().size();
  for (const size_t state : chosen_states(run->states().size(), options.images, options.seed)) {
    if (is_over()) {
      ++coverage_.skipped_by_budget;
      continue;
    }
    if (Status ok = judge_state(*run, state, number); !ok) return ok;
    campaign_.terminal.progress(fmt::format("{}, schedule {}: {} states, {} failing", name(),
                                            number, coverage_.checked, coverage_.violated));
  }
  return {};
}

Result<std::vector<Complaint>> RealCampaign::complaints_at(CrashRun& run, const RealState& state,
                                                           const FileSystem& tree) {
  const StateView view{.tree = &tree,
                       .record = state.point,
                       .printed = outputs_.printed_until(state.point),
                       .events = outputs_.events_until(state.point)};
  if (!campaign_.exploration.options.on_disk) {
    return campaign_.panel.judges.front()->judge(view);
  }
  if (Status ok = run.mount(state); !ok) return tl::unexpected(ok.error());
  Result<std::vector<Complaint>> said = judge_in_place(campaign_, *disk_, view);
  if (Status ok = disk_->unmount(); !ok) return tl::unexpected(ok.error());
  return said;
}

Status RealCampaign::judge_state(CrashRun& run, size_t number, size_t schedule) {
  const RealState& state = run.states()[number];
  const Result<RealTree> real = run.look(state);
  if (!real) return tl::unexpected(real.error());
  std::vector<Complaint> complaints;
  Digest tree;
  if (!real->tree) {
    complaints = {{Judge::kRecovery, Verdict::kViolated, "", real->mount_error}};
  } else {
    tree = real->tree->digest();
    const Digest key = digest_of_words(
        std::array{tree.low, tree.high, uint64_t{outputs_.printed_until(state.point).size()},
                   uint64_t{outputs_.events_until(state.point).size()}});
    if (const auto known = known_.find(key); known != known_.end()) {
      complaints = known->second;
    } else {
      Result<std::vector<Complaint>> said = complaints_at(run, state, *real->tree);
      if (!said && interrupted()) return {};
      if (!said) return tl::unexpected(said.error());
      ++coverage_.distinct;
      complaints = known_[key] = noted_.held_against(std::move(*said));
    }
  }
  count_verdict(worst_of(complaints), coverage_);
  const auto worst = std::find_if(complaints.begin(), complaints.end(), is_violation);
  if (worst == complaints.end()) return {};
  const std::string finding = finding_for(tree, *worst, state);
  Sighting& sighting = seen_[finding];
  if (++sighting.states > 1) return {};
  sighting.example = example_of(finding, schedule, number);
  const std::filesystem::path& keep = campaign_.exploration.options.keep;
  if (keep.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(keep, error);
  const std::filesystem::path image = keep / fmt::format("{}-{}.img", finding, file_system_.type);
  if (const auto put = disk_->client().become(state.kept); !put) return tl::unexpected(put.error());
  if (Status ok = disk_->client().save(std::filesystem::absolute(image)); !ok) return ok;
  sighting.example =
      fmt::format("everycrash disk shell --fs {} --image {}",
                  reports::shell_quote(file_system_.name()), reports::shell_quote(image.string()));
  return {};
}

/// The finding whose states hold this tree; else one about the same file by the same judge; else a
/// new one.
std::string RealCampaign::finding_for(const Digest& tree, const Complaint& said,
                                      const RealState& state) {
  if (const auto known = campaign_.causes.find(tree); known != campaign_.causes.end()) {
    return known->second;
  }
  reports::ResultDocument& document = campaign_.builder.document();
  for (const reports::Finding& finding : document.findings) {
    if (finding.crash == crash_ && finding.judge == name_of(said.judge) &&
        finding.path == said.path) {
      return finding.id;
    }
  }
  campaign_.builder.add_real_finding(crash_, said, {state.point, -1}, coverage_.model);
  return document.findings.back().id;
}

std::string RealCampaign::example_of(const std::string&, size_t schedule, size_t state) {
  return fmt::format("everycrash disk shell --fs {} --schedule {} --state {} TRACE",
                     reports::shell_quote(file_system_.name()), schedule, state);
}

void RealCampaign::report() {
  reports::ResultDocument& document = campaign_.builder.document();
  document.coverage.push_back(coverage_);
  for (reports::Finding& finding : document.findings) {
    if (finding.crash != crash_) continue;
    const auto seen = seen_.find(finding.id);
    if (seen == seen_.end()) {
      finding.real_file_systems.push_back(
          fmt::format("searched, not seen on {}: {} states", name(), coverage_.checked));
      continue;
    }
    finding.real_file_systems.push_back(fmt::format("seen on {}: {} of {} states; {}", name(),
                                                    seen->second.states, coverage_.checked,
                                                    seen->second.example));
  }
}

Status explore_real(Campaign& campaign, const std::string& crash, const std::string& file_system) {
  Result<DiskFileSystem> parsed = parse_disk_file_system(file_system);
  if (!parsed) return tl::unexpected(parsed.error());
  return RealCampaign(campaign, crash, std::move(*parsed)).run();
}

}  // namespace everycrash::cli
