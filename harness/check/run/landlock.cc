#include "harness/check/run/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace everycrash {
namespace {

// Newer than the headers of Debian 12.
constexpr uint64_t kAccessRefer = 1ULL << 13;
constexpr uint64_t kAccessTruncate = 1ULL << 14;
constexpr int kVersionWithRefer = 2;
constexpr int kVersionWithTruncate = 3;

constexpr uint64_t kChanges = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                              LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                              LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                              LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                              LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

bool allow(int rules, const std::filesystem::path& folder, uint64_t access) {
  struct landlock_path_beneath_attr rule {};
  rule.allowed_access = access;
  rule.parent_fd = open(folder.c_str(), O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0) return false;
  const bool done =
      syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  close(rule.parent_fd);
  return done;
}

}  // namespace

bool forbid_writes_outside(const std::vector<std::filesystem::path>& folders) {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < kVersionWithRefer) return false;
  const uint64_t truncate = version >= kVersionWithTruncate ? kAccessTruncate : 0;
  struct landlock_ruleset_attr handled {};
  handled.handled_access_fs = kChanges | kAccessRefer | truncate;
  const int rules =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0));
  if (rules < 0) return false;
  bool done = true;
  for (const std::filesystem::path& folder : folders) {
    done = done && allow(rules, folder, handled.handled_access_fs);
  }
  for (const char* folder : {"/dev", "/proc"}) {
    done = done && allow(rules, folder, LANDLOCK_ACCESS_FS_WRITE_FILE | truncate);
  }
  done = done && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return done;
}

}  // namespace everycrash
