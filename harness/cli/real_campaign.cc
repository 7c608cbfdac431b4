#include "harness/cli/real_campaign.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "harness/base/crash_kind.h"
#include "harness/base/quoting.h"
#include "harness/cli/choice.h"
#include "harness/cli/explorations.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/kernel.h"

namespace everycrash::cli {
namespace {

constexpr std::string_view kItsTrace = " TRACE";  // until it is known where the trace is kept
constexpr size_t kMoreSchedules = 4;              // times as many, while something was not seen

bool is_violation(const Complaint& complaint) {
  return complaint.verdict == Verdict::kViolated;
}

}  // namespace

RealCampaign::RealCampaign(Campaign& campaign, CrashKind crash, DiskFileSystem file_system)
    : campaign_(campaign),
      crash_(crash),
      file_system_(std::move(file_system)),
      noted_(campaign.exploration.options),
      outputs_(campaign.exploration.trace) {
  coverage_.crash = crash_;
  coverage_.model = "real " + file_system_.name();
}

/// Begins with the name that the coverage has for it.
std::string RealCampaign::name() const {
  return fmt::format("{} ({}{})", coverage_.model, kernel_name(),
                     file_system_.mount_options.empty() ? ", default options" : "");
}

/// A finding of a model that comes before is no reason: here somebody wants to see it.
bool RealCampaign::is_over() const {
  return campaign_.is_over() || (campaign_.exploration.options.fail_fast && coverage_.violated > 0);
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
  if (!disk) {
    report(tl::unexpected(disk.error()));
    return tl::unexpected(disk.error());
  }
  disk_ = std::move(*disk);
  const size_t wanted = options.schedules;
  const std::vector<Schedule> schedules =
      schedules_for(exploration.trace, kMoreSchedules * wanted, options.seed);
  size_t done = 0;
  Status running;
  for (; done < schedules.size() && !is_over(); ++done) {
    if (done >= wanted && all_seen()) break;
    running = run_schedule(schedules[done], done);
    if (!running) break;
  }
  campaign_.terminal.clear_progress();
  coverage_.crash_points = points_.size();
  coverage_.distinct = coverage_.checked + coverage_.skipped_by_budget;
  coverage_.bound =
      fmt::format("{} schedules of background writes, at most {} disk contents each; {} trees",
                  done, options.images, known_.size());
  disk_.reset();
  report(running);
  return running;
}

Status RealCampaign::run_schedule(const Schedule& schedule, size_t number) {
  const TestOptions& options = campaign_.exploration.options;
  Result<CrashRun> run =
      CrashRun::replay(*disk_, campaign_.exploration.trace, schedule,
                       {.lost_flushes = crash_ == CrashKind::kLostFsync, .seed = options.seed});
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
  if (!real && interrupted()) return {};
  if (!real) return tl::unexpected(real.error());
  std::vector<Complaint> complaints;
  Digest tree;
  if (!real->tree) {
    complaints = {unreadable(real->mount_error)};
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
      complaints = known_[key] = noted_.held_against(std::move(*said));
    }
  }
  count_verdict(worst_of(complaints), coverage_);
  const auto worst = std::find_if(complaints.begin(), complaints.end(), is_violation);
  if (worst == complaints.end()) return {};
  const auto [finding, exact] = finding_for(tree, *worst, state);
  Sighting& sighting = (exact ? seen_ : alike_)[finding];
  if (++sighting.states > 1) return {};
  sighting.example = example_of(schedule, number);
  return keep_image(finding, state, sighting);
}

/// Saves the disk of the first state of FINDING, where --keep asks for it.
Status RealCampaign::keep_image(const std::string& finding, const RealState& state,
                                Sighting& sighting) {
  const std::filesystem::path& keep = campaign_.exploration.options.keep;
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
  sighting.example = fmt::format("everycrash disk shell --fs {} --image {}",
                                 shell_quote(file_system_.name()), shell_quote(image.string()));
  return {};
}

