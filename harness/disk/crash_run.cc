#include "harness/disk/crash_run.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <unordered_map>

#include "harness/check/run/materialise.h"
#include "harness/disk/background.h"
#include "harness/disk/replayer.h"

namespace everycrash {
namespace {

Status sync_disk(const Disk& disk) {
  const int folder = open(disk.mount_point().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = folder >= 0 && syncfs(folder) == 0;
  const int error = errno;
  if (folder >= 0) close(folder);
  if (synced) return {};
  return system_error("cannot sync a disk", error);
}

/// Unmounts in any case; the error of DONE goes first.
Status unmount_after(Disk& disk, Status done) {
  Status unmounted = disk.unmount();
  return done ? unmounted : done;
}

}  // namespace

std::vector<size_t> chosen_states(size_t count, size_t most, uint64_t seed) {
  std::vector<size_t> numbers(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = i;
  if (count <= most) return numbers;
  std::mt19937_64 engine(seed);
  for (size_t i = 0; i < most; ++i) std::swap(numbers[i], numbers[i + engine() % (count - i)]);
  numbers.resize(most);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

Result<CrashRun> CrashRun::replay(Disk& disk, const Trace& trace, const Schedule& schedule,
                                  const CrashImageOptions& options) {
  CrashRun run(disk, trace);
  if (Status ok = run.prepare(); !ok) return tl::unexpected(ok.error());
  if (Status ok = disk.mount(); !ok) return tl::unexpected(ok.error());
  if (Status ok = unmount_after(disk, run.run(schedule)); !ok) return tl::unexpected(ok.error());
  const auto log = disk.client().log();
  if (!log) return tl::unexpected(log.error());
  run.log_ = *log;
  if (Status ok = run.find_states(options); !ok) return tl::unexpected(ok.error());
  return run;
}

/// A fresh file system with the tree before the workload.
Status CrashRun::prepare() {
  const Result<FileSystem> start = FileSystem::initial(trace_);
  if (!start) return tl::unexpected(start.error());
  if (Status ok = disk_.client().reset(); !ok) return ok;
  if (Status ok = disk_.mount(); !ok) return ok;
  Status done = Background::prepare(disk_);
  if (done) {
    TreeOnDisk tree(disk_.state_directory());
    done = tree.become(*start);
  }
  return unmount_after(disk_, done);
}

Status CrashRun::run(const Schedule& schedule) {
  Result<FileSystem> start = FileSystem::initial(trace_);
  if (!start) return tl::unexpected(start.error());
  Replayer replayer(trace_, std::move(*start), disk_.state_directory());
  Background background(disk_, replayer);
  if (Status ok = sync_disk(disk_); !ok) return ok;
  if (Status ok = disk_.client().start_log(); !ok) return ok;
  auto event = schedule.events.begin();
  for (const Operation& record : trace_.records()) {
    if (Status ok = replayer.apply(record); !ok) return ok;
    const Result<uint64_t> position = disk_.client().log_position();
    if (!position) return tl::unexpected(position.error());
    returned_.push_back({record.sequence, *position});
    for (; event != schedule.events.end() && event->after == record.sequence; ++event) {
      if (Status ok = background.make(*event); !ok) return ok;
    }
  }
  // What is still in memory goes to disk while it is unmounted: states like any other.
  return {};
}

Status CrashRun::find_states(const CrashImageOptions& options) {
  std::unordered_map<Digest, size_t> known;
  for (CrashImage& image : crash_images(log_, options)) {
    const Result<Digest> digest = disk_.client().become(image.kept);
    if (!digest) return tl::unexpected(digest.error());
    uint64_t point = 0;
    for (const Returned& returned : returned_) {
      if (returned.position <= image.before) point = returned.record;
    }
    const auto [it, fresh] = known.try_emplace(*digest, states_.size());
    if (fresh) {
      states_.push_back({*digest, std::move(image.kept), point});
    } else {
      states_[it->second].point = std::max(states_[it->second].point, point);
    }
  }
  return {};
}

Result<std::string> CrashRun::mount(const RealState& state) {
  std::string refused;
  // A state that cannot be mounted is a verdict on a file system: it must be so twice.
  for (int attempt = 0; attempt < 2; ++attempt) {
    const Result<Digest> digest = disk_.client().become(state.kept);
    if (!digest) return tl::unexpected(digest.error());
    const Status mounted = disk_.mount();
    if (mounted) return std::string();
    // Nor may it be the disk that is gone.
    if (const auto served = disk_.client().log_position(); !served) {
      return tl::unexpected(served.error());
    }
    refused = mounted.error().message;
  }
  return refused;
}

Result<RealTree> CrashRun::look(const RealState& state) {
  Result<std::string> refused = mount(state);
  if (!refused) return tl::unexpected(refused.error());
  if (!refused->empty()) return RealTree{std::move(*refused), {}};
  RealTree found;
  Result<FileSystem> tree = read_tree(disk_.state_directory());
  if (tree) {
    found.tree = std::move(*tree);
  } else {
    found.mount_error = tree.error().message;
  }
  if (Status ok = disk_.unmount(); !ok) return tl::unexpected(ok.error());
  if (found.tree) return found;
  // What cannot be read is a verdict too, where the disk is still served.
  if (const auto served = disk_.client().log_position(); !served) {
    return tl::unexpected(served.error());
  }
  return found;
}

}  // namespace everycrash
