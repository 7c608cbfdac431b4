// `everycrash validate`: this machine's file systems against the models of them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "harness/base/exit_status.h"
#include "harness/campaign/workspace.h"
#include "harness/cli/commands.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/kernel.h"
#include "harness/disk/validation.h"
#include "reports/terminal.h"

namespace everycrash::cli {
namespace {

struct Row {
  std::string file_system;
  Agreement agreement;
};

Result<std::vector<Litmus>> workloads_of(const ValidateOptions& options) {
  std::vector<Litmus> workloads;
  if (!options.script.empty()) {
    std::ifstream in(options.script);
    if (!in) {
      return fail(ErrorKind::kUsage, fmt::format("cannot read {}", options.script.string()));
    }
    workloads.push_back({options.script.filename().string(), {}});
    for (std::string line; std::getline(in, line);) {
      if (!line.empty() && line.front() != '#') workloads.back().script.push_back(line);
    }
    return workloads;
  }
  if (options.litmus) workloads = litmus_workloads();
  for (uint64_t i = 0; i < options.random; ++i) {
    workloads.push_back(random_workload(options.seed, options.first + i));
  }
  return workloads;
}

std::string text_of(const Disagreement& found, const std::string& file_system) {
  std::string text =
      fmt::format("DISAGREEMENT  {} and its model ({})\n", file_system, found.workload.name);
  for (const std::string& line : found.workload.script) text += fmt::format("    {}\n", line);
  text +=
      fmt::format("  background    {}\n  crash after   {}\n  the kernel    {}\n  the model     ",
                  found.schedule, found.after, found.found);
  for (size_t i = 0; i < found.legal.size(); ++i) {
    text += fmt::format("{}{}\n", i == 0 ? "" : "                ", found.legal[i]);
  }
  return text + "\n";
}

std::string percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string table_of(const std::vector<Row>& rows) {
  std::string text = fmt::format(
      "Real file systems of {} against their models:\n\n"
      "| file system | workloads | states mounted | distinct trees | legal in the model | "
      "write in flight | undecided | model states seen |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
      kernel_name());
  for (const Row& row : rows) {
    const Agreement& sum = row.agreement;
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} of {} ({}) |\n", row.file_system,
                        sum.workloads, sum.real_states, sum.trees, sum.legal, sum.in_flight,
                        sum.undecided, sum.model_seen, sum.model_states,
                        percent(sum.model_seen, sum.model_states));
  }
  return text;
}

Status write_report(const ValidateOptions& options, const std::string& table) {
  if (options.report.empty()) return {};
  std::ofstream out(options.report);
  out << fmt::format(
      "# Models held against real file systems\n\n"
      "Written by `everycrash validate --random {} --seed {} --schedules {} --images {}`.\n"
      "A state is a content of the disk that a power failure can leave, mounted by the kernel; a\n"
      "tree is what is then found in the state directory, counted once a workload.\n\n{}",
      options.random, options.seed, options.schedules, options.images, table);
  out.close();
  if (out) return {};
  return system_error("cannot write " + options.report.string(), errno);
}

/// One file system; its row may be short where it was interrupted.
Result<Row> validate_one(const ValidateOptions& options, const DiskFileSystem& file_system,
                         const std::vector<Litmus>& workloads, const Workspace& workspace,
                         reports::Terminal& terminal) {
  Row row{file_system.name(), {}};
  ValidationJobs jobs;
  jobs.jobs =
      options.jobs != 0 ? options.jobs : 2 * std::max(1u, std::thread::hardware_concurrency());
  jobs.jobs = std::min(jobs.jobs, workloads.size());
  jobs.make_disk = [&](size_t job) -> Result<std::unique_ptr<Disk>> {
    const std::filesystem::path folder = workspace.path() / fmt::format("disk-{}", job);
    std::error_code error;
    std::filesystem::create_directory(folder, error);
    return Disk::create({.file_system = file_system,
                         .size_mb = options.disk.size_mb,
                         .mkfs_arguments = options.disk.mkfs_arguments,
                         .work_directory = folder,
                         .cache_directory = default_disk_cache()});
  };
  jobs.done = [&](const Litmus&, const Agreement& agreement) {
    for (const Disagreement& found : agreement.disagreements) {
      terminal.print(text_of(found, row.file_system));
    }
    row.agreement += agreement;
    if (!options.quiet) {
      terminal.progress(fmt::format("{}: {} of {} workloads, {} states", row.file_system,
                                    row.agreement.workloads, workloads.size(),
                                    row.agreement.real_states));
    }
    return !interrupted();
  };
  const ValidationOptions validation{.schedules = options.schedules,
                                     .images_max = options.images,
                                     .seed = options.seed,
                                     .interrupted = &interrupted()};
  if (Status ok = validate_all(workloads, validation, jobs); !ok) {
    return tl::unexpected(ok.error());
  }
  terminal.clear_progress();
  return row;
}

}  // namespace

Result<int> run_validate(const ValidateOptions& options) {
  std::vector<DiskFileSystem> file_systems;
  for (const std::string& name : options.file_systems) {
    Result<DiskFileSystem> found = parse_disk_file_system(name);
    if (!found) return tl::unexpected(found.error());
    if (found->model == nullptr) {
      return fail(ErrorKind::kUsage,
                  fmt::format("there is no persistence model of {}, so nothing to hold it "
                              "against",
                              found->name()));
    }
    if (Status ok = check_disk_available(found->type); !ok) return tl::unexpected(ok.error());
    file_systems.push_back(std::move(*found));
  }
  const Result<std::vector<Litmus>> workloads = workloads_of(options);
  if (!workloads) return tl::unexpected(workloads.error());
  if (workloads->empty()) return fail(ErrorKind::kNothing, "there is no workload to run");
  if (Status ok = enter_private_mounts(); !ok) return tl::unexpected(ok.error());
  const Result<Workspace> workspace = Workspace::create();
  if (!workspace) return tl::unexpected(workspace.error());
  const Result<reports::ColourChoice> colour = reports::parse_colour(options.color);
  if (!colour) return tl::unexpected(colour.error());
  reports::Terminal terminal(STDOUT_FILENO, *colour);
  std::vector<Row> rows;
  bool agree = true;
  for (const DiskFileSystem& file_system : file_systems) {
    Result<Row> row = validate_one(options, file_system, *workloads, *workspace, terminal);
    if (!row) return tl::unexpected(row.error());
    agree = agree && row->agreement.disagreements.empty();
    rows.push_back(std::move(*row));
    if (interrupted()) break;
  }
  const std::string table = table_of(rows);
  terminal.print(table);
  if (interrupted()) return kExitInterrupted;
  if (Status ok = write_report(options, table); !ok) return tl::unexpected(ok.error());
  return agree ? kExitGood : kExitFinding;
}

}  // namespace everycrash::cli
