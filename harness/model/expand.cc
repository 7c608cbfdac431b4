// From operations to units: what happened, as the file system beside the trace knows it.
#include "harness/base/path_text.h"
#include "harness/model/floor.h"
#include "harness/model/persistence_model.h"
#include "harness/model/unit_expander.h"
#include "harness/trace/trace.h"

namespace everycrash {

Result<UnitHistory> expand(const Trace& trace, const PersistenceRules& rules,
                           const ExpandOptions& options) {
  Result<FileSystem> start = FileSystem::initial(trace);
  if (!start) return tl::unexpected(start.error());
  return UnitExpander(trace, std::move(*start), rules, options).run();
}

UnitExpander::UnitExpander(const Trace& trace, FileSystem stage, const PersistenceRules& rules,
                           const ExpandOptions& options)
    : trace_(trace), stage_(std::move(stage)), options_(options), builder_(trace, rules) {
  if (rules.log_tree) log_.emplace(stage_);
}

Result<UnitHistory> UnitExpander::run() {
  for (NodeId node = 0; node < stage_.node_count(); ++node) {
    builder_.memory(node).linked = stage_.node(node).links.size() > 1;
    if (stage_.node(node).is_file()) allocate(node, 0, stage_.node(node).size);
  }
  for (const Operation& record : trace_.records()) {
    builder_.begin(record.sequence);
    if (!record.failed() && is_operation(record.kind)) {
      if (Status ok = expand(record); !ok) return tl::unexpected(ok.error());
    }
    builder_.end(is_operation(record.kind) ? stage_.by_inode(record.inode) : kNoNode);
  }
  return builder_.finish(static_cast<NodeId>(stage_.node_count()));
}

UnitExpander::Place UnitExpander::place(std::string_view path) const {
  return {stage_.find(folder_of(path)), base_name(path), stage_.find(path)};
}

Status UnitExpander::expand(const Operation& operation) {
  const Place from = place(operation.path);
  const Place to = place(operation.other_path);
  const NodeId known = stage_.by_inode(operation.inode);
  const int64_t size_before = known == kNoNode ? 0 : stage_.node(known).size;
  const auto nodes_before = static_cast<NodeId>(stage_.node_count());
  if (Status ok = stage_.apply(operation); !ok) return ok;
  if (log_ && known != kNoNode && changes_state(operation)) {
    log_->touched(known);
    log_->resized(known, size_before, stage_.node(known).size);
  }
  if (stage_.node_count() != nodes_before) {
    EVERYCRASH_ASSERT(stage_.node_count() == nodes_before + 1);
    builder_.add_node(stage_.node(nodes_before).attributes,
                      operation.kind == Kind::kSymlink ? operation.payload : "");
    builder_.memory(nodes_before).linked = builder_.ever_linked(operation.inode);
    if (!operation.has(format::kNameless)) made_name(operation, from, nodes_before);
    return {};
  }
  switch (operation.kind) {
    case Kind::kOpen:
      if (operation.has(format::kTruncated)) resized(known, 0, size_before);
      break;
    case Kind::kClose:
      if (known != kNoNode) closed(known);
      break;
    case Kind::kWrite:
    case Kind::kMapWrite:
      wrote(operation, known, size_before);
      break;
    case Kind::kTruncate:
      resized(known, operation.length, size_before);
      break;
    case Kind::kAllocate:
      allocated(operation, known, size_before);
      break;
    case Kind::kRename:
      if (operation.has(format::kUnlinked)) {
        made_name(operation, to, known);  // it came from outside the state directory
      } else if (from.node != to.node) {
        renamed(operation, from, to);
      }
      break;
    case Kind::kLink:
      made_name(operation, to, known);
      break;
    case Kind::kUnlink:
    case Kind::kRemoveDirectory:
      if (!operation.path.empty()) removed_name(from);
      break;
    default:
      if (changes_attributes(operation.kind)) changed_attributes(known);
      break;
  }
  if (!is_guarantee(operation)) return {};
  allocate_synced(operation, known);
  if (log_) synced(operation, known);
  return {};
}

}  // namespace everycrash
