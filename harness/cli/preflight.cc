#include "harness/cli/preflight.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "harness/base/crash_kind.h"
#include "harness/cli/report_files.h"
#include "harness/disk/disk.h"
#include "harness/model/persistence_model.h"

namespace everycrash::cli {
namespace {

Status check_crash_kind(const std::string& kind) {
  const std::vector<std::string> all = selectable_crash_kinds();
  if (std::find(all.begin(), all.end(), kind) != all.end()) return {};
  return fail(ErrorKind::kUsage,
              fmt::format("--crash {}: there is no such crash kind\nThere are: {}", kind,
                          fmt::join(all, ", ")));
}

/// A run may take long; that its result has no place should not be told at its end.
Status check_place(const char* option, const std::filesystem::path& file) {
  if (file.empty()) return {};
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  if (access(folder.c_str(), W_OK | X_OK) == 0) return {};
  return fail(ErrorKind::kUsage, fmt::format("{} {}: cannot write to the folder {}: {}", option,
                                             file.string(), folder.string(), std::strerror(errno)));
}

/// What --on and its companions ask for.
Status check_real(const TestOptions& options) {
  if (options.on.empty()) {
    const char* idle = options.on_disk ? "--on-disk" : !options.keep.empty() ? "--keep" : nullptr;
    if (idle == nullptr) return {};
    return fail(ErrorKind::kUsage,
                fmt::format("{} is about real file systems: name them with --on ext4", idle));
  }
  const std::vector<CrashKind> kinds = crash_kinds_of(options);
  if (std::none_of(kinds.begin(), kinds.end(), loses_power)) {
    return fail(ErrorKind::kUsage,
                "--on: on a real file system the power fails; add power or lost-fsync to --crash");
  }
  for (const std::string& name : options.on) {
    const Result<DiskFileSystem> real = parse_disk_file_system(name);
    if (!real) return tl::unexpected(real.error());
    if (Status ok = check_disk_available(real->type); !ok) return ok;
  }
  if (options.on_disk && options.check.empty()) {
    return fail(ErrorKind::kUsage, "--on-disk runs a checker in place: give one with --check");
  }
  return check_place("--keep", options.keep);
}

/// What cannot be split must not be done by each shard: merged, it would count as often.
Status check_shard(const TestOptions& options) {
  const Result<Shard> shard = parse_shard(options.shard);
  if (!shard) return tl::unexpected(shard.error());
  if (shard->count == 1) return {};
  if (runs_anew(options)) {
    return fail(ErrorKind::kUsage,
                "--shard: --crash again and concurrent run the program anew, and cannot be split\n"
                "Give the other crash kinds to the shards, and these to a run of their own.");
  }
  if (!options.on.empty()) {
    return fail(ErrorKind::kUsage,
                "--shard: what --on explores cannot be split\n"
                "Give the models to the shards, and --on to a run of its own.");
  }
  return {};
}

}  // namespace

bool runs_anew(const TestOptions& options) {
  const std::vector<CrashKind> kinds = crash_kinds_of(options);
  return std::any_of(kinds.begin(), kinds.end(), is_run_anew);
}

Status check_values(const TestOptions& options) {
  for (const std::string& kind : options.crash) {
    if (Status ok = check_crash_kind(kind); !ok) return ok;
  }
  for (const std::string& model : options.models) {
    if (const auto rules = find_model(model); !rules) return tl::unexpected(rules.error());
  }
  if (Status ok = check_shard(options); !ok) return ok;
  const std::pair<const char*, const std::filesystem::path*> files[] = {
      {"--json", &options.json},
      {"--junit", &options.junit},
      {"--sarif", &options.sarif},
      {"--markdown", &options.markdown}};
  for (const auto& [option, file] : files) {
    if (Status ok = check_place(option, *file); !ok) return ok;
  }
  if (Status ok = check_real(options); !ok) return ok;
  if (options.fail_fast && (!options.baseline.empty() || !options.fail_on.empty())) {
    return fail(ErrorKind::kUsage,
                "--fail-fast ends at any finding; leave it out where --baseline or --fail-on let "
                "some of them pass");
  }
  return check_reports(options);
}

}  // namespace everycrash::cli