/// The finding whose states hold this tree; else one about the same file by the same judge, which
/// may have another cause; else a new one.
RealCampaign::Found RealCampaign::finding_for(const Digest& tree, const Complaint& said,
                                              const RealState& state) {
  reports::ResultDocument& document = campaign_.builder.document();
  const auto known = campaign_.causes.find(tree);
  for (const reports::Finding& finding : document.findings) {
    const bool has_it = known != campaign_.causes.end() && finding.id == known->second;
    if (has_it && finding.crash == crash_) return {finding.id, true};
  }
  for (const reports::Finding& finding : document.findings) {
    if (finding.crash == crash_ && finding.judge == name_of(said.judge) &&
        finding.path == said.path) {
      return {finding.id, finding.models.empty()};
    }
  }
  campaign_.builder.add_real_finding(crash_, said, {state.point, -1}, coverage_.model);
  return {document.findings.back().id, true};
}

std::string RealCampaign::example_of(size_t schedule, size_t state) const {
  const TestOptions& options = campaign_.exploration.options;
  const TestOptions usual;
  std::string text = fmt::format("everycrash disk shell --fs {}", shell_quote(file_system_.name()));
  if (crash_ == CrashKind::kLostFsync) text += " --lost-fsync";
  if (options.seed != usual.seed) text += fmt::format(" --seed {}", options.seed);
  if (options.disk.size_mb != usual.disk.size_mb) {
    text += fmt::format(" --disk-size {}", options.disk.size_mb);
  }
  if (!options.disk.mkfs_arguments.empty()) {
    text += " --mkfs " + shell_quote(options.disk.mkfs_arguments);
  }
  return text + fmt::format(" --schedule {} --state {}{}", schedule, state, kItsTrace);
}

/// RUNNING: what ended the search early, if anything did.
void RealCampaign::report(const Status& running) {
  reports::ResultDocument& document = campaign_.builder.document();
  document.coverage.push_back(coverage_);
  const std::string why =
      running ? "no time was left"
              : running.error().message.substr(0, running.error().message.find('\n'));
  for (reports::Finding& finding : document.findings) {
    if (finding.crash != crash_) continue;
    const auto seen = seen_.find(finding.id), alike = alike_.find(finding.id);
    if (seen == seen_.end() && alike != alike_.end()) {
      finding.real_file_systems.push_back(
          fmt::format("not seen, but a state that fails alike, on {}: {} of {} states; {}", name(),
                      alike->second.states, coverage_.checked, alike->second.example));
      continue;
    }
    if (seen == seen_.end() && coverage_.checked == 0) {
      finding.real_file_systems.push_back(fmt::format("not searched on {}: {}", name(), why));
      continue;
    }
    if (seen == seen_.end()) {
      finding.real_file_systems.push_back(
          fmt::format("searched for and not seen on {}: {} states", name(), coverage_.checked));
      continue;
    }
    finding.real_file_systems.push_back(fmt::format("seen on {}: {} of {} states; {}", name(),
                                                    seen->second.states, coverage_.checked,
                                                    seen->second.example));
  }
}

void note_unsearched(const TestOptions& options, reports::ResultDocument& document) {
  for (reports::Finding& finding : document.findings) {
    if (!loses_power(finding.crash)) continue;
    std::vector<std::string> left;
    for (const std::string& model : finding.models) {
      const Result<DiskFileSystem> real = parse_disk_file_system(model);
      if (!real) continue;  // no file system has it: posix
      const bool searched =
          std::any_of(options.on.begin(), options.on.end(), [&real](const std::string& on) {
            const Result<DiskFileSystem> there = parse_disk_file_system(on);
            return there && there->name() == real->name();
          });
      if (!searched) left.push_back(real->name());
    }
    if (left.empty() && !finding.real_file_systems.empty()) continue;
    if (left.empty() && !options.on.empty()) continue;
    finding.real_file_systems.push_back(
        left.empty() ? "not searched on a real file system (--on ext4,xfs,btrfs)"
                     : fmt::format("not searched on a real {0} (--on {1})", fmt::join(left, ", "),
                                   fmt::join(left, ",")));
  }
}

void name_trace_of_sightings(const std::string& trace, reports::ResultDocument& document) {
  for (reports::Finding& finding : document.findings) {
    for (std::string& line : finding.real_file_systems) {
      if (!line.ends_with(kItsTrace)) continue;
      line.replace(line.size() - kItsTrace.size(), kItsTrace.size(), " " + shell_quote(trace));
    }
  }
}

Status explore_real(Campaign& campaign, CrashKind crash, const std::string& file_system) {
  Result<DiskFileSystem> parsed = parse_disk_file_system(file_system);
  if (!parsed) return tl::unexpected(parsed.error());
  return RealCampaign(campaign, crash, std::move(*parsed)).run();
}

}  // namespace everycrash::cli
