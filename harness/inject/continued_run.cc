#include "harness/inject/continued_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "harness/explore/state_builder.h"
#include "harness/trace/trace_writer.h"

namespace everycrash {
namespace {

/// The inode numbers of the second run, in those of the first: of what was there when it began, the
/// first one's own; of what came later, numbers that the first never had.
class InodeNumbers {
 public:
  /// TREE is what the kill left.
  InodeNumbers(const Trace& first, const FileSystem& tree) : tree_(tree) {
    for (const Operation& record : first.records()) {
      next_ = std::max({next_, record.inode + 1, record.other_inode + 1});
      const NodeId node = tree.by_inode(record.inode);
      if (node != kNoNode) of_node_[node] = record.inode;
    }
  }

  /// RECORD is a kInitial of the second run.
  Status learn(const Operation& record) {
    const auto found = of_node_.find(tree_.find(record.path));
    if (found == of_node_.end()) {
      return harness_error(fmt::format(
          "a run after a crash began with '{}', which the crash did not leave", record.path));
    }
    known_[record.inode] = found->second;
    return {};
  }

  uint64_t translate(uint64_t inode) {
    if (inode == 0) return 0;
    const auto [it, fresh] = known_.try_emplace(inode, next_);
    if (fresh) ++next_;
    return it->second;
  }

 private:
  const FileSystem& tree_;
  std::unordered_map<NodeId, uint64_t> of_node_;
  std::unordered_map<uint64_t, uint64_t> known_;
  uint64_t next_ = 1;
};

Status append_first(TraceWriter& writer, const Trace& first, CrashPoint killed) {
  for (Operation record : first.records()) {
    const bool before = is_initial(record.kind) || record.sequence <= killed.record;
    if (!before) break;
    if (record.sequence == killed.record && !killed.whole()) {
      record.payload = record.payload.substr(0, static_cast<size_t>(killed.cut));
      record.flags &= ~static_cast<uint32_t>(format::kSyncWrite | format::kDataSyncWrite);
      record.length = record.result = killed.cut;
    }
    const Result<uint64_t> done = writer.append(record);
    if (!done) return tl::unexpected(done.error());
  }
  return {};
}

Status append_second(TraceWriter& writer, const Trace& second, InodeNumbers& inodes) {
  int64_t shift = 0;
  bool began = false;
  const auto moved = [&shift](uint64_t sequence) {
    return sequence == 0 ? 0 : static_cast<uint64_t>(static_cast<int64_t>(sequence) + shift);
  };
  for (Operation record : second.records()) {
    if (record.kind == Kind::kInitial) {
      if (Status ok = inodes.learn(record); !ok) return ok;
    }
    if (is_initial(record.kind)) continue;
    if (!began) {
      shift = static_cast<int64_t>(writer.header().next_sequence) -
              static_cast<int64_t>(record.sequence);
      began = true;
    }
    record.stack = moved(record.stack);
    if (record.kind == Kind::kStack || record.kind == Kind::kStart) {
      record.other_inode = moved(record.other_inode);
      record.other_offset = static_cast<int64_t>(moved(static_cast<uint64_t>(record.other_offset)));
    } else if (record.kind != Kind::kProcess) {
      record.inode = inodes.translate(record.inode);
      record.other_inode = inodes.translate(record.other_inode);
    }
    const Result<uint64_t> done = writer.append(record);
    if (!done) return tl::unexpected(done.error());
  }
  return {};
}

uint64_t bytes_of(const Trace& trace) {
  uint64_t bytes = 0;
  for (const Operation& record : trace.records()) {
    bytes += sizeof(format::RecordHeader) + record.path.size() + record.other_path.size() +
             record.payload.size() + alignof(format::RecordHeader);
  }
  return bytes;
}

}  // namespace

Result<ContinuedRun> continue_run(const Trace& first, CrashPoint killed, const Trace& second,
                                  const std::filesystem::path& file) {
  Result<StateBuilder> left = StateBuilder::create(first);
  if (!left) return tl::unexpected(left.error());
  if (Status ok = left->move_to(killed); !ok) return tl::unexpected(ok.error());
  constexpr uint64_t kSlack = 4 << 20;  // space is reserved in steps
  const uint64_t capacity = format::kHeaderSize + bytes_of(first) + bytes_of(second) + kSlack;
  Result<TraceWriter> writer = TraceWriter::create(file, capacity, first.root(), {});
  if (!writer) return tl::unexpected(writer.error());
  if (Status ok = append_first(*writer, first, killed); !ok) return tl::unexpected(ok.error());
  const uint64_t begin = writer->header().next_sequence;
  InodeNumbers inodes(first, left->tree());
  Status done = append_second(*writer, second, inodes);
  if (done) done = writer->seal();
  if (!done) return tl::unexpected(done.error());
  Result<Trace> trace = Trace::open(file);
  if (!trace) return tl::unexpected(trace.error());
  return ContinuedRun{std::move(*trace), begin};
}

}  // namespace everycrash
