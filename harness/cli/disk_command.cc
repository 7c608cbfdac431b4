// `everycrash disk`: one crash state of a real file system, for a person to look at.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "harness/campaign/workspace.h"
#include "harness/cli/commands.h"
#include "harness/cli/interrupt.h"
#include "harness/disk/crash_run.h"
#include "harness/disk/disk.h"
#include "harness/model/tree_text.h"

namespace everycrash::cli {
namespace {

/// A shell in FOLDER; returns when the person leaves it.
Status open_shell(const std::filesystem::path& folder) {
  const char* wanted = std::getenv("SHELL");
  const std::string shell = wanted != nullptr && *wanted == '/' ? wanted : "/bin/sh";
  fmt::print("Mounted at {} for this shell only; it is gone when you leave it.\n", folder.string());
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) return system_error("cannot start a shell", errno);
  if (child == 0) {
    if (chdir(folder.c_str()) == 0) execl(shell.c_str(), shell.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {};
}

Status shell_on(Disk& disk) {
  if (Status ok = open_shell(disk.mount_point()); !ok) return ok;
  return disk.unmount();
}

Status list(CrashRun& run, const Trace& trace) {
  for (size_t i = 0; i < run.states().size(); ++i) {
    if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
    const RealState& state = run.states()[i];
    const Result<RealTree> real = run.look(state);
    if (!real) return tl::unexpected(real.error());
    const Operation* last = trace.find(state.point);
    while (last != nullptr && !is_operation(last->kind)) last = trace.find(last->sequence - 1);
    std::string tree = real->tree ? tree_text(*real->tree) : real->mount_error;
    constexpr size_t kTreeShown = 200;
    if (tree.size() > kTreeShown) tree = tree.substr(0, kTreeShown) + "...";
    fmt::print("state {:<4} after {}\n    {}\n", i, last != nullptr ? describe(*last) : "nothing",
               tree);
  }
  return {};
}

Status run_on(Disk& disk, const DiskShellOptions& options) {
  if (!options.image.empty()) {
    if (Status ok = disk.client().load(std::filesystem::absolute(options.image)); !ok) return ok;
    const Status mounted = disk.mount();
    if (mounted) return shell_on(disk);
    return harness_error(
        fmt::format("{}: {}\nIf it holds another file system, name that with --fs.",
                    options.image.string(), mounted.error().message));
  }
  const Result<Trace> trace = Trace::open(options.trace);
  if (!trace) return tl::unexpected(trace.error());
  const std::vector<Schedule> schedules = schedules_for(*trace, options.schedule + 1, options.seed);
  if (options.schedule >= schedules.size()) {
    return fail(ErrorKind::kUsage, fmt::format("there is no schedule {}: this trace has {}",
                                               options.schedule, schedules.size()));
  }
  fmt::print("{}\n", schedules[options.schedule].describe(*trace));
  Result<CrashRun> run =
      CrashRun::replay(disk, *trace, schedules[options.schedule],
                       {.lost_flushes = options.lost_flushes, .seed = options.seed});
  if (!run) return tl::unexpected(run.error());
  if (options.list) return list(*run, *trace);
  if (options.state >= run->states().size()) {
    return fail(ErrorKind::kUsage, fmt::format("there is no state {}: this schedule left {}",
                                               options.state, run->states().size()));
  }
  const Result<std::string> refused = run->mount(run->states()[options.state]);
  if (!refused) return tl::unexpected(refused.error());
  if (!refused->empty()) {
    return harness_error(fmt::format("state {}: {}", options.state, *refused));
  }
  return shell_on(disk);
}

/// Of the disk: of the image that is looked at, or as asked for.
Result<uint64_t> disk_size_mb(const DiskShellOptions& options) {
  if (options.image.empty()) return options.disk.size_mb;
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(options.image, error);
  if (error) {
    return fail(ErrorKind::kUsage, fmt::format("cannot read the image {}: {}",
                                               options.image.string(), error.message()));
  }
  constexpr uint64_t kMiB = 1 << 20;
  if (bytes == 0 || bytes % kMiB != 0) {
    return fail(ErrorKind::kUsage,
                fmt::format("{} is no disk image that 'test --keep' wrote: it has {} bytes",
                            options.image.string(), bytes));
  }
  return bytes / kMiB;
}

}  // namespace

Result<int> run_disk(const DiskShellOptions& options) {
  Result<DiskFileSystem> file_system = parse_disk_file_system(options.file_system);
  if (!file_system) return tl::unexpected(file_system.error());
  if (options.trace.empty() == options.image.empty()) {
    return fail(ErrorKind::kUsage, "name a trace, or an image with --image");
  }
  const Result<uint64_t> size_mb = disk_size_mb(options);
  if (!size_mb) return tl::unexpected(size_mb.error());
  if (Status ok = check_disk_available(file_system->type); !ok) return tl::unexpected(ok.error());
  const Result<Workspace> workspace = Workspace::create();
  if (!workspace) return tl::unexpected(workspace.error());
  const std::filesystem::path folder = workspace->path() / "disk";
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  const Result<std::unique_ptr<Disk>> disk =
      Disk::create({.file_system = *file_system,
                    .size_mb = *size_mb,
                    .mkfs_arguments = options.disk.mkfs_arguments,
                    .work_directory = folder,
                    .cache_directory = default_disk_cache()});
  if (!disk) return tl::unexpected(disk.error());
  if (Status ok = run_on(**disk, options); !ok) return tl::unexpected(ok.error());
  return 0;
}

}  // namespace everycrash::cli
