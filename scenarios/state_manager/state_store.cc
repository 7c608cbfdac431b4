#include "scenarios/state_manager/state_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace scenarios::state_manager {
namespace {

constexpr char kStateName[] = "state.json";
constexpr char kCommitLockName[] = "commit.lock";
constexpr char kOutputDirectory[] = "out";
constexpr size_t kHeadBytes = 256;

}  // namespace

Expected<std::optional<StateDocument>> load_document(int state_directory_fd) {
  const auto content = read_file(state_directory_fd, kStateName);
  if (!content) return tl::unexpected(content.error());
  if (!*content) return std::optional<StateDocument>();
  auto document = parse_document(**content);
  if (!document) return failed("state.json cannot be read: " + document.error().message);
  return std::optional<StateDocument>(std::move(*document));
}

Expected<StateStore> StateStore::open(const std::string& path, int steps, SaveRules rules) {
  auto directory = open_directory(path);
  if (!directory) return tl::unexpected(directory.error());
  auto slot = RunnerSlot::take(directory->get());
  if (!slot) return tl::unexpected(slot.error());
  rules.runner = slot->number();
  StateStore store(std::move(*directory), std::move(*slot), rules);
  const Outcome ready =
      store.create_files().and_then([&] { return store.remove_leftovers(); }).and_then([&] {
        return store.load_or_create(steps);
      });
  if (!ready) return tl::unexpected(ready.error());
  return store;
}

Outcome StateStore::create_files() {
  const FileDescriptor lock(
      openat(directory_.get(), kCommitLockName, O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock.valid()) return call_failed("open commit.lock");
  if (mkdirat(directory_.get(), kOutputDirectory, 0755) != 0 && errno != EEXIST) {
    return call_failed("make the directory out");
  }
  // Also where it was there: whoever made it may have been killed before this.
  if (fsync(directory_.get()) != 0) return call_failed("fsync the state directory");
  output_directory_ = FileDescriptor(
      openat(directory_.get(), kOutputDirectory, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!output_directory_.valid()) return call_failed("open the directory out");
  return {};
}

Outcome StateStore::remove_leftovers() {
  return slot_.for_each_dead_or_own([&](int runner) {
    SaveRules rules = rules_;
    rules.runner = runner;
    return remove_stale_temp_files(directory_.get(), rules).and_then([&] {
      return remove_stale_temp_files(output_directory_.get(), rules);
    });
  });
}

Outcome StateStore::load_or_create(int steps) {
  auto loaded = load_document(directory_.get());
  if (!loaded && rules_.mistake != Break::kCorruptIsEmpty) return tl::unexpected(loaded.error());
  if (loaded && *loaded) {
    document_ = std::move(**loaded);
    return {};
  }
  document_ = new_document(steps);
  // An unreadable file taken for none may still begin with a version.
  const auto version = version_on_disk();
  if (!version) return tl::unexpected(version.error());
  document_.version = *version;
  const auto created = update([](StateDocument&) { return true; });
  if (!created) return tl::unexpected(created.error());
  return {};
}

Outcome StateStore::refresh() {
  const auto version = version_on_disk();
  if (!version) return tl::unexpected(version.error());
  if (*version == document_.version) return {};
  auto loaded = load_document(directory_.get());
  if (!loaded) return tl::unexpected(loaded.error());
  if (!*loaded) return failed("state.json has been removed");
  document_ = std::move(**loaded);
  return {};
}

Expected<int64_t> StateStore::version_on_disk() const {
  const FileDescriptor file(openat(directory_.get(), kStateName, O_RDONLY | O_CLOEXEC));
  if (!file.valid() && errno == ENOENT) return 0;
  if (!file.valid()) return call_failed("open state.json");
  char head[kHeadBytes];
  const ssize_t count = pread(file.get(), head, sizeof head, 0);
  if (count < 0) return call_failed("read state.json");
  const auto version = version_in_head(std::string_view(head, static_cast<size_t>(count)));
  if (!version && rules_.mistake == Break::kCorruptIsEmpty) return 0;
  if (!version) return failed("state.json does not begin with its version");
  return *version;
}

Expected<FileDescriptor> StateStore::lock_file(const char* name) const {
  FileDescriptor lock(openat(directory_.get(), name, O_RDONLY | O_CLOEXEC));
  if (!lock.valid() && errno == ENOENT && document_.version == 0) return lock;
  if (!lock.valid()) return call_failed(std::string("open ") + name);
  while (flock(lock.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return call_failed(std::string("lock ") + name);
  }
  return lock;
}

Expected<bool> StateStore::commit(StateDocument changed) {
  changed.version = document_.version + 1;
  const std::string json = to_json(changed);
  AtomicSave save(directory_.get(), kStateName, json, rules_);
  if (const Outcome prepared = save.prepare(); !prepared) {
    return tl::unexpected(prepared.error());
  }
  if (rules_.mistake == Break::kLostUpdate || rules_.mistake == Break::kLockTheTarget) {
    return put_in_place(save, std::move(changed));
  }
  const auto lock = lock_file(kCommitLockName);
  const auto version = lock ? version_on_disk() : tl::unexpected(lock.error());
  if (!version || *version != document_.version) save.discard();
  if (!version) return tl::unexpected(version.error());
  if (*version != document_.version) return false;
  return put_in_place(save, std::move(changed));
}

Expected<bool> StateStore::put_in_place(AtomicSave& save, StateDocument changed) {
  if (const Outcome published = save.publish(); !published) {
    return tl::unexpected(published.error());
  }
  document_ = std::move(changed);
  return true;
}

Expected<bool> StateStore::update(const Change& change) {
  if (rules_.mistake == Break::kLockTheTarget) return update_under_lock_of_target(change);
  while (true) {
    StateDocument changed = document_;
    if (!change(changed)) return false;
    const auto committed = commit(std::move(changed));
    if (!committed) return tl::unexpected(committed.error());
    if (*committed) return true;
    if (const Outcome refreshed = refresh(); !refreshed) {
      return tl::unexpected(refreshed.error());
    }
  }
}

Expected<bool> StateStore::update_under_lock_of_target(const Change& change) {
  const auto lock = lock_file(kStateName);
  if (!lock) return tl::unexpected(lock.error());
  if (lock->valid()) {
    if (const Outcome refreshed = refresh(); !refreshed) return tl::unexpected(refreshed.error());
  }
  StateDocument changed = document_;
  if (!change(changed)) return false;
  return commit(std::move(changed));
}

Outcome StateStore::save_output(const std::string& name, std::string_view content) {
  return save_file(output_directory_.get(), name, content, rules_);
}

Outcome StateStore::append_output(const std::string& name, std::string_view content) {
  const FileDescriptor file(openat(output_directory_.get(), name.c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!file.valid()) return call_failed("open out/" + name);
  if (const Outcome written = write_all(file.get(), content, "out/" + name); !written) {
    return written;
  }
  if (fsync(file.get()) != 0) return call_failed("fsync out/" + name);
  if (fsync(output_directory_.get()) != 0) return call_failed("fsync the directory out");
  return {};
}

}  // namespace scenarios::state_manager
