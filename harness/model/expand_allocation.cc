// Which pages of a file have blocks on disk, and which wait for them (delayed allocation): what
// decides whether a heuristic flushes the file (ext4.cc).
#include "harness/model/floor.h"
#include "harness/model/unit_expander.h"
#include "harness/trace/trace.h"

namespace everycrash {

namespace {

constexpr auto kPage = static_cast<int64_t>(format::kPageSize);

int64_t page_of(int64_t offset) {
  return offset / kPage;
}
int64_t page_behind(int64_t end) {
  return end / kPage + (end % kPage != 0 ? 1 : 0);
}

}  // namespace

/// Bytes are written into [BEGIN, END). Without delayed allocation, blocks are given in the call.
void UnitExpander::reserve(NodeId node, int64_t begin, int64_t end) {
  if (!builder_.rules().flushes_delayed_files_only) return;
  NodeMemory& memory = builder_.memory(node);
  if (builder_.rules().growth == Growth::kAtOnce) {
    allocate(node, begin, end);
    return;
  }
  for (int64_t page = page_of(begin); page < page_behind(end); ++page) {
    if (!memory.allocated.contains(page)) memory.delayed.insert(page);
  }
}

void UnitExpander::allocate(NodeId node, int64_t begin, int64_t end) {
  builder_.memory(node).allocated.add(page_of(begin), page_behind(end));
}

/// [BEGIN, END) is cut off or punched out: whole pages of it.
void UnitExpander::release(NodeId node, int64_t begin, int64_t end) {
  NodeMemory& memory = builder_.memory(node);
  const int64_t first = page_behind(begin);
  const int64_t last = page_of(end);
  if (first >= last) return;
  memory.allocated.remove(first, last);
  memory.delayed.erase(memory.delayed.lower_bound(first), memory.delayed.lower_bound(last));
}

/// All that waits for its place gets it.
void UnitExpander::allocate_reserved(NodeId node) {
  NodeMemory& memory = builder_.memory(node);
  for (const int64_t page : memory.delayed) memory.allocated.add(page, page + 1);
  memory.delayed.clear();
}

/// After a sync that OPERATION is.
void UnitExpander::allocate_synced(const Operation& operation, NodeId node) {
  if (syncs_all(operation.kind)) {
    for (NodeId each = 0; each < stage_.node_count(); ++each) allocate_reserved(each);
    return;
  }
  if (node == kNoNode) return;
  if (operation.kind == Kind::kFileSync || operation.kind == Kind::kDataSync) {
    allocate_reserved(node);
    return;
  }
  const int64_t length = operation.kind == Kind::kWrite
                             ? static_cast<int64_t>(operation.payload.size())
                             : operation.length;
  NodeMemory& memory = builder_.memory(node);
  std::set<int64_t>& delayed = memory.delayed;
  auto page = delayed.lower_bound(page_of(operation.offset));
  while (page != delayed.end() && *page < page_behind(operation.offset + length)) {
    memory.allocated.add(*page, *page + 1);
    page = delayed.erase(page);
  }
}

/// True if a replace via rename or truncate flushes NODE, which then has all its blocks.
bool UnitExpander::is_flushed_early(NodeId node) {
  if (!builder_.rules().flushes_delayed_files_only) return true;
  if (builder_.memory(node).delayed.empty()) return false;
  allocate_reserved(node);
  return true;
}

}  // namespace everycrash
