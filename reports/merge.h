// Do these result documents make up one run? What `everycrash merge` asks before it joins them.
//
// A finding is more than the sum of its shards: its first example, its cause and its crash points
// follow from all failing states together. So shards carry their verdicts (ShardMaterial), and the
// whole run is told again from the trace and from the verdicts of all shards; here they are checked
// and sorted.
#pragma once

#include <string>
#include <vector>

#include "harness/base/error.h"
#include "reports/result.h"

namespace everycrash::reports {

/// A document, and what a message calls it.
struct NamedDocument {
  std::string name;
  ResultDocument document;
};

/// All shards of one run.
struct JoinedShards {
  /// What all of them have in common: the run as it would be without shards. Nothing in it was
  /// found yet: no coverage, no findings, no tables.
  ResultDocument run;
  std::vector<ShardMaterial> shards;  ///< by number of the shard, from 0
};

/// Checks that DOCUMENTS are all shards of one run over one trace, each once. Fails with kUsage and
/// names the documents that do not fit. Pure, thread-safe.
[[nodiscard]] Result<JoinedShards> join_shards(std::vector<NamedDocument> documents);

}  // namespace everycrash::reports
