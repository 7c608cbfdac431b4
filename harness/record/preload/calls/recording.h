// The frame of every recorded call: look for the chosen point, make the call, append its record.
#pragma once

#include "harness/record/preload/core/call.h"
#include "harness/record/preload/core/object.h"
#include "harness/record/preload/core/session.h"

namespace everycrash::preload {

/// One operation while it happens. Everything under the lock. Use: fill in what is known, make(),
/// fill in what the call has changed, finish().
class Recording {
 public:
  Recording(format::Kind kind, const Call& call, Text path);
  Recording(format::Kind kind, const Call& call, const Object& object);

  format::RecordHeader& record() { return record_; }
  /// rename, link: the name that is made. To be set before make().
  void set_other_path(Text path) { other_path_ = path; }

  /// How many bytes the call is to write. To be set before make().
  void set_bytes(int64_t bytes) { bytes_ = bytes; }
  /// How many of them, the first, need no new room on a disk. To be set before make().
  void set_overwrites(int64_t bytes) { overwrites_ = bytes; }

  /// Makes CALL, which may be a changed form of the caught one, and returns its result. Does not
  /// return if the plan says to stop before this operation. Where a fault is due the result is
  /// kFaultQuestion (fault.h), and where another instance is to go first kGateQuestion (gate.h),
  /// for the handler to return (finish() does), or what the fault makes of it.
  long make(const Call& call);
  long make() { return make(call_); }
  /// As make(), for a sync: HARMLESS is a form of the call without its effect but with the same
  /// errors; where the fault is to lose the sync, that is made, and the operation marked as lost.
  long make_or_lose(const Call& harmless);

  /// Appends the record and returns the result of make(). Does not return if the plan says to stop
  /// after this operation.
  long finish(const Payload& payload = {});
  long finish(const void* payload, size_t size);

 private:
  [[nodiscard]] format::Kind kind() const { return static_cast<format::Kind>(record_.kind); }
  [[nodiscard]] Text point_path() const;
  long make_or_fail(const Call& call);
  long fail_with(int error);

  const Call& call_;
  Text path_;
  Text other_path_;
  int64_t bytes_ = 0;
  int64_t overwrites_ = 0;
  format::RecordHeader record_ = {};
};

}  // namespace everycrash::preload
