// What the keys of causes are made of. A key is the identity of a finding: equal keys are one
// cause, and its hash is the finding's name, the same over runs and models.
//
// A file is named by its role (file_role.h) and by the place in the program that got hold of it:
// the line that opened it, for what is written or synced through that; else the line that made the
// call. So a loop over many names has one cause, and two lines have two, whatever the names look
// like.
//
// Where no source line can be read, a place is no finer than a function, or than one address for
// all runs of a tool such as mv; there the name of the file tells causes apart, without what
// differs between its siblings (path_pattern.h). So it is with peers on a network.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/explain/call_site.h"
#include "harness/explain/file_role.h"
#include "harness/trace/chance_names.h"

namespace everycrash {

class Trace;
struct Operation;
struct Complaint;

/// How much of a file's name tells causes apart where its place does not.
enum class NameGrain : uint8_t {
  kWhole,   ///< "etc/a.conf"
  kSuffix,  ///< "etc/*.conf": what one function saves without a sync, it saves so whatever the name
};

/// Words for the operations of one trace, which must outlive it. One thread.
class CauseWords {
 public:
  CauseWords(const Trace& trace, SiteOf site_of, NameGrain grain = NameGrain::kWhole);

  /// "state made by `open(path)` in Store::save in app", "out/step-#.txt"; "" for what has no file.
  [[nodiscard]] std::string file_of(const Operation& operation) const;
  /// "rename state made by ... at Store::save in app", "print at main in app", "event step# at
  /// ...".
  [[nodiscard]] std::string call_of(const Operation& operation) const;
  /// What COMPLAINT is about: the role of its file, the kind of its effect; "" if it names neither.
  [[nodiscard]] std::string subject_of(const Complaint& complaint) const;

 private:
  /// The operation by which the program got hold of the file of OPERATION.
  [[nodiscard]] const Operation& origin_of(const Operation& operation) const;
  [[nodiscard]] std::string pattern_of(std::string_view path, int32_t process) const;

  const Trace& trace_;
  SiteOf site_of_;
  NameGrain grain_;
  FileRoles roles_;
  ChanceNames chance_;
  std::unordered_map<uint64_t, std::vector<const Operation*>> opens_;  // by inode
};

}  // namespace everycrash
