#include "harness/inject/fault_sweep.h"

#include <errno.h>
#include <sys/syscall.h>

#include <map>
#include <set>
#include <utility>

#include "harness/explore/crash_point.h"
#include "harness/inject/fault_text.h"
#include "harness/trace/point_name.h"

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
    default:
      return {};
  }
}

/// A glob that names the file in every run: what a process or chance put into its name stands open.
std::string glob_of(const Operation& call, const std::set<int32_t>& processes) {
  const std::string_view path = point_path(call);
  if (path.empty()) return ".";
  char stable[format::kPathMax];
  const size_t size = point::stable_path(
      path.data(), path.size(), [&](int32_t number) { return processes.contains(number); }, stable,
      sizeof stable);
  std::string glob(stable, size);
  for (const std::string_view open : {"<pid>", "<random>"}) {
    for (size_t at = 0; (at = glob.find(open, at)) != std::string::npos; ++at) {
      glob.replace(at, open.size(), 1, '*');
    }
  }
  for (char& byte : glob) {
    if (byte == '[' || byte == '?') byte = '?';
  }
  return glob;
}

/// False for what a call did besides: dup2 and exec close descriptors, too.
bool can_fail(const Operation& record) {
  return record.kind != Kind::kClose || record.call == SYS_close;
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
  explicit Sweep(const Trace& trace) : trace_(trace), occurrences_(trace) {
    for (const Operation& record : trace.records()) {
      if (record.kind == Kind::kProcess) processes_.insert(record.process);
    }
  }

  std::vector<SweptFault> take() {
    for (const Operation& record : trace_.records()) {
      if (is_operation(record.kind) && !record.failed() && can_fail(record)) add(record);
    }
    return std::move(faults_);
  }

 private:
  void add(const Operation& call) {
    const Plausible errors = plausible_errors(call);
    if (errors.once.empty()) return;
    const std::string glob = call.kind == Kind::kSyncFileSystem ? "*" : glob_of(call, processes_);
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

  void add(const Operation& call, Fault fault, Action action, int error) {
    fault.action = action;
    fault.error = error;
    faults_.push_back({call.sequence, fault, text_of(fault)});
  }

  const Trace& trace_;
  Occurrences occurrences_;
  std::set<int32_t> processes_;
  std::set<std::pair<Kind, std::string>> seen_;
  std::vector<SweptFault> faults_;
};

}  // namespace

std::vector<SweptFault> sweep_of(const Trace& trace) {
  return Sweep(trace).take();
}

size_t count_swept_calls(const std::vector<SweptFault>& sweep) {
  std::set<uint64_t> records;
  for (const SweptFault& swept : sweep) records.insert(swept.record);
  return records.size();
}

}  // namespace everycrash
