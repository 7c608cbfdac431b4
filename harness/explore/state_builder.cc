#include "harness/explore/state_builder.h"

#include <utility>

#include "harness/explore/crash_point.h"
#include "harness/trace/trace.h"

namespace everycrash {

StateBuilder::StateBuilder(const Trace& trace, FileSystem tree)
    : trace_(&trace), start_(tree), tree_(std::move(tree)) {}

Result<StateBuilder> StateBuilder::create(const Trace& trace) {
  Result<FileSystem> tree = FileSystem::initial(trace);
  if (!tree) return tl::unexpected(tree.error());
  return StateBuilder(trace, std::move(*tree));
}

Result<StateBuilder> StateBuilder::at_end(const Trace& trace) {
  Result<StateBuilder> builder = create(trace);
  if (!builder) return builder;
  if (Status ok = builder->move_to({trace.records().size(), -1}); !ok) {
    return tl::unexpected(ok.error());
  }
  return builder;
}

Status StateBuilder::move_to(CrashPoint point) {
  if (cut_applied_) {
    tree_.rollback(before_cut_);
    tree_.commit();
    cut_applied_ = false;
  }
  const uint64_t whole = point.whole() ? point.record : point.record - 1;
  if (whole < done_) {
    tree_ = start_;
    printed_.clear();
    events_.clear();
    done_ = 0;
  }
  for (; done_ < whole; ++done_) {
    const Operation& record = *trace_->find(done_ + 1);
    if (record.kind == Kind::kPrint) printed_ += record.payload;
    events_ += record.events;
    if (Status ok = tree_.apply(record); !ok) return ok;
  }
  if (!point.whole()) {
    before_cut_ = tree_.mark();
    cut_applied_ = true;
    return tree_.apply_cut_write(*trace_->find(point.record), point.cut);
  }
  return {};
}

}  // namespace everycrash
