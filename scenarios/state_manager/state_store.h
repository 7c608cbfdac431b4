// The state directory: state.json, which several runners change, and the outputs in out/.
//
// Each change is read, changed and saved as one: the new document is prepared without a lock, then,
// under commit.lock, put in place only if state.json still has the version it was made from.
// Otherwise the change is made again on what is there now. commit.lock is a file of its own, since
// a lock on state.json would stay with the inode that rename throws away.
#pragma once

#include <functional>
#include <string>

#include "scenarios/state_manager/atomic_save.h"
#include "scenarios/state_manager/runner_slot.h"
#include "scenarios/state_manager/state_document.h"

namespace scenarios::state_manager {

/// What is in the file now. An absent file is nullopt; one that cannot be parsed is a failure.
[[nodiscard]] Expected<std::optional<StateDocument>> load_document(int state_directory_fd);

/// One runner's hold on the state directory. Not thread-safe.
class StateStore {
 public:
  using Change = std::function<bool(StateDocument&)>;

  /// Opens the directory `path`, takes a runner's number, removes what crashed runners left, and
  /// loads the state or saves a new one with `steps` steps.
  [[nodiscard]] static Expected<StateStore> open(const std::string& path, int steps,
                                                 SaveRules rules);

  /// As this runner last saw it.
  [[nodiscard]] const StateDocument& document() const { return document_; }
  [[nodiscard]] int runner() const { return slot_.number(); }
  [[nodiscard]] bool another_runner_lives() const { return slot_.another_lives(); }

  /// Loads the document again if another runner has changed it.
  [[nodiscard]] Outcome refresh();

  /// Makes `change` and saves it, durably. `change` may be called again on a newer document and
  /// returns false to give up, since it no longer applies; then the result is false.
  [[nodiscard]] Expected<bool> update(const Change& change);

  /// Saves out/`name`, durably.
  [[nodiscard]] Outcome save_output(const std::string& name, std::string_view content);
  /// Adds to out/`name`, durably: not repeatable, so only `append-output` does it.
  [[nodiscard]] Outcome append_output(const std::string& name, std::string_view content);

 private:
  StateStore(FileDescriptor directory, RunnerSlot slot, SaveRules rules)
      : directory_(std::move(directory)), slot_(std::move(slot)), rules_(rules) {}

  [[nodiscard]] Outcome create_files();
  [[nodiscard]] Outcome remove_leftovers();
  [[nodiscard]] Outcome load_or_create(int steps);
  /// Waits for the lock, which lasts as long as the result. None if there is no such file yet.
  [[nodiscard]] Expected<FileDescriptor> lock_file(const char* name) const;
  [[nodiscard]] Expected<int64_t> version_on_disk() const;
  /// false: another runner was faster.
  [[nodiscard]] Expected<bool> commit(StateDocument changed);
  [[nodiscard]] Expected<bool> put_in_place(AtomicSave& save, StateDocument changed);
  /// `lock-the-target`: reads, changes and saves under one lock, on a file that others have since
  /// replaced.
  [[nodiscard]] Expected<bool> update_under_lock_of_target(const Change& change);

  FileDescriptor directory_;
  FileDescriptor output_directory_;
  RunnerSlot slot_;
  SaveRules rules_;
  StateDocument document_;
};

}  // namespace scenarios::state_manager
