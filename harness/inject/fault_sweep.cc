#include "harness/inject/fault_sweep.h"

#include <errno.h>
#include <fmt/format.h>
#include <sys/syscall.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "harness/explore/point_names.h"
#include "harness/inject/fault_text.h"
#include "harness/record/system_calls.h"
#include "harness/trace/chance_names.h"
#include "harness/trace/point_name.h"
#include "harness/trace/stable_name.h"

namespace everycrash {
namespace {

using faults::Action;
using faults::Fault;

/// What a kind of call fails with.
struct Plausible {
  std::vector<int> once;
  std::vector<int> for_good;
  bool may_be_short = false;
};

/// Only what comes over a network can be late. (connect(2), unix(7))
Plausible plausible_network_errors(const Operation& call) {
  const bool connects = call.kind == Kind::kConnect;
  Plausible errors{.once = {ECONNRESET, EPIPE}};
  if (connects) errors = {.once = {ECONNREFUSED}, .for_good = {ECONNREFUSED}};
  if (!call.path.starts_with("unix:")) errors.once.push_back(ETIMEDOUT);
  return errors;
}

Plausible plausible_errors(const Operation& call) {
  switch (call.kind) {
    case Kind::kOpen: {
      Plausible errors{.once = {EACCES, EIO, EMFILE, EINTR}, .for_good = {EACCES, EIO}};
      if (call.has(format::kCreated)) errors.once.push_back(ENOSPC);
      return errors;
    }
    case Kind::kWrite:
      return {.once = {ENOSPC, EIO, EINTR}, .for_good = {ENOSPC}, .may_be_short = true};
    case Kind::kTruncate:
      return {.once = {EIO, EINTR}};
    case Kind::kAllocate:
      return {.once = {ENOSPC, EIO, EINTR}};
    case Kind::kFileSync:
    case Kind::kDataSync:
      if (call.has(format::kDirectory)) return {.once = {EIO, EINTR}, .for_good = {EIO}};
      return {.once = {EIO, ENOSPC, EINTR}, .for_good = {EIO}};
    case Kind::kSyncFileSystem:
    case Kind::kSyncRange:
    case Kind::kMapSync:
    case Kind::kClose:
      return {.once = {EIO}};
    case Kind::kRename:
    case Kind::kLink:
      return {.once = {EACCES, EIO, ENOSPC}, .for_good = {EACCES, EIO}};
    case Kind::kSymlink:
    case Kind::kMakeDirectory:
    case Kind::kMakeNode:
      return {.once = {EACCES, EIO, ENOSPC}};
    case Kind::kUnlink:
    case Kind::kRemoveDirectory:
      return {.once = {EACCES, EIO}};
    case Kind::kChangeMode:
    case Kind::kChangeOwner:
    case Kind::kChangeTimes:
    case Kind::kRemoveAttribute:
      return {.once = {EIO, EPERM}};
    case Kind::kSetAttribute:
      return {.once = {EIO, ENOSPC}};
    case Kind::kConnect:
    case Kind::kSend:
      return plausible_network_errors(call);
    default:
      return {};
  }
}

/// True if RECORD makes the workload itself listen where PEER is. ("0.0.0.0" and "::" are every
/// address of this machine.)
bool listens_for(const Operation& record, std::string_view peer) {
  if (record.kind != Kind::kListen || record.failed()) return false;
  if (record.path == peer) return true;
  const bool everywhere = record.path.starts_with("0.0.0.0:") || record.path.starts_with("[::]:");
  return everywhere && !peer.starts_with("unix:") &&
         peer.substr(peer.rfind(':')) == record.path.substr(record.path.rfind(':'));
}

/// A request that waits for an answer. (RFC 9112, 3)
bool is_http_request(const Operation& send) {
  const std::string_view line = send.payload.substr(0, send.payload.find("\r\n"));
  return line.ends_with(" HTTP/1.1") || line.ends_with(" HTTP/1.0");
}

/// How many writes lie between those at which a disk becomes full.
size_t stride_of_full_disks(size_t writes) {
  constexpr size_t kTriedMax = 50;
  return std::max<size_t>((writes + kTriedMax - 1) / kTriedMax, 1);
}

/// How far the writes of a trace extend files: what overwrites needs no room on a disk.
class NewBytes {
 public:
  /// Of RECORD, if it is such a write, else 0. All records are to be asked about, in their order.
  int64_t of(const Operation& record) {
    if (record.failed()) return 0;
    int64_t& size = sizes_[record.inode];
    switch (record.kind) {
      case Kind::kInitial:
        size = record.length;
        return 0;
      case Kind::kOpen:
        if (record.has(format::kCreated) || record.has(format::kTruncated)) size = 0;
        return 0;
      case Kind::kTruncate:
        size = record.length;
        return 0;
      case Kind::kAllocate:
        if (record.mode == 0) size = std::max(size, record.offset + record.length);
        return 0;
      case Kind::kWrite:
        break;
      default:
        return 0;
    }
    const int64_t before = std::exchange(size, std::max(size, record.offset + record.length));
    return std::min(size - before, record.length);
  }

