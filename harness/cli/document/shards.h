// What shards have said, in their documents and as a merge takes it. Pure functions, thread-safe.
#pragma once

#include <vector>

#include "harness/base/error.h"
#include "harness/campaign/verdicts.h"
#include "reports/result.h"

namespace everycrash::cli {

/// What a shard's document says of TOLD.
void write_shard(const ToldShard& told, reports::ShardMaterial& material);

/// What shards have said. Fails with kHarness where one is damaged.
[[nodiscard]] Result<std::vector<ToldShard>> read_shards(
    const std::vector<reports::ShardMaterial>& shards);

}  // namespace everycrash::cli
