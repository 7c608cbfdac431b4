// Which process a runner is, in words that are still true when its pid belongs to somebody else.
//
// A pid alone names a process only as long as that lives. Pid and start time name it for as long as
// the machine runs; the id of the boot says whether it still does. No lock file can do with less.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/common/failure.h"

namespace scenarios::job_ledger {

struct RunnerIdentity {
  pid_t pid = 0;
  uint64_t start = 0;  ///< clock ticks after the boot, as /proc/PID/stat tells it
  std::string boot;    ///< /proc/sys/kernel/random/boot_id
  bool operator==(const RunnerIdentity&) const = default;
};

[[nodiscard]] Expected<RunnerIdentity> own_identity();

/// Three lines: "pid 4711", "start 123456", "boot 6c7b...".
[[nodiscard]] std::string to_text(const RunnerIdentity& identity);
/// The inverse; nullopt for anything else, such as what a crash left half written.
[[nodiscard]] std::optional<RunnerIdentity> parse_identity(std::string_view text);

/// Whether that very process lives. Where that cannot be found out (no /proc), a process with its
/// pid is taken for it.
[[nodiscard]] bool is_running(const RunnerIdentity& identity);

/// Whether any process has that pid: what `pid-only` asks.
[[nodiscard]] bool is_pid_in_use(pid_t pid);

}  // namespace scenarios::job_ledger
