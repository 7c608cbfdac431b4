// Replacing a file so that a crash at any moment leaves the old content or the new one.
//
//   prepare:  open a temp file beside the target, write all, fsync, close
//   publish:  rename it over the target, fsync the directory
//
// prepare is slow and touches nothing that others read, so it needs no lock; publish is the moment
// at which the new content counts. Each break of `Break` that concerns saving is one departure from
// these steps; the departures that share no code with the right way are in broken_save.cc.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/common/failure.h"
#include "scenarios/state_manager/break_table.h"

namespace scenarios::state_manager {

struct SaveRules {
  Break mistake = Break::kNone;
  int runner = 1;           ///< part of the temp name: no two live runners have the same number
  bool mark_calls = false;  ///< step markers tmp-write, fsync, rename and dir-fsync too
};

/// One save of one file. Not thread-safe. Does not own `directory_fd`; keeps a view of `content`,
/// which must live as long. Destroying it after prepare without publish leaves the temp file.
class AtomicSave {
 public:
  AtomicSave(int directory_fd, std::string name, std::string_view content, const SaveRules& rules);

  /// Everything up to the rename. On failure the temp file is removed again.
  [[nodiscard]] Outcome prepare();
  /// Makes it the target, durably. On failure before the rename the temp file is removed; after
  /// it (the directory cannot be synced) the new content is visible, but may not survive.
  [[nodiscard]] Outcome publish();
  /// Gives up a prepared save.
  void discard();

 private:
  [[nodiscard]] Outcome write_temp();
  [[nodiscard]] Outcome sync_file(int fd);
  [[nodiscard]] Outcome rename_over_target();

  int directory_fd_;
  std::string name_;
  std::string temp_name_;
  std::string_view content_;
  SaveRules rules_;
};

/// prepare and publish in one.
[[nodiscard]] Outcome save_file(int directory_fd, const std::string& name, std::string_view content,
                                const SaveRules& rules);

/// Whether a file of that name is a temp file of any save.
[[nodiscard]] bool is_temp_name(std::string_view name);

/// Removes the temp files of `rules.runner` in that directory. Only its owner may call this, or who
/// holds its lock: then every such file was left by a crash.
[[nodiscard]] Outcome remove_stale_temp_files(int directory_fd, const SaveRules& rules);

}  // namespace scenarios::state_manager
