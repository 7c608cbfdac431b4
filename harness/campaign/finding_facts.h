// What a campaign has found, a finding at a time: its cause, its smallest example, and where else
// it was seen. Plain values and what they refer to; sentences are made of them elsewhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/base/crash_kind.h"
#include "harness/campaign/evidence_facts.h"
#include "harness/check/verdict.h"
#include "harness/explain/fault_clusters.h"
#include "harness/explain/kill_clusters.h"
#include "harness/explain/pair_cause.h"
#include "harness/explain/power_cause.h"
#include "harness/inject/two_runners.h"

namespace everycrash {

/// A run that record numbers are of. Shares the trace with whoever needs it.
struct RunReference {
  std::shared_ptr<const Trace> trace;  ///< null: the recorded run
  std::filesystem::path file;          ///< of its trace; "" = the recorded run
  /// So many runs before it, which were killed, are in that file too, for what they had not synced.
  uint32_t continues = 0;
};

/// Where a state is found again.
struct StateFacts {
  uint64_t record = 0;          ///< crash after this many records of the run
  std::optional<uint64_t> cut;  ///< the next write got this far, in bytes
  std::string model;            ///< "" after a kill
  uint64_t tear_bytes = 4096;   ///< what a unit of data is
  std::vector<UnitId> lost;     ///< ascending
};

/// A crash that came before the one that a finding is about: recovery ran on what it left.
struct EarlierCrashFacts {
  CrashKind crash = CrashKind::kKill;
  RunReference run;  ///< that it crashed
  CrashPoint point;
  StateFacts state;
};

/// The process was killed.
struct KillFacts {
  KillCluster cluster;
  CrashPoint example;
  std::string clock;  ///< by which it was started again; "" = the real one
};

/// The power failed.
struct PowerFacts {
  PowerCause cause;
  std::shared_ptr<const UnitHistory> units;  ///< of the first model under which it was found
  std::vector<CrashPoint> points;            ///< of all failing states, in trace order
};

/// Only a real file system has shown it.
struct RealFacts {
  std::string file_system;  ///< "real xfs"
  uint64_t point = 0;       ///< a record
};

/// Two runners at once.
struct PairFacts {
  PairCause cause;
  PairRun run;
  Complaint said;                     ///< the first violation
  std::filesystem::path serial_file;  ///< of a run in which one came after the other
  /// Where the first one stood, each once; nothing: it never did.
  std::vector<std::optional<PairPlace>> places;
  std::optional<PairPlace> place;  ///< of the example
};

using CauseFacts = std::variant<KillFacts, PowerFacts, FaultCluster, PairFacts, RealFacts>;

/// What was seen of a finding on one real file system.
struct Sighting {
  enum class What : uint8_t {
    kSeen,
    kSeenAlike,    ///< a state that fails alike, which may have another cause
    kNotSeen,      ///< searched for
    kNotSearched,  ///< `why`
  } what = What::kNotSeen;
  std::string file_system;      ///< "ext4:noauto_da_alloc"
  bool default_options = true;  ///< of mount
  bool lost_flushes = false;    ///< of the disk
  uint64_t states = 0;          ///< in which it was seen
  uint64_t of = 0;              ///< states that were looked at
  /// The first of them: how to look at it again.
  uint64_t schedule = 0;
  uint64_t state = 0;
  std::filesystem::path image;  ///< of the disk that has it; "" = none was kept
  std::string why;              ///< of kNotSearched; "" = no time was left
};

/// All violations with one cause, by its smallest example.
struct FindingFacts {
  std::string id;  ///< hexadecimal hash of the cause, stable over runs
  CrashKind crash = CrashKind::kKill;
  std::vector<std::string> models;
  RunReference run;
  CauseFacts cause;
  Judge judge = Judge::kChecker;
  std::string path;  ///< the broken file, or the effect; "" = neither
  EffectFault effect_fault = EffectFault::kNone;
  std::vector<std::string> complaints;  ///< what was said against the example, for a person
  std::string run_end;                  ///< of a run in which a call failed: "exit status 1"
  StateFacts state;
  uint64_t states = 0;                     ///< failing ones with this cause
  std::vector<EarlierCrashFacts> earlier;  ///< the first one first
  std::vector<Sighting> sightings;
  std::optional<EvidenceFacts> evidence;

  /// Takes over what COMPLAINTS, one of which is a violation, say against the example.
  void blame(const std::vector<Complaint>& said);
};

}  // namespace everycrash