 private:
  std::unordered_map<uint64_t, int64_t> sizes_;
};

/// How many writes extend a file.
size_t count_writes(const Trace& trace) {
  NewBytes bytes;
  const auto records = trace.records();
  return static_cast<size_t>(
      std::count_if(records.begin(), records.end(),
                    [&](const Operation& record) { return bytes.of(record) > 0; }));
}

/// A glob that names the file in every run: what a process or chance put into its name stands open.
std::string glob_of(const Operation& call, const std::set<int32_t>& processes,
                    const ChanceNames& chance) {
  if (talks(call.kind)) {
    std::string peer(call.path);
    std::replace(peer.begin(), peer.end(), '[', '?');  // of an address, no set
    return peer;
  }
  const std::string_view path = point_path(call);
  if (path.empty()) return ".";
  const std::string chosen = chance.glob_of(path);
  std::string glob = stable_name(chosen.empty() ? path : std::string_view(chosen),
                                 [&](int32_t number) { return processes.contains(number); });
  for (const std::string_view open : {"<pid>", "<random>"}) {
    for (size_t at = 0; (at = glob.find(open, at)) != std::string::npos; ++at) {
      glob.replace(at, open.size(), 1, '*');
    }
  }
  std::replace(glob.begin(), glob.end(), '[', '?');
  return glob;
}

bool is_made_by(const Operation& record, calls::Handler handler) {
  const calls::SystemCall* call = calls::find(record.call);
  return call != nullptr && call->handler == handler;
}

/// False for what a call did besides: dup2 and exec close descriptors, too, and an access list
/// changes the mode. That list itself is not tried either: what its call comes to be is only known
/// when it is done.
bool can_fail(const Operation& record) {
  switch (record.kind) {
    case Kind::kClose:
      return record.call == SYS_close;
    case Kind::kChangeMode:
      return !is_made_by(record, calls::Handler::kSetAttribute);
    case Kind::kSetAttribute:
      return record.other_path != "system.posix_acl_access";
    default:
      return true;
  }
}

/// Counts calls as a live run will count them.
class Occurrences {
 public:
  explicit Occurrences(const Trace& trace) : trace_(trace) {}

  /// How many calls up to RECORD, and with it, are of its kind and named by GLOB.
  uint64_t of(const Operation& call, const std::string& glob) {
    Counter& counter = counters_[{call.kind, glob}];
    const auto records = trace_.records();
    for (; counter.next < records.size() && records[counter.next].sequence <= call.sequence;
         ++counter.next) {
      const Operation& record = records[counter.next];
      if (record.kind != call.kind || !can_fail(record)) continue;
      const std::string_view path = point_path(record);
      if (record.kind == Kind::kSyncFileSystem ||
          faults::matches_glob(glob.c_str(), path.data(), path.size())) {
        ++counter.count;
      }
    }
    return counter.count;
  }

