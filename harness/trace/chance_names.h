// Names that chance made without a mark before it: "XX9aVzbx" of perl -i, "zi5Bz2ob" of zip,
// "d2utmpDyNNod" of dos2unix, ".dirstate-5fpmz_11~" of Mercurial; or as a long number or word, with
// one or not: "state-2842761234" of Go, "state.json.8l51g9mu7cu.tmp" of JavaScript.
//
// A path alone does not tell: "Makefile2a" may be as stable as a name can be. A run does. What it
// makes with O_EXCL for its owner alone, and renames or removes, is a temporary file as mkstemp(3)
// makes it; if the end of its name mixes digits with letters or upper with lower case, then chance
// has chosen that, and it is written "XX<random>". So it is where the run renames what it has made
// to the beginning of its name, "state.json" say. (point_name.h knows other names that have a
// mark.)
//
// mkstemp chooses six characters, Python eight; from up to eight of them the name is left open,
// since a run does not tell how many are random. Where a mark does ("tmp-ab12cd34"), as many
// letters behind the same mark are known too where no digit is among them, or a '_' is.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "harness/trace/path_pattern.h"

namespace everycrash {

struct Operation;

/// The names of a run that chance made, and those that it would have made in another run. A value.
class ChanceNames {
 public:
  ChanceNames() = default;
  /// Learns from all of RECORDS.
  explicit ChanceNames(std::span<const Operation> records);

  /// Learns from the next record of a run.
  void learn(const Operation& record);

  /// PATH as every run has it, "XX<random>"; PATH itself if chance has not made it.
  [[nodiscard]] std::string pattern_of(std::string_view path) const;
  /// A glob for it, with a '?' for each character that chance chose, and a '*' where the next run
  /// may need more or fewer of them; "" if there is none.
  [[nodiscard]] std::string glob_of(std::string_view path) const;

 private:
  struct Made {
    int32_t process;
    bool alone;  // with O_EXCL for its owner alone
  };
  /// A name as mkstemp makes it: so many characters between two texts.
  struct Template {
    std::string before;
    size_t chosen;
    std::string behind;
    friend auto operator<=>(const Template&, const Template&) = default;
  };
  void learn_template(std::string_view path, int32_t process);
  /// What of PATH chance has chosen, if it has made it; else empty.
  [[nodiscard]] point::Part part_of(std::string_view path) const;

  std::map<std::string, Made, std::less<>> made_;  // that are there now
  std::set<std::string> shapes_;                   // of those that have been taken away
  std::set<Template> templates_;
};

}  // namespace everycrash
