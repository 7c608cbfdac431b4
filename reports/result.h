// The result document: everything that a run did, as plain data. Every report (terminal, JSON,
// and whatever else is drawn) comes from it alone, so whoever draws needs no trace and no binary.
//
// Plain values, no ownership between them: copy, compare and share them as any struct. Text that
// came from the workload (paths, messages, arguments) is raw; whoever prints it escapes it
// (reports/text.h). Reading and writing: reports/result_json.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/base/crash_kind.h"
#include "reports/finding.h"

namespace everycrash::reports {

/// Changes of meaning raise the number; a reader refuses numbers that it does not know.
inline constexpr const char* kSchema = "everycrash-result/1";

/// More operations than these are counted in `operations_left_out`, not listed.
inline constexpr size_t kOperationsMax = 5000;
/// More effects than these are counted in `effects_left_out`; those at fault are listed first.
inline constexpr size_t kEffectsMax = 200;

/// What became of the whole run; decides its first word and, with the rules of the command line,
/// its exit code.
enum class Outcome : uint8_t { kSurvived, kViolated, kNotMeasured, kHarnessBroken, kNothing };

/// A number with its name; lists of these keep the order in which they were given.
struct Count {
  std::string name;
  uint64_t count = 0;
  bool operator==(const Count&) const = default;
};

/// A few lines of source around a frame.
struct Excerpt {
  uint32_t first_line = 0;
  std::vector<std::string> lines;
  bool operator==(const Excerpt&) const = default;
};

/// One function on a call stack, or one line of a script. What is unknown is empty or 0.
struct Frame {
  std::string function;
  std::string module;  ///< path of the program or library
  uint64_t module_offset = 0;
  std::string file;  ///< source file, as a person wants to read it
  uint32_t line = 0;
  uint32_t column = 0;
  Excerpt excerpt;
  std::string language;  ///< "python" or "shell" where it is a line of a script
  std::string program;   ///< which the script had run there, and which made the call
  std::string command;   ///< command line of the program, where there is no line to name
  bool library = false;  ///< of the language itself
  bool operator==(const Frame&) const = default;
};

/// Calls of one run, each with its frames innermost first; equal frames are kept once.
struct Stack {
  std::vector<uint32_t> frames;  ///< positions in ResultDocument::frames
  uint32_t user_frame = 0;       ///< position in `frames` of the line to show first
  bool operator==(const Stack&) const = default;
};

struct TraceFile {
  std::string file;      ///< relative to the folder of the result
  std::string identity;  ///< hash of the whole file
  bool operator==(const TraceFile&) const = default;
};

/// What counts as an effect and how often it may happen, as it was given.
struct EffectJudging {
  std::vector<std::string> commands;
  std::vector<std::string> folders;
  std::vector<std::string> peers;
  std::string sink;   ///< with the port that was used, "" = none
  std::string times;  ///< "" = exactly once, "at-least-once", "at-most-once"
  bool operator==(const EffectJudging&) const = default;
};

/// How states were judged: what a replay needs to judge one again. Commands as they were given.
struct Judging {
  std::string base;  ///< folder at which relative paths in commands start
  std::string check;
  std::string recover;
  bool resume = false;
  std::vector<std::string> oracles;
  std::string acknowledgement;
  std::vector<std::string> ignore;
  EffectJudging effects;
  uint64_t limit_ms = 0;  ///< of one command
  bool operator==(const Judging&) const = default;
};

/// What recording saw.
struct Recorded {
  std::vector<Count> operations;  ///< by kind
  uint64_t processes = 0;
  uint64_t threads = 0;
  uint64_t prints = 0;
  uint64_t effects = 0;
  std::vector<std::string> notes;     ///< not supported, but harmless here
  std::vector<std::string> warnings;  ///< may make the verdict less worth
  bool operator==(const Recorded&) const = default;
};

/// How far one crash kind was explored under one model.
struct Coverage {
  CrashKind crash = CrashKind::kKill;
  std::string model;  ///< "" where the crash kind has none
  uint64_t crash_points = 0;
  uint64_t considered = 0;  ///< states, before equal ones were joined
  uint64_t distinct = 0;
  uint64_t checked = 0;
  uint64_t survived = 0;
  uint64_t violated = 0;
  uint64_t not_measured = 0;
  uint64_t skipped_by_budget = 0;
  uint64_t skipped_by_shard = 0;
  bool exhaustive = false;
  std::string bound;              ///< what was covered, where it was not all
  std::vector<Count> strategies;  ///< states considered, by the way that led to them
  bool operator==(const Coverage&) const = default;
};

/// A place in the workload's source that changes state.
struct CallSite {
  std::string kind;
  std::string path_pattern;
  std::string function;
  std::string file;
  uint32_t line = 0;
  uint64_t operations = 0;
  uint64_t crashed_at = 0;  ///< crash points explored there; 0 = never
  bool operator==(const CallSite&) const = default;
};

struct Oracle {
  std::string name;
  bool applied = false;
  std::string reason;  ///< why not, or on what
  bool operator==(const Oracle&) const = default;
};

/// One recorded operation, for a timeline.
struct TimelineOperation {
  uint64_t sequence = 0;
  std::string kind;
  std::string path;
  std::string other_path;
  int64_t offset = 0;
  int64_t length = 0;
  int32_t process = 0;  ///< numbered from 1 in order of appearance
  int32_t thread = 0;   ///< the same
  int64_t result = 0;
  StackIndex stack = kNoStack;
  std::string point;                 ///< name of the crash point right after it, "" if it has none
  std::string detail;                ///< words about it: "new", "emptied", "lost", "exchange"
  std::string text;                  ///< the beginning of what was printed, or the lines of events
  std::vector<OutsideEvent> events;  ///< that came with it, at most kEventsMax
  bool operator==(const TimelineOperation&) const = default;
};

/// From when on operations are safe from a power loss under one model.
struct Durability {
  CrashKind crash = CrashKind::kPower;  ///< or lost-fsync
  std::string model;
  /// For each of ResultDocument::operations the record after which all of it is on disk for
  /// certain; 0 = it has nothing to lose, kNeverDurable = not within the run.
  std::vector<int64_t> since;
  bool operator==(const Durability&) const = default;
};
inline constexpr int64_t kNeverDurable = -1;

/// What a rule noticed without exploring; never a violation of its own.
struct Note {
  std::string rule;  ///< stable id: "rename-without-fsync"
  std::string message;
  std::string path;
  uint64_t sequence = 0;  ///< 0 = about no single operation
  StackIndex stack = kNoStack;
  uint64_t occurrences = 1;
  bool operator==(const Note&) const = default;
};

/// In how many judged states of one crash kind and model an effect was not as it has to be.
struct EffectFaults {
  CrashKind crash = CrashKind::kKill;
  std::string model;
  uint64_t duplicated = 0;
  uint64_t lost = 0;
  bool operator==(const EffectFaults&) const = default;
};

/// An effect of the recorded run, or of a run after a crash only.
struct EffectRow {
  std::string effect;        ///< its kind and key: "charge order-17"
  uint64_t undisturbed = 0;  ///< times in the recorded run
  bool repeatable = false;   ///< its receiver knows a repeat of it
  bool habitual = false;     ///< each run does it anew: not held against the program
  std::vector<EffectFaults> faults;
  bool operator==(const EffectRow&) const = default;
};

/// What `everycrash chaos` has counted.
struct ChaosFigures {
  uint64_t rounds = 0;
  uint64_t runs = 0;              ///< starts of the workload
  uint64_t consistent = 0;        ///< rounds after which no judge had anything to say
  uint64_t not_measured = 0;      ///< rounds that could not be judged
  uint64_t succeeded = 0;         ///< rounds after which the program, left in peace, succeeded
  uint64_t failed_writes = 0;     ///< calls that failed or were cut short
  uint64_t recovery_mean_ms = 0;  ///< of the runs that were left in peace
  uint64_t recovery_worst_ms = 0;
  std::vector<Count> faults;   ///< met, by what they did: "kill", "error", "delay" ...
  std::vector<Count> retries;  ///< rounds, by how many lives had failed: "0", "1" ...
  std::vector<Count> steps;    ///< step markers of the workload, by name
  bool operator==(const ChaosFigures&) const = default;
};

/// How far a run was to go; shards of one run agree in this.
struct Bounds {
  std::string lost_fsync;
  uint64_t states_max = 0;  ///< 0 = no limit
  uint32_t depth = 0;
  uint32_t tear_bytes = 0;
  bool all_points = false;
  bool strict = false;
  bool require_complete = false;
  std::string expect;
  bool operator==(const Bounds&) const = default;
};

/// One reason why a judged state is not good.
struct ShardComplaint {
  std::string judge;
  std::string verdict;
  std::string path;
  std::string message;
  std::string run_end;  ///< as in Finding
  std::string wrong;    ///< what is, in a word or two
  int signal = 0;       ///< that killed the program that judged, 0 = none did
  std::string said;     ///< the beginning of what that program printed
  bool operator==(const ShardComplaint&) const = default;
};

/// What was said about one state, named by the digest of what separates verdicts.
struct ShardVerdict {
  std::string state;        ///< 32 hexadecimal digits
  uint32_t complaints = 0;  ///< position in ShardMaterial::complaints
  bool operator==(const ShardVerdict&) const = default;
};

/// What `everycrash merge` needs of one shard to tell what the whole run would have told.
struct ShardMaterial {
  Bounds bounds;
  bool complete = false;  ///< every state of the shard was judged: those not in `states` survived
  std::vector<std::vector<ShardComplaint>> complaints;  ///< each distinct list once
  std::vector<ShardVerdict> states;                     ///< in the order of their digests
  bool operator==(const ShardMaterial&) const = default;
};

struct ResultDocument {
  std::string tool_version;
  /// Repeats the whole run, quoted for the shell; without what changes no result (--json, --jobs,
  /// --shard and the like).
  std::string command;
  std::vector<std::string> workload;
  std::string state_directory;
  Judging judging;
  TraceFile trace;
  uint64_t seed = 0;
  std::string shard;  ///< "2/4", "" = the whole
  std::string kernel;
  std::vector<CrashKind> crash_kinds;
  std::vector<std::string> models;
  Outcome outcome = Outcome::kNothing;
  std::string reason;  ///< why the run is broken, not measured, or has nothing to explore
  int exit_code = 0;
  bool interrupted = false;
  std::optional<uint64_t> elapsed_ms;     ///< absent where equal runs must give equal bytes
  std::vector<std::string> capabilities;  ///< what this machine did not allow, and what was done
  Recorded recorded;
  std::vector<Coverage> coverage;
  std::vector<CallSite> call_sites;
  std::vector<Oracle> oracles;
  std::vector<Finding> findings;
  std::vector<EffectRow> effects;  ///< by name, those at fault first
  uint64_t effects_left_out = 0;
  std::optional<ChaosFigures> chaos;
  std::vector<Note> notes;
  std::vector<TimelineOperation> operations;
  uint64_t operations_left_out = 0;
  std::vector<Durability> durability;
  std::vector<Stack> stacks;
  std::vector<Frame> frames;
  std::optional<ShardMaterial> shard_material;  ///< present in a shard only
  bool operator==(const ResultDocument&) const = default;
};

/// "survived", "violated", "not measured", "harness broken", "nothing".
[[nodiscard]] const char* name_of(Outcome outcome);

/// What is wrong with the first index in DOCUMENT that points nowhere, or "".
[[nodiscard]] std::string dangling_index(const ResultDocument& document);
/// Findings that fail the run: those that nothing waives.
[[nodiscard]] size_t count_failing(const ResultDocument& document);

/// Fills the tables of frames and stacks, each distinct one once.
/// Not thread-safe; DOCUMENT must outlive it.
class StackTable {
 public:
  explicit StackTable(ResultDocument& document) : document_(document) {}
  /// Position of that stack in the document; kNoStack for an empty one. USER_FRAME is a position
  /// in FRAMES.
  StackIndex add(const std::vector<Frame>& frames, uint32_t user_frame);

 private:
  uint32_t add_frame(const Frame& frame);

  ResultDocument& document_;
  std::unordered_map<std::string, uint32_t> frames_;
  std::map<std::vector<uint32_t>, StackIndex> stacks_;
};

}  // namespace everycrash::reports
