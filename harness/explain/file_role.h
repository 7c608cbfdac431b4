// What a file is for, told by what a run does with its name and not by how that looks.
//
// Files of one role that one place in a program makes are alike for whoever looks for a cause: the
// objects of a store that are named by hashes, numbered steps, temporary files with random names.
// What the run shows of a name:
//
//   a folder         something is in it, or mkdir made it
//   temporary        the run makes it, and it is gone in the end since it was renamed (or linked
//                    to another name): what it held lives on
//   passing          the run makes it, and removes it for good: a lock, a journal
//   outbox           its appearance was an effect: it is for somebody else
//   state            everything else: what the next run finds
//
// What lies in a folder that is temporary or passing is so too. A run that was killed has not shown
// all of it; what it leaves is state to whoever comes next.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace everycrash {

class Trace;

enum class FileRole : uint8_t { kState, kFolder, kTemporary, kPassing, kOutbox };

/// "state", "temporary", ...
[[nodiscard]] std::string_view name_of(FileRole role);

/// The roles of the files of one run. A value.
class FileRoles {
 public:
  explicit FileRoles(const Trace& trace);

  /// PATH need not be one of the run; "" is the state directory.
  [[nodiscard]] FileRole of(std::string_view path) const;

 private:
  std::map<std::string, FileRole, std::less<>> gone_;  // in the end; temporary or passing
  std::set<std::string, std::less<>> folders_;
  std::set<std::string, std::less<>> outboxes_;
};

}  // namespace everycrash
