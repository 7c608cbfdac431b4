#include "note_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <utility>

namespace notes {
namespace {

constexpr const char* kEnd = "end of notes";

void check(bool good, const std::string& what) {
  if (!good) throw std::runtime_error("cannot " + what);
}

/// Writes TEXT to FILE, on disk if SYNC.
void write_file(const std::string& file, const std::string& text, bool sync) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  check(descriptor >= 0, "open " + file);
  const bool written =
      write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool synced = !sync || fsync(descriptor) == 0;
  close(descriptor);
  check(written && synced, "write " + file);
}

void sync_folder_of(const std::string& file) {
  const size_t slash = file.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : file.substr(0, slash);
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  check(descriptor >= 0 && fsync(descriptor) == 0, "sync " + folder);
  close(descriptor);
}

}  // namespace

NoteStore::NoteStore(std::string file, Durability durability)
    : file_(std::move(file)), durability_(durability) {
  std::ifstream in(file_);
  if (!in.is_open()) return;
  bool whole = false;
  for (std::string line; std::getline(in, line);) {
    whole = line == kEnd;
    const size_t tab = line.find('\t');
    if (tab != std::string::npos) notes_[line.substr(0, tab)] = line.substr(tab + 1);
  }
  check(whole, "understand " + file_ + ": its end is missing");
}

void NoteStore::put(const std::string& key, const std::string& text) {
  notes_[key] = text;
  save();
}

void NoteStore::save() const {
  std::string content;
  for (const auto& [key, text] : notes_) content += key + "\t" + text + "\n";
  content += std::string(kEnd) + "\n";
  const bool sync = durability_ == Durability::kSynced;
  const std::string temporary = file_ + ".new";
  write_file(temporary, content, sync);
  check(rename(temporary.c_str(), file_.c_str()) == 0, "replace " + file_);
  if (sync) sync_folder_of(file_);
}

}  // namespace notes