 private:
  struct Counter {
    size_t next = 0;
    uint64_t count = 0;
  };
  const Trace& trace_;
  std::map<std::pair<Kind, std::string>, Counter> counters_;
};

class Sweep {
 public:
  explicit Sweep(const Trace& trace)
      : trace_(trace),
        chance_(trace.records()),
        occurrences_(trace),
        stride_(stride_of_full_disks(count_writes(trace))) {
    for (const Operation& record : trace.records()) {
      if (record.kind == Kind::kProcess) processes_.insert(record.process);
      if (record.kind == Kind::kConnect && !record.failed()) peers_.insert(record.path);
    }
    std::erase_if(peers_, [&](std::string_view peer) {
      return std::any_of(trace.records().begin(), trace.records().end(),
                         [&](const Operation& record) { return listens_for(record, peer); });
    });
  }

  std::vector<SweptFault> take() {
    NewBytes bytes;
    for (const Operation& record : trace_.records()) {
      if (record.failed()) continue;
      const int64_t added = bytes.of(record);
      if (is_operation(record.kind) && can_fail(record)) add(record);
      if (added > 0) add_full_disk(record, added);
      // To a peer that the workload has called; other ports are not the same in each run.
      if (talks(record.kind) && peers_.contains(record.path)) add(record);
      if (record.kind == Kind::kSend && is_http_request(record)) add_lost_answer(record);
    }
    return std::move(faults_);
  }

 private:
  void add(const Operation& call) {
    const Plausible errors = plausible_errors(call);
    if (errors.once.empty()) return;
    const std::string glob =
        call.kind == Kind::kSyncFileSystem ? "*" : glob_of(call, processes_, chance_);
    Fault fault{.call = static_cast<uint16_t>(call.kind)};
    if (glob.size() >= sizeof fault.path) return;
    glob.copy(fault.path, glob.size());
    if (seen_.emplace(call.kind, glob).second) {
      for (const int error : errors.for_good) add(call, fault, Action::kError, error);
    }
    fault.first = fault.last = occurrences_.of(call, glob);
    for (const int error : errors.once) add(call, fault, Action::kError, error);
    if (errors.may_be_short && call.length > 1) add(call, fault, Action::kShort, 0);
  }

  /// No write finds room from this one on, which extends a file by ADDED bytes; then the same, with
  /// room for half of them.
  void add_full_disk(const Operation& write, int64_t added) {
    const uint64_t number = ++writes_;
    const int64_t before = std::exchange(written_, written_ + added);
    if ((number - 1) % stride_ != 0) return;
    Fault fault{.call = static_cast<uint16_t>(Kind::kWrite), .path = "*", .value = before};
    add(write, fault, Action::kFull, 0);
    faults_.back().fills_disk = true;
    if (added < 2) return;
    fault.value = before + added / 2;
    add(write, fault, Action::kFull, 0);
    faults_.back().fills_disk = true;
  }

  void add_lost_answer(const Operation& request) {
    if (!peers_.contains(request.path)) return;
    Fault fault{.call = preload::FaultQuery::kReceive};
    const std::string glob = glob_of(request, processes_, chance_);
    if (glob.size() >= sizeof fault.path) return;
    glob.copy(fault.path, glob.size());
    fault.first = fault.last = 1;
    fault.after_send = occurrences_.of(request, glob);
    add(request, fault, Action::kError, ECONNRESET);
  }

  void add(const Operation& call, Fault fault, Action action, int error) {
    fault.action = action;
    fault.error = error;
    faults_.push_back({call.sequence, fault, text_of(fault)});
  }

  const Trace& trace_;
  const ChanceNames chance_;
  Occurrences occurrences_;
  const size_t stride_;
  uint64_t writes_ = 0;
  int64_t written_ = 0;
  std::set<int32_t> processes_;
  std::set<std::string_view> peers_;
  std::set<std::pair<Kind, std::string>> seen_;
  std::vector<SweptFault> faults_;
};

}  // namespace

std::vector<SweptFault> sweep_of(const Trace& trace) {
  return Sweep(trace).take();
}

FullDisks count_full_disks(const Trace& trace) {
  const size_t writes = count_writes(trace);
  const size_t stride = stride_of_full_disks(writes);
  return {(writes + stride - 1) / stride, writes};
}

size_t count_swept_calls(const std::vector<SweptFault>& sweep) {
  std::set<uint64_t> records;
  for (const SweptFault& swept : sweep) records.insert(swept.record);
  return records.size();
}

}  // namespace everycrash
