// Which fault of a plan is due for a call.

#include <errno.h>
#include <string.h>

#include "harness/inject/faults/plan.h"
#include "harness/trace/kind_traits.h"

namespace everycrash::faults {

namespace {

using format::Kind;
using preload::FaultOrder;
using preload::FaultQuery;

constexpr auto kPrint = static_cast<uint16_t>(Kind::kPrint);
constexpr auto kSend = static_cast<uint16_t>(Kind::kSend);

bool names_call(const Fault& fault, uint16_t call) {
  switch (fault.call) {
    case kAnyCall:
      return is_operation(static_cast<Kind>(call));
    case kSyncCalls:
      return is_sync(static_cast<Kind>(call));
    case kNetworkCalls:
      return talks(static_cast<Kind>(call)) || call == FaultQuery::kReceive;
    default:
      return fault.call == call;
  }
}

bool names(const Fault& fault, const FaultQuery& query) {
  if (!names_call(fault, query.kind)) return false;
  if (query.kind == kPrint) return true;
  if (syncs_all(static_cast<Kind>(query.kind))) return strcmp(fault.path, "*") == 0;
  return matches_glob(fault.path, query.path, query.size);
}

/// True if the call is made on the connection of the send that the fault waits for. Until that
/// came, SENDS counts; then it is their number and the connection.
bool follows_send(const Fault& fault, const FaultQuery& query, uint64_t& sends) {
  if (!matches_glob(fault.path, query.path, query.size)) return false;
  if (sends >= fault.after_send) return query.connection == sends - fault.after_send;
  if (query.kind == kSend && ++sends == fault.after_send) sends += query.connection;
  return false;
}

/// A number that looks random and is always the same for the same question (splitmix64).
uint64_t random_number(uint64_t seed, uint64_t fault, uint64_t count) {
  uint64_t mixed = seed * 0x9e3779b97f4a7c15ULL + fault * 0xbf58476d1ce4e5b9ULL + count;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31);
}

bool is_due(const Fault& fault, uint64_t count, uint64_t dice) {
  if (count < fault.first || count > fault.last) return false;
  return (count - fault.first) % fault.step == 0 && dice % 100 < fault.chance;
}

/// A disk that fills up takes what still fits, then only what overwrites.
bool fill_disk(const Fault& fault, const FaultQuery& query, uint64_t& used, FaultOrder& order) {
  const auto size = static_cast<uint64_t>(query.bytes - query.overwrites);
  const auto room = static_cast<uint64_t>(fault.value) - used;
  if (size <= room) {
    used += size;
    return false;
  }
  used += room;
  order.error = ENOSPC;
  order.value = query.overwrites + static_cast<int64_t>(room);
  order.what = order.value > 0 ? FaultOrder::kShorten : FaultOrder::kFail;
  return true;
}

bool shorten(const Fault& fault, const FaultQuery& query, FaultOrder& order) {
  order.what = FaultOrder::kShorten;
  const bool received = query.kind == FaultQuery::kReceive;
  order.value = fault.value != 0 ? fault.value : received ? 1 : query.bytes / 2;
  return order.value > 0 && order.value < query.bytes;
}

/// Turns the fault into an order; false if it does nothing to this call.
bool give_order(const Fault& fault, const FaultQuery& query, uint64_t dice, uint64_t& bytes,
                FaultOrder& order) {
  order.error = fault.error;
  order.value = fault.value;
  switch (fault.action) {
    case Action::kError:
      order.what = FaultOrder::kFail;
      return true;
    case Action::kShort:
      return shorten(fault, query, order);
    case Action::kFull:
      return fill_disk(fault, query, bytes, order);
    case Action::kLost:
      order.what = FaultOrder::kLose;
      return true;
    case Action::kKillBefore:
      order.what = FaultOrder::kKillBefore;
      return true;
    case Action::kKillAfter:
      order.what = FaultOrder::kKillAfter;
      return true;
    case Action::kDelay:
      order.what = FaultOrder::kDelay;
      order.value +=
          static_cast<int64_t>(dice / 100 % static_cast<uint64_t>(fault.longest - fault.value + 1));
      return true;
    case Action::kClock:
      order.what = FaultOrder::kSetClock;
      return true;
    case Action::kHang:
      order.what = FaultOrder::kHang;
      return true;
    case Action::kNone:
      break;
  }
  return false;
}

}  // namespace

bool order_for(const Plan& plan, const FaultQuery& query, format::FaultState& state,
               FaultOrder& order) {
  bool given = false;
  for (size_t i = 0; i < plan.count; ++i) {
    const Fault& fault = plan.faults[i];
    const bool follows = fault.after_send == 0 || follows_send(fault, query, state.bytes[i]);
    if (!follows || !names(fault, query)) continue;
    const uint64_t count = ++state.matched[i];
    const uint64_t dice = random_number(plan.seed, i, count);
    if (given || !is_due(fault, count, dice)) continue;
    order.fault = static_cast<uint32_t>(i);
    given = give_order(fault, query, dice, state.bytes[i], order);
  }
  return given;
}

}  // namespace everycrash::faults
