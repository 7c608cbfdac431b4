// Notes in one file that is replaced whole at each change: the example that the tests crash.
#pragma once

#include <map>
#include <string>

namespace notes {

/// Whether a save waits for the disk; what an `unsynced` one leaves after a power failure is the
/// mistake that the crash tests plant.
enum class Durability { kSynced, kUnsynced };

/// Keys and texts without line breaks, in one file. Not thread-safe. Throws std::runtime_error
/// where the file cannot be read, written, or understood.
class NoteStore {
 public:
  /// Reads FILE; a file that is not there holds no notes.
  explicit NoteStore(std::string file, Durability durability = Durability::kSynced);
  /// The note is on disk when this returns, unless the store is unsynced.
  void put(const std::string& key, const std::string& text);
  const std::map<std::string, std::string>& notes() const { return notes_; }

 private:
  void save() const;

  std::string file_;
  Durability durability_;
  std::map<std::string, std::string> notes_;
};

}  // namespace notes
