// The frame of every recorded call: look for the chosen point, make the call, append its record.
#pragma once

#include "harness/record/preload/call.h"
#include "harness/record/preload/object.h"
#include "harness/record/preload/session.h"

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

  /// Makes CALL, which may be a changed form of the caught one, and returns its result; or
  /// kGateQuestion (gate.h), for the handler to return, as finish() does. Does not return if the
  /// plan says to stop before this operation.
  long make(const Call& call);
  long make() { return make(call_); }
  /// Makes HARMLESS, a form of the caught call without its effect but with the same errors, and
  /// marks the operation as lost if that succeeds.
  long lose(const Call& harmless);

  /// Appends the record and returns the result of make(). Does not return if the plan says to stop
  /// after this operation.
  long finish(const Payload& payload = {});
  long finish(const void* payload, size_t size);

 private:
  [[nodiscard]] format::Kind kind() const { return static_cast<format::Kind>(record_.kind); }
  [[nodiscard]] Text point_path() const;

  const Call& call_;
  Text path_;
  Text other_path_;
  format::RecordHeader record_ = {};
};

}  // namespace everycrash::preload
