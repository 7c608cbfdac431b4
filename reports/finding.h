// A finding as result documents hold it: what is broken, by its smallest example.
//
// Plain values, no ownership between them, as in reports/result.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/crash_kind.h"

namespace everycrash::reports {

/// More failing crash points of one finding than these are counted, not listed.
inline constexpr size_t kPointsMax = 20;
/// More events of one operation than these are not listed.
inline constexpr size_t kEventsMax = 8;

/// Position in ResultDocument::stacks, or kNoStack.
using StackIndex = int32_t;
inline constexpr StackIndex kNoStack = -1;

/// Something that a workload did to the outside, or a step that it named.
struct OutsideEvent {
  enum class Kind : uint8_t { kStep, kEffect } kind = Kind::kStep;
  std::string words;        ///< the step's name; of an effect its kind and key: "charge order-17"
  bool repeatable = false;  ///< of an effect: its receiver knows a repeat of it
  bool operator==(const OutsideEvent&) const = default;
};

/// An operation that a finding is about. Results of older versions have no more than the
/// description of it.
struct InvolvedOperation {
  uint64_t sequence = 0;
  std::string description;  ///< for a person: "rename state.json.tmp -> state.json"
  StackIndex stack = kNoStack;
  std::string kind;  ///< this and the following as in TimelineOperation
  std::string path;
  std::string other_path;
  std::string detail;
  std::vector<OutsideEvent> events;
  bool operator==(const InvolvedOperation&) const = default;
};

/// Where to find the minimal state again.
struct StateCoordinates {
  uint64_t record = 0;                ///< crash after this many records of the trace
  std::optional<uint64_t> cut_bytes;  ///< the next write got this far; absent = it never began
  std::string model;
  uint64_t tear_bytes = 4096;  ///< what a unit of data is; numbers of units depend on it
  std::vector<uint64_t> lost_units;
  bool operator==(const StateCoordinates&) const = default;
};

/// What of one operation the minimal state has lost.
struct LostPart {
  uint64_t sequence = 0;
  uint64_t units_lost = 0;
  uint64_t units = 0;             ///< of the operation, in all
  std::vector<std::string> what;  ///< "bytes 0 to 812 of a.tmp", at most kLostPartsMax
  bool operator==(const LostPart&) const = default;
};
inline constexpr size_t kLostPartsMax = 4;

/// One name in one tree.
struct TreeEntry {
  std::string kind;  ///< "file", "folder", "link", "special"
  int64_t size = 0;  ///< bytes, of a file
  uint32_t mode = 0;
  std::string target;    ///< of a link
  uint32_t content = 0;  ///< numbers the distinct contents of one row, from 1
  bool operator==(const TreeEntry&) const = default;
};

/// One name in the trees of a finding; absent where the name is.
struct TreeRow {
  std::string path;
  std::optional<TreeEntry> before;  ///< as the program saw it
  std::optional<TreeEntry> crash;   ///< as the crash left it
  std::optional<TreeEntry> after;   ///< after recovery, the resumed run, or the checker
  bool operator==(const TreeRow&) const = default;
};

/// A part of a file's content.
struct FileBytes {
  int64_t size = 0;    ///< of the whole file
  std::string base64;  ///< from FileVersions::offset on
  bool operator==(const FileBytes&) const = default;
};

/// The broken file: what it held, what it was to hold, and what a crash left. Absent = no such
/// file.
struct FileVersions {
  std::string path;
  int64_t offset = 0;  ///< where the excerpts begin
  std::optional<FileBytes> old_content;
  uint64_t old_sequence = 0;  ///< after this record
  std::optional<FileBytes> new_content;
  uint64_t new_sequence = 0;
  std::optional<FileBytes> found;
  bool operator==(const FileVersions&) const = default;
};

/// What the minimal state of a finding looks like. Bounded: what is left out is said.
struct Evidence {
  std::vector<LostPart> lost;
  uint64_t before_sequence = 0;  ///< TreeRow::before is the tree after this record
  std::vector<TreeRow> tree;     ///< by path; all rows that differ come before any that does not
  uint64_t tree_left_out = 0;    ///< rows
  std::string after_what;        ///< what ran: "recovery", "running it again", "the checker"
  std::optional<FileVersions> file;
  std::string printed;   ///< the end of what had been printed by then
  std::string left_out;  ///< what is missing here and why, "" = nothing
  bool operator==(const Evidence&) const = default;
};

/// A crash that came before the one that a finding is about: recovery ran on what it left.
struct EarlierCrash {
  CrashKind crash = CrashKind::kKill;
  std::string point;
  std::string trace;  ///< file of the run that crashed, as in Finding::trace
  /// So many runs before it, which were killed, are in that file too, for what they had not synced.
  uint32_t continues = 0;
  StateCoordinates state;
  std::optional<InvolvedOperation> operation;  ///< none = before the first operation
  bool operator==(const EarlierCrash&) const = default;
};

/// What became of the search for a finding's state on a real file system.
enum class Sighting : uint8_t {
  kSeen,
  kAlike,        ///< not it, but a state that fails in the same way
  kNotSeen,      ///< it was searched for
  kNotSearched,  ///< it was to be searched for, but something came between
  kNotAsked,     ///< nobody asked for a search
};

/// One search for a finding's state on one real file system.
struct RealSearch {
  Sighting sighting = Sighting::kNotAsked;
  std::string file_system;  ///< as --on names it: "xfs"; "" = on none at all
  std::string kernel;
  bool default_options = false;  ///< of mkfs and mount
  uint64_t states = 0;           ///< in which it, or what fails alike, was seen
  uint64_t states_searched = 0;
  std::string command;  ///< mounts one of those states
  std::string image;    ///< kept, which `command` mounts; "" = it makes one from the trace
  std::string why;      ///< it was not searched for
  bool operator==(const RealSearch&) const = default;
};

/// All violations with one cause, by its smallest example.
struct Finding {
  std::string id;     ///< hexadecimal hash of the cause, stable over runs
  std::string title;  ///< one line, plain words
  std::string judge;  ///< "checker", "half file", ...
  /// The broken file, "" if it is not one file; of "exactly once": the effect, "charge order-17".
  std::string path;
  /// Of "exactly once" one of two words: "duplicate", the effect happens twice, or "loss", never.
  std::string effect_fault;
  std::string window;  ///< of "exactly once": the time in which a crash does it
  std::vector<std::string> complaints;
  std::string run_end;  ///< of a run in which a call failed: "exit status 1"
  CrashKind crash = CrashKind::kKill;
  std::vector<std::string> models;
  std::string point;      ///< "rename(state.json)#2"
  uint64_t sequence = 0;  ///< record at which the crash came
  StateCoordinates state;
  /// The file of the run that `state` is of, beside the result; "" = the recorded run.
  std::string trace;
  uint32_t continues = 0;             ///< as in EarlierCrash
  std::vector<EarlierCrash> earlier;  ///< crashes before this one, the first one first
  /// Of two runners at once: the file of a run in which one came after the other.
  std::string serial_trace;
  /// Who ran when, where two runners were at work: a line each.
  std::vector<std::string> schedule;
  std::optional<InvolvedOperation> crash_operation;  ///< none = before the first operation
  /// What opened the time in which a crash does harm: the truncation, the early rename.
  std::optional<InvolvedOperation> cause_operation;
  /// What closes that time, where it is known: what records an effect, what removes a lock. Not of
  /// a half file, which its own last write makes whole.
  std::optional<InvolvedOperation> until_operation;
  std::vector<InvolvedOperation> lost_operations;
  std::optional<InvolvedOperation> kept_operation;
  std::string explanation;          ///< what reached the disk and what did not
  uint64_t states = 0;              ///< failing states with this cause
  std::vector<std::string> points;  ///< at most kPointsMax, in trace order
  uint64_t points_total = 0;
  std::string first_point;
  std::string last_point;
  /// Effects that the workload had at the failing crash points, each once, at most kPointsMax.
  std::vector<std::string> effects;
  std::vector<RealSearch> real_searches;
  std::string reproduce;  ///< a command line, quoted for the shell
  std::optional<Evidence> evidence;
  std::string waived;  ///< why it does not fail the run ("known: in the baseline"); "" = it does
  bool operator==(const Finding&) const = default;
};

/// "step", "effect".
[[nodiscard]] const char* name_of(OutsideEvent::Kind kind);

/// "seen", "alike", "not seen", "not searched", "not asked".
[[nodiscard]] const char* name_of(Sighting sighting);

}  // namespace everycrash::reports
