// What each file held, whole, at some moment of the recorded run: the ground of the oracles that
// need no checker.
//
// A *version* of a name is a content that it held while nobody was writing: what was there before
// the workload, when a writer closed it, just before it was opened for writing again, or before it
// was replaced or removed; what was renamed or linked into place; what was left in the end; or that
// it was absent. Names are judged by their versions only if the workload makes or replaces their
// files whole. That is a matter of how it writes:
//
//   open(O_TRUNC or O_EXCL) or ftruncate to 0, then bytes in order     judged
//   rename or link of another file into place                          judged
//   O_APPEND, or writes behind what was there before                   not: appended to
//   writes into what is there                                          not: updated in place
//   writes that go on after an fsync, after something was printed, or
//   after the same thread changed another file                         not: a log, a database
//
// Names that the run itself takes away again (temporary files) are never judged.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/digest.h"
#include "harness/base/error.h"
#include "harness/check/flaw.h"
#include "harness/check/print.h"
#include "harness/model/file_system.h"
#include "harness/trace/temporary_names.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// Content of a file or symbolic link, apart from its attributes. A value.
struct Content {
  uint32_t type = 0;  ///< S_IFMT part of st_mode
  int64_t size = 0;
  Digest sum;
  friend bool operator==(const Content&, const Content&) = default;
};
[[nodiscard]] Content content_of(const Node& node);
/// Of what has the name PATH in TREE; nullopt if nothing has.
[[nodiscard]] std::optional<Content> content_at(const FileSystem& tree, const std::string& path);

/// One moment of a name.
struct Version {
  uint64_t since = 0;  ///< sequence of the record after which it was there, 0 = from the start
  std::optional<Content> content;  ///< nullopt = absent
  /// The record with which its writer was done with it: closed it, or synced it if that came next,
  /// or put it in place.
  uint64_t finished = since;
};

/// A judged name.
struct NameHistory {
  std::vector<Version> versions;  ///< in order of time
  bool absent_first = false;      ///< the workload made it
  /// Index of the latest version that is an absence with which something was printed, or the run
  /// ended: not one in between, before a successor is in place.
  std::optional<size_t> settled_absence;
  bool absence_allowed =
      false;  ///< it was absent before its first version, or when something was printed
  /// Number of versions that are not absence.
  [[nodiscard]] size_t contents() const;
  /// Index of the latest version with that content (nullopt: absent), or nullopt.
  [[nodiscard]] std::optional<size_t> latest(const std::optional<Content>& content) const;
};

/// Immutable once made, and then safe to read from several threads. Small: digests, no contents,
/// but for the final tree.
class History {
 public:
  /// Walks TRACE once. Names that KNOWN has are temporary here too, though this run, or the one
  /// that was killed before it, leaves them. Fails with kHarness where it contradicts itself.
  static Result<History> of(const Trace& trace, const TemporaryNames& known = {});

  /// Judged names.
  [[nodiscard]] const std::map<std::string, NameHistory>& judged() const { return judged_; }
  /// Names that exist in the end and are not judged, each with the reason.
  [[nodiscard]] const std::map<std::string, Flaw>& not_judged() const { return not_judged_; }
  /// True for those whose bytes are written where they are, in an order that nobody outside knows.
  [[nodiscard]] bool is_updated_in_place(const std::string& path) const;
  /// Files and folders that the run made and took away again.
  [[nodiscard]] const TemporaryNames& temporary() const { return temporary_; }
  /// The state directory before the run.
  [[nodiscard]] const FileSystem& initial_tree() const { return initial_tree_; }
  /// The state directory when the run was over, what it had printed and its event lines.
  [[nodiscard]] const FileSystem& final_tree() const { return final_tree_; }
  [[nodiscard]] const std::string& printed() const { return printed_; }
  [[nodiscard]] const std::string& events() const { return events_; }

  [[nodiscard]] const std::vector<Print>& prints() const { return prints_; }
  /// The last record that changed something or was printed; a crash behind it finds a run that is
  /// over.
  [[nodiscard]] uint64_t end() const { return end_; }

 private:
  friend class VersionCollector;
  FileSystem initial_tree_, final_tree_;
  std::string printed_, events_;
  std::vector<Print> prints_;
  uint64_t end_ = 0;
  std::map<std::string, NameHistory> judged_;
  std::map<std::string, Flaw> not_judged_;
  TemporaryNames temporary_;
};

}  // namespace everycrash
