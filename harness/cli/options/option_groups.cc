#include "harness/cli/options/option_groups.h"

#include <fmt/format.h>

#include "harness/base/exit_status.h"
#include "harness/check/oracles/all_oracles.h"
#include "harness/model/persistence_model.h"

namespace everycrash::cli {
namespace {

std::vector<OptionWord> model_words() {
  std::vector<OptionWord> words;
  for (const PersistenceRules& model : all_models()) words.push_back({std::string(model.name)});
  return words;
}

std::vector<OptionWord> oracle_words() {
  std::vector<OptionWord> words;
  for (const std::string& name : oracle_names()) words.push_back({name});
  return words;
}

}  // namespace

std::vector<OptionWord> crash_kind_words() {
  std::vector<OptionWord> words;
  for (const std::string& kind : selectable_crash_kinds()) words.push_back({kind});
  return words;
}

std::vector<OptionWord> file_system_words() {
  return {{"ext4"}, {"xfs"}, {"btrfs"}};
}

void add_appearance(const OptionAdder& to, std::string& color) {
  to.add("--color", color, "")
      .takes("WHEN")
      .only_knows({{"always"}, {"never"}, {"auto"}})
      .with_default()
      .in_environment();
}

void add_quiet(const OptionAdder& to, bool& quiet, const std::string& still_told) {
  to.flag("-q,--quiet", quiet, "only " + still_told);
}

void add_plain(const OptionAdder& to, TestOptions& options) {
  to.flag("--no-namespaces", options.plain, "run without namespaces even where they are allowed");
}

void add_config(const OptionAdder& to, TestOptions& options) {
  to.add("--config", options.config,
         "FILE to take for the project's everycrash.toml; none: take no such file")
      .takes_file()
      .refuses([](const std::string& file) {
        return file.empty() || file.front() == '-' ? "name a file, or none" : "";
      });
}

void add_workload_options(const OptionAdder& to, TestOptions& options) {
  const OptionAdder group = to.group("Workload");
  // Not from the environment: EVERYCRASH_DIR tells a checker where it is, not a run where to go.
  group.add("--dir", options.directory, "state directory")
      .takes_folder()
      .with_default("a fresh one in memory");
  group.add("--init", options.init, "command that fills the state directory first")
      .takes_file("COMMAND")
      .in_environment();
  group.add("--timeout", options.timeout, "time limit of one run of the workload")
      .takes("TIME")
      .with_default()
      .in_environment();
  group.add("--trace-size", options.trace_size_mb, "largest trace, in MiB")
      .takes_number("MIB")
      .with_default()
      .in_environment();
  add_plain(group, options);
  add_config(to, options);
  add_appearance(to, options.color);
  add_quiet(to, options.quiet, "findings and the verdict");
}

void add_verbosity(const OptionAdder& to, TestOptions& options) {
  to.flag("-v,--verbose", options.verbose,
          "the report in full: every finding, call site, stack, and line of a checker");
}

void add_idle_verbosity(const OptionAdder& to, TestOptions& options) {
  to.flag("-v,--verbose", options.verbose, "accepted; there is no report here to say more");
}

void add_fault_options(const OptionAdder& to, TestOptions& options) {
  to.add("--lose-fsync", options.lose_fsync,
         "GLOBs: in the run, syncs of these files succeed without being done ('*': sync, too)")
      .takes_list("GLOB")
      .in_environment();
  // No commas between faults: one is taken as it stands.
  to.add("--fault", options.faults,
         "FAULT that the run meets, as 'write(*.json) ENOSPC when=3'; may be given again")
      .takes("FAULT")
      .may_be_repeated();
}

void add_effect_options(const OptionAdder& to, EffectOptions& effects) {
  const OptionAdder group = to.group("Effects");
  group
      .add("--effect-command", effects.commands,
           "GLOBs of programs: each that the workload runs, and that succeeds, is an effect")
      .takes_list("GLOB")
      .in_environment();
  group
      .add("--effect-dir", effects.folders,
           "GLOBs of folders in the state directory: each file that appears there is an effect")
      .takes_list("GLOB")
      .in_environment();
  group
      .add("--effect-peer", effects.peers,
           "GLOBs of addresses: each message sent there is an effect, even if it is not HTTP")
      .takes_list("GLOB")
      .in_environment();
  // Not from the environment: EVERYCRASH_SINK tells a workload where it is.
  group
      .add("--sink", effects.sink,
           "receive HTTP at 127.0.0.1:PORT for the workload: "
           "PORT[,no-dedup][,delay=200ms][,fail=N][,drop=N]")
      .takes("PORT");
  const AddedOption least = group.flag("--at-least-once", effects.at_least_once,
                                       "effects may happen twice, but must not be lost");
  group
      .flag("--at-most-once", effects.at_most_once,
            "effects may be lost, but must not happen twice")
      .excludes(least);
}

void add_verdict_options(const OptionAdder& to, TestOptions& options) {
  const OptionAdder group = to.group("Verdict");
  group
      .add("--check", options.check,
           fmt::format("command that judges a crash state: exit 0 = consistent, {} = cannot tell",
                       kExitUnavailable))
      .takes_file("COMMAND")
      .in_environment();
  group.flag("--check-server", options.check_server,
             "--check can judge many states in one process (see everycrash/gtest.h)");
  group.add("--recover", options.recover, "command that recovers a crash state before it is judged")
      .takes_file("COMMAND")
      .in_environment();
  group.flag("--resume", options.resume, "the workload must be able to run again on a crash state");
  group.add("--oracle", options.oracles, "built-in judges")
      .takes_list("NAME,...")
      .knows(oracle_words())
      .in_environment();
  group.add("--ack", options.acknowledgement, "what counts as a promise")
      .takes("WHAT")
      .knows({{"stdout"}, {"exit"}, {"none"}}, "or a REGEX for lines")
      .in_environment();
  group.add("--ignore", options.ignore, "globs of files in which equal runs may differ")
      .takes_list("GLOB")
      .in_environment();
  group
      .add("--check-timeout", options.check_timeout,
           "time limit of checker, recovery and resumed run")
      .takes("TIME")
      .with_default()
      .in_environment();
  add_effect_options(to, options.effects);
}

namespace {

/// What is explored, and how far.
void add_bounds(const OptionAdder& group, TestOptions& options) {
  group.add("--budget", options.budget, "stop exploring after this time")
      .takes("TIME")
      .in_environment();
  group
      .add("--max-states", options.states_max,
           "check at most so many states of each crash kind and model")
      .takes_number()
      .with_default(
          fmt::format("no limit for kill, {} for power unless --budget is given", kPowerStatesMax))
      .with_zero("no limit")
      .in_environment();
  add_seed(group, options.seed, "random states").with_default().in_environment();
  group.add("--depth", options.depth, "lost or kept units in a bounded exploration")
      .takes_number()
      .with_default()
      .in_environment();
  group.add("--again-depth", options.again_depth, "for --crash again: crashes of recovery in a row")
      .takes_number()
      .with_default()
      .with_zero("until no new state comes up")
      .in_environment();
  group.add("--tear", options.tear, "bytes that reach the disk in one piece")
      .takes_number("BYTES")
      .only_knows({{"4096"}, {"512"}})
      .with_default()
      .in_environment();
  group.add("--shard", options.shard, "I/N: only this part of the states")
      .takes("I/N")
      .in_environment();
  group.add("--jobs", options.jobs, "parallel workers")
      .takes_number()
      .with_zero("one a processor")
      .in_environment();
}

}  // namespace

void add_explore_options(const OptionAdder& to, TestOptions& options) {
  const OptionAdder group = to.group("Exploration");
  group.add("--crash", options.crash, "")
      .takes_list("KIND,...")
      .knows(crash_kind_words())
      .with_default()
      .in_environment();
  group.flag("--concurrent", options.concurrent,
             "also run a second instance while the first stands still at each crash point");
  group
      .add("--preemptions", options.preemptions,
           "for --concurrent: how often one of the two is stopped in favour of the other")
      .takes_number()
      .only_knows({{"1"}, {"2"}})
      .with_default()
      .in_environment();
  group.add("--fs", options.models, "persistence models for power")
      .takes_list("MODEL,...")
      .knows(model_words())
      .with_default()
      .in_environment();
  group.add("--lost-fsync", options.lost_fsync, "which syncs a lying disk loses")
      .takes("WHICH")
      .knows({{"all"}, {"one", "each in turn"}}, "or those of this file")
      .with_default()
      .in_environment();
  add_bounds(group, options);
  group.flag("--all-points", options.all_points, "check equal states again at each crash point");
  group.flag("--strict", options.strict, "what could not be judged is a failure");
  group.flag("--require-complete", options.require_complete,
             fmt::format("exit {} unless everything was covered", kExitIncomplete));
  group.flag("--fail-fast", options.fail_fast,
             "end at the first finding; the rest counts as not looked at");
  group.add("--expect", options.expect, "what a run must have for exit 0")
      .takes("WHAT")
      .only_knows({{"finding"}})
      .in_environment();
}

void add_report_options(const OptionAdder& to, TestOptions& options) {
  const OptionAdder group = to.group("Reports");
  const auto file = [&group](const char* name, std::filesystem::path& value, const char* help) {
    group.add(name, value, help).takes_file().in_environment();
  };
  file("--json", options.json, "write the result document to this file");
  group.add("--report", options.report, "folder that gets report.html, for people")
      .takes_folder()
      .in_environment();
  group.add("--output", options.output, "folder that keeps a run with findings")
      .takes_folder()
      .with_default()
      .in_environment();
  file("--junit", options.junit, "write JUnit XML to this file");
  file("--sarif", options.sarif, "write SARIF 2.1.0 to this file");
  file("--markdown", options.markdown, "write Markdown to this file");
  file("--baseline", options.baseline, "findings listed in this file do not fail the run");
  group
      .add("--fail-on", options.fail_on,
           "crash kinds and models that fail the run, such as kill,power:ext4")
      .takes_list("KIND,...")
      .with_default("all")
      .in_environment();
}

AddedOption add_seed(const OptionAdder& to, uint64_t& seed, const std::string& of_what) {
  return to.add("--seed", seed, "seed of " + of_what).takes_number();
}

void add_schedules(const OptionAdder& to, uint64_t& schedules, uint64_t& images,
                   bool in_environment) {
  const auto number = [&](const char* name, uint64_t& value, const char* help) {
    AddedOption added = to.add(name, value, help);
    added.takes_number().with_default();
    if (in_environment) added.in_environment();
  };
  number("--schedules", schedules, "ways in which the kernel writes back");
  number("--images", images, "disk contents mounted for each of them");
}

void add_disk_settings(const OptionAdder& to, DiskSettings& settings) {
  to.add("--disk-size", settings.size_mb, "MiB of the disk in memory")
      .takes_number("MIB")
      .within(kDiskSizeLeastMb, kDiskSizeMostMb)
      .with_default()
      .in_environment();
  to.add("--mkfs", settings.mkfs_arguments, "further arguments for mkfs")
      .takes("ARGUMENTS")
      .in_environment();
}

void add_real_options(const OptionAdder& to, TestOptions& options) {
  const OptionAdder group = to.group("Real file systems (root)");
  group.add("--on", options.on, "power failures on real file systems")
      .takes_list("FS,...")
      .knows(file_system_words(), kWithMountOptions)
      .in_environment();
  add_schedules(group, options.schedules, options.images, true);
  group.flag("--on-disk", options.on_disk,
             "run recovery and checker in place, on the mounted file system");
  group.add("--keep", options.keep, "folder that gets a disk image of each finding seen")
      .takes_folder();
  add_disk_settings(group, options.disk);
}

AddedOption add_result(const OptionAdder& to, std::filesystem::path& result) {
  return to.add("RESULT", result, "a result document, or the folder that holds it")
      .takes_file("RESULT")
      .is_required();
}

AddedOption add_trace(const OptionAdder& to, std::filesystem::path& trace) {
  return to.add("TRACE", trace, "a trace, as 'record' writes it").takes_file("TRACE");
}

}  // namespace everycrash::cli
