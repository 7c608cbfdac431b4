// Every state in which a power loss can leave the files of a recorded program, the likely first.
//
//   PowerOptions options{.model = *find_model("ext4")};
//   Result<PowerExplorer> explorer = PowerExplorer::create(trace, options);
//   while (std::optional<PowerState> state = explorer->next()) check(explorer->tree());
//   report(explorer->coverage());
//
// States are the legal sets of persistence units (persistence_model.h). They are looked at by hash,
// window by window (window.h, candidates.h), from the end of the trace to its beginning, in four
// rounds; a tree is only built for sets not seen before, and only trees not seen before are handed
// out. One state stands for all crash points at which it is legal: the last of them.
//
// The same trace, options and seed give the same states in the same order.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/digest.h"
#include "harness/base/error.h"
#include "harness/explore/crash_point.h"
#include "harness/explore/strategy.h"
#include "harness/model/unit_id.h"
#include "harness/trace/format.h"

namespace everycrash {

class FileSystem;
class Trace;
class UnitHistory;
struct PersistenceRules;

/// Which syncs a lying disk answers without doing them.
enum class Lies : uint8_t {
  kNone,     ///< an honest disk
  kAll,      ///< every sync
  kEach,     ///< each sync by itself, one after the other
  kOneFile,  ///< those of one file or folder
};

struct PowerOptions {
  const PersistenceRules* model = nullptr;  ///< required
  int64_t tear_bytes = format::kPageSize;   ///< or 512
  Lies lies = Lies::kNone;
  std::string lying_path;  ///< for kOneFile: its path when it was synced
  CandidateBounds bounds;
  uint64_t from_record = 0;              ///< only crashes at or behind this record
  bool all_points = false;               ///< enumerate after every operation, and join nothing
  uint64_t max_states = ~uint64_t{0};    ///< distinct states handed out
  uint64_t max_considered = 20'000'000;  ///< sets looked at; bounds time and memory
  uint32_t shard = 0, shards = 1;        ///< hands out only states whose digest falls to SHARD
};

/// One crash state: where, and what is lost against everything that had happened by then.
struct PowerState {
  CrashPoint point;          ///< the last crash point at which it is legal
  std::vector<UnitId> lost;  ///< units of records up to the point that are not on disk, ascending
  Digest tree;               ///< digest of the state directory
  uint32_t promises = 0;     ///< prints up to the point
  Strategy strategy = Strategy::kPrefix;
  uint64_t lied = 0;  ///< kEach: the sync that was lied about
};

/// How much was covered; what a report says about completeness.
struct PowerCoverage {
  uint64_t considered = 0;  ///< legal sets looked at
  uint64_t distinct = 0;    ///< states handed out, over all shards
  uint64_t windows = 0, exhausted = 0, cut = 0;
  std::array<uint64_t, kStrategies> by_strategy{};  ///< considered
  bool finished = false;                            ///< all rounds ran to their end
  /// Every legal state was covered.
  [[nodiscard]] bool exhaustive() const { return finished && exhausted == windows; }
};

/// Refers to the trace, which must outlive it. Movable, one thread.
class PowerExplorer {
 public:
  /// Fails with kHarness where the trace contradicts itself, kUsage for options that do not fit.
  static Result<PowerExplorer> create(const Trace& trace, const PowerOptions& options);
  PowerExplorer(PowerExplorer&&) noexcept;
  PowerExplorer& operator=(PowerExplorer&&) noexcept;
  ~PowerExplorer();

  /// The next distinct state, or nothing when all are done or a limit is reached.
  [[nodiscard]] std::optional<PowerState> next();
  /// The tree of the state that next() returned last; valid until the next call.
  [[nodiscard]] const FileSystem& tree() const;
  /// Any state again, also one of another explorer with the same trace, model and tear size.
  [[nodiscard]] Result<FileSystem> build(const PowerState& state) const;
  [[nodiscard]] const PowerCoverage& coverage() const;
  [[nodiscard]] const UnitHistory& history() const;
  /// The same for who keeps it longer than this explorer.
  [[nodiscard]] std::shared_ptr<const UnitHistory> shared_history() const;

 private:
  struct Work;
  explicit PowerExplorer(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work_;
};

/// The state that keeps all units of records up to POINT but those in LOST.
[[nodiscard]] Result<FileSystem> build_state(const Trace& trace, const UnitHistory& history,
                                             uint64_t point, const std::vector<UnitId>& lost);

}  // namespace everycrash
