#include "harness/record/preload/calls/recording.h"

#include <errno.h>

#include "harness/record/preload/calls/mappings.h"
#include "harness/record/preload/core/fault.h"
#include "harness/record/preload/core/gate.h"
#include "harness/record/preload/core/plan.h"
#include "harness/record/preload/stacks/stack.h"
#include "harness/trace/kind_traits.h"

namespace everycrash::preload {

Recording::Recording(format::Kind kind, const Call& call, Text path) : call_(call), path_(path) {
  record_.kind = static_cast<uint16_t>(kind);
  record_.call = static_cast<uint16_t>(call.number);
}

Recording::Recording(format::Kind kind, const Call& call, const Object& object)
    : Recording(kind, call, object.path.text()) {
  record_.flags = object.flags;
  record_.inode = object.inode();
}

Text Recording::point_path() const {
  return gives_other_name(kind()) ? other_path_ : path_;
}

long Recording::make(const Call& call) {
  if (fault_is_due(call_, record_.kind, point_path(), bytes_, overwrites_)) {
    record_.result = kFaultQuestion;
    return kFaultQuestion;
  }
  if (gate_is_closed(*session.header)) return record_.result = kGateQuestion;
  record_mapped_changes();
  stop_before(kind(), point_path());
  obey_before(call_);
  session.header->in_call = 1;
  return make_or_fail(call);
}

long Recording::make_or_fail(const Call& call) {
  const FaultOrder* order = order_of(call_);
  if (order != nullptr && order->what == FaultOrder::kFail) return fail_with(order->error);
  if (order != nullptr && order->what == FaultOrder::kShorten) record_.flags |= format::kInjected;
  long result = call.make();
  record_.result = result;
  // What is there already may be called otherwise now.
  if (result >= 0 && (takes_name(kind()) || gives_other_name(kind()))) names_changed();
  return result;
}

long Recording::fail_with(int error) {
  // Linux closes a descriptor whatever close(2) then says.
  if (kind() == format::Kind::kClose) static_cast<void>(call_.make());
  record_.flags |= format::kInjected;
  // The pages of a failed sync are clean afterwards; an interrupted one has tried nothing.
  if (is_sync(kind()) && error != EINTR) record_.flags |= format::kLost;
  record_.result = -error;
  return record_.result;
}

long Recording::make_or_lose(const Call& harmless) {
  const FaultOrder* order = order_of(call_);
  if (order == nullptr || order->what != FaultOrder::kLose) return make();
  long result = make(harmless);
  if (result >= 0) record_.flags |= format::kLost;
  return result;
}

long Recording::finish(const Payload& payload) {
  if (record_.result == kFaultQuestion || record_.result == kGateQuestion) return record_.result;
  record_.stack = stack_of(call_);
  append(record_, path_, other_path_, payload);
  session.header->in_call = 0;
  if (kind() == format::Kind::kWrite && record_.result > 0) {
    bytes_were_written(record_.inode, record_.offset, record_.length);
  }
  if (record_.result >= 0) stop_after(kind(), point_path(), payload);
  const FaultOrder* order = order_of(call_);
  if (order != nullptr && order->what == FaultOrder::kKillAfter) stop_for_kill();
  return record_.result;
}

long Recording::finish(const void* payload, size_t size) {
  iovec piece = {const_cast<void*>(payload), size};
  return finish(Payload{&piece, 1, size});
}

}  // namespace everycrash::preload
