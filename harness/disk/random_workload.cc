#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

#include "harness/disk/litmus.h"

namespace everycrash {
namespace {

/// What the script has made so far: enough to choose only what can happen.
class Generator {
 public:
  Generator(uint64_t seed, uint64_t number)
      : engine_(seed * 0x9e3779b97f4a7c15ULL + number * 0xbf58476d1ce4e5b9ULL + 1) {}

  std::vector<std::string> run() {
    begin();
    const size_t wanted = 2 + below(5);
    size_t made = 0;
    for (int attempts = 0; made < wanted && attempts < 200; ++attempts) {
      if (operation()) ++made;
    }
    // Closing starts nothing on its own but where a model says so: half of the files stay open.
    for (const std::string& file : std::set<std::string>(open_)) {
      if (below(2) == 0) close(file);
    }
    return std::move(lines_);
  }

 private:
  size_t below(size_t limit) { return static_cast<size_t>(engine_() % limit); }
  void line(std::string text) { lines_.push_back(std::move(text)); }

  void begin() {
    line("initial-dir A");
    directories_ = {".", "A"};
    if (below(2) == 0) {
      line("initial-dir B");
      directories_.emplace_back("B");
    }
    for (const char* name : {"a", "A/b"}) {
      if (below(3) == 0) continue;
      sizes_[name] = kSizes[below(kSizes.size())];
      line(fmt::format("initial {} o*{}", name, sizes_[name]));
    }
  }

  /// One operation; false if what was chosen cannot happen here.
  bool operation() {
    switch (below(15)) {
      case 0:
      case 1:
        return create();
      case 2:
      case 3:
        return write();
      case 4:
        return append();
      case 5:
        return truncate();
      case 6:
      case 7:
        return rename();
      case 8:
        return link();
      case 9:
        return unlink();
      case 10:
        return make_directory();
      case 11:
      case 12:
        return sync_file("fsync");
      case 13:
        return below(3) == 0 ? sync_all() : sync_file("fdatasync");
      default:
        line("fsync " + directories_[below(directories_.size())]);
        return true;
    }
  }

  std::string some_name() {
    static constexpr std::array kNames = {"a", "b", "c"};
    const std::string& folder = directories_[below(directories_.size())];
    const std::string name = kNames[below(kNames.size())];
    return folder == "." ? name : folder + "/" + name;
  }
  std::string some_file() {
    if (sizes_.empty()) return "";
    auto it = sizes_.begin();
    std::advance(it, below(sizes_.size()));
    return it->first;
  }
  char fresh_letter() { return static_cast<char>('p' + letters_++ % 10); }

  void close(const std::string& file) {
    line("close " + file);
    open_.erase(file);
  }

  bool create() {
    const std::string name = some_name();
    if (sizes_.count(name) != 0) {  // replace via truncate
      line("empty " + name);
      sizes_[name] = 0;
      open_.insert(name);
      if (below(2) == 0) write_at(name, 0);
      if (below(2) == 0) close(name);
      return true;
    }
    line("create " + name);
    sizes_[name] = 0;
    open_.insert(name);
    if (below(2) == 0) write_at(name, 0);
    if (below(2) == 0) close(name);
    return true;
  }

  void write_at(const std::string& file, int64_t offset) {
    const int64_t length = kLengths[below(kLengths.size())];
    line(fmt::format("write {} {} {}*{}", file, offset, fresh_letter(), length));
    sizes_[file] = std::max(sizes_[file], offset + length);
    open_.insert(file);
  }

  bool write() {
    const std::string file = some_file();
    if (file.empty()) return false;
    static constexpr std::array<int64_t, 4> kOffsets = {0, 0, 100, 4096};
    const int64_t offset = kOffsets[below(kOffsets.size())];
    if (offset > sizes_[file]) return false;  // no holes: they are left to the litmus workloads
    write_at(file, offset);
    return true;
  }

  bool append() {
    const std::string file = some_file();
    if (file.empty() || sizes_[file] > 12'000) return false;
    write_at(file, sizes_[file]);
    return true;
  }

  bool truncate() {
    const std::string file = some_file();
    if (file.empty()) return false;
    static constexpr std::array<int64_t, 4> kTo = {0, 50, 4096, 6000};
    const int64_t size = kTo[below(kTo.size())];
    line(fmt::format("truncate {} {}", file, size));
    sizes_[file] = size;
    open_.insert(file);
    return true;
  }

  bool rename() {
    const std::string from = some_file(), to = some_name();
    if (from.empty() || from == to || names_of_one_file(from, to)) return false;
    line(fmt::format("rename {} {}", from, to));
    if (linked_.count(to) != 0) linked_.erase(to);
    sizes_[to] = sizes_[from];
    sizes_.erase(from);
    open_.erase(to);
    if (open_.erase(from) != 0) open_.insert(to);
    if (linked_.erase(from) != 0) linked_.insert(to);
    return true;
  }

  /// Only one file gets a second name, so that two names of one file are easily told.
  [[nodiscard]] bool names_of_one_file(const std::string& a, const std::string& b) const {
    return linked_.count(a) != 0 && linked_.count(b) != 0;
  }

  bool link() {
    const std::string from = some_file(), to = some_name();
    if (from.empty() || sizes_.count(to) != 0 || !linked_.empty()) return false;
    line(fmt::format("link {} {}", from, to));
    sizes_[to] = sizes_[from];
    linked_ = {from, to};
    return true;
  }

  bool unlink() {
    const std::string file = some_file();
    if (file.empty()) return false;
    if (open_.count(file) != 0) close(file);
    line("unlink " + file);
    sizes_.erase(file);
    linked_.erase(file);
    return true;
  }

  bool make_directory() {
    if (directories_.size() > 3) return false;
    const std::string name = directories_.back() == "." || below(2) == 0 ? "D" : "A/D";
    if (std::find(directories_.begin(), directories_.end(), name) != directories_.end()) {
      return false;
    }
    line("mkdir " + name);
    directories_.push_back(name);
    return true;
  }

  bool sync_file(const char* verb) {
    const std::string file = some_file();
    if (file.empty()) return false;
    line(fmt::format("{} {}", verb, file));
    return true;
  }
  bool sync_all() {
    line("sync");
    return true;
  }

  static constexpr std::array<int64_t, 4> kSizes = {0, 10, 4096, 5000};
  static constexpr std::array<int64_t, 4> kLengths = {10, 3000, 4096, 5000};
  std::mt19937_64 engine_;
  std::vector<std::string> lines_;
  std::vector<std::string> directories_;
  std::map<std::string, int64_t> sizes_;  // files, by name
  std::set<std::string> open_;
  std::set<std::string> linked_;
  int letters_ = 0;
};

}  // namespace

Litmus random_workload(uint64_t seed, uint64_t number) {
  return {fmt::format("random {} of seed {}", number, seed), Generator(seed, number).run()};
}

std::vector<std::vector<std::string>> smaller_scripts(const std::vector<std::string>& script) {
  std::vector<std::vector<std::string>> found;
  for (size_t i = script.size(); i-- > 0;) {
    std::vector<std::string> smaller = script;
    smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(i));
    found.push_back(std::move(smaller));
  }
  return found;
}

}  // namespace everycrash
