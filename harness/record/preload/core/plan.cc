#include "harness/record/preload/core/plan.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "harness/record/preload/core/raw_call.h"
#include "harness/trace/point_name.h"

namespace everycrash::preload {

namespace {

constexpr uint64_t kWhole = ~uint64_t{0};
constexpr size_t kLineMax = sizeof(format::StopPlan::point);

Text chosen_point() {
  const char* point = session.header->plan.point;
  size_t size = 0;
  while (size < kLineMax && point[size] != 0) ++size;
  return {point, size};
}

bool is_chosen(format::Kind kind, Text path) {
  char name[kLineMax];
  auto is_process = [](int32_t number) { return number == session.process; };
  size_t size = point::name_point(kind, path.data, path.size, is_process, name, sizeof name);
  if (equal(Text{name, size}, chosen_point())) return true;
  // Whether chance has made the name is for the tool to know: then it names the point so.
  char pattern[kLineMax];
  size = point::chance_pattern(path.data, path.size, pattern, sizeof pattern);
  if (size == 0) return false;
  size = point::name_point(kind, pattern, size, is_process, name, sizeof name);
  return equal(Text{name, size}, chosen_point());
}

// "effect mail order-17" is the point of the line "effect mail order-17 DETAIL" too.
bool is_line_of(Text line, Text point) {
  if (line.size < point.size) return false;
  bool ends = line.size == point.size || line.data[point.size] == ' ';
  return ends && equal(Text{line.data, point.size}, point);
}

// Lines of the payload that are the chosen point.
uint64_t matching_lines(const Payload& payload) {
  char line[kLineMax];
  size_t size = 0;
  size_t left = payload.size;
  uint64_t matches = 0;
  Text chosen = chosen_point();
  for (size_t i = 0; i < payload.count; ++i) {
    const char* bytes = static_cast<const char*>(payload.pieces[i].iov_base);
    for (size_t j = 0; j < payload.pieces[i].iov_len && left > 0; ++j, --left) {
      if (bytes[j] != '\n') {
        if (size < kLineMax) line[size++] = bytes[j];
        continue;
      }
      if (is_line_of(Text{line, size}, chosen)) ++matches;
      size = 0;
    }
  }
  return matches;
}

constexpr uint32_t kStops = 1;  // format::StopPlan::action
constexpr uint32_t kStopsAlone = 3;

bool planned() {
  return session.header->plan.action == kStops || stops_alone();
}

bool is_next(format::Kind kind, Text path) {
  const format::StopPlan& plan = session.header->plan;
  return plan.matched + 1 == plan.occurrence && is_chosen(kind, path);
}

}  // namespace

bool stops_alone() {
  return session.header->plan.action == kStopsAlone;
}

void stop_for_kill() {
  format::StopPlan& plan = session.header->plan;
  plan.reached_by = session.thread;
  __atomic_store_n(&plan.reached, 1, __ATOMIC_RELEASE);
  raw_call(SYS_futex, to_long(&plan.reached), FUTEX_WAKE, INT32_MAX);
  // With the lock held, so that no other thread or process gets any further either.
  for (;;) raw_call(SYS_pause);
}

void stop_before(format::Kind kind, Text path) {
  if (planned() && session.header->plan.before != 0 && is_next(kind, path)) stop_for_kill();
}

void stop_after(format::Kind kind, Text path, const Payload& payload) {
  if (!planned()) return;
  format::StopPlan& plan = session.header->plan;
  uint64_t matches = kind == format::Kind::kEvent ? matching_lines(payload) : is_chosen(kind, path);
  if (matches == 0) return;
  uint64_t before = plan.matched;
  plan.matched += matches;
  if (before < plan.occurrence && plan.matched >= plan.occurrence) stop_for_kill();
}

uint64_t planned_cut(format::Kind kind, Text path) {
  if (!planned() || session.header->plan.cut == kWhole || !is_next(kind, path)) return kWhole;
  return session.header->plan.cut;
}

}  // namespace everycrash::preload
