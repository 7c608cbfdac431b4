#include "harness/trace/trace_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/trace/checksum.h"

namespace everycrash {

using format::Kind;
namespace {

using format::FileHeader;
using format::RecordHeader;

constexpr uint64_t kReserveStep = 1 << 20;
constexpr size_t kChunk = 1 << 20;

}  // namespace

Result<TraceWriter> TraceWriter::create(const std::filesystem::path& file, uint64_t capacity,
                                        std::string_view root, FileIdentity root_identity) {
  if (root.size() >= format::kPathMax)
    return harness_error("the state directory's path is too long");
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return system_error(fmt::format("cannot create {}", file.string()), errno);
  if (ftruncate(descriptor, static_cast<off_t>(capacity)) != 0) {
    const int reason = errno;
    close(descriptor);
    return system_error(fmt::format("cannot make {} {} bytes long", file.string(), capacity),
                        reason);
  }
  if (const int reason = posix_fallocate(descriptor, 0, kReserveStep); reason != 0) {
    close(descriptor);
    return system_error(fmt::format("cannot reserve space for {}", file.string()), reason);
  }
  void* data =
      mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
  if (data == MAP_FAILED) {
    const int reason = errno;
    close(descriptor);
    return system_error(fmt::format("cannot map {}", file.string()), reason);
  }
  auto* header = new (data) FileHeader{};
  std::memcpy(header->magic, format::kMagic, sizeof header->magic);
  header->version = format::kVersion;
  header->header_size = format::kHeaderSize;
  header->capacity = capacity;
  header->tail = format::kHeaderSize;
  header->allocated = kReserveStep;
  header->next_sequence = 1;
  header->root_device = root_identity.device;
  header->root_inode = root_identity.inode;
  header->root_size = static_cast<uint32_t>(root.size());
  std::memcpy(header->root, root.data(), root.size());
  return TraceWriter(descriptor, header, capacity);
}

TraceWriter::TraceWriter(TraceWriter&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      header_(std::exchange(other.header_, nullptr)),
      mapped_bytes_(other.mapped_bytes_) {}

TraceWriter::~TraceWriter() {
  if (header_ != nullptr) munmap(header_, mapped_bytes_);
  if (descriptor_ >= 0) close(descriptor_);
}

Status TraceWriter::reserve(uint64_t end) {
  if (end <= header_->allocated) return {};
  if (end > header_->capacity) {
    return harness_error(
        fmt::format("the trace is full at {} bytes; raise --trace-size", header_->capacity));
  }
  const uint64_t step = std::min((end / kReserveStep + 1) * kReserveStep, header_->capacity);
  const int reason = posix_fallocate(descriptor_, static_cast<off_t>(header_->allocated),
                                     static_cast<off_t>(step - header_->allocated));
  if (reason != 0) return system_error("cannot extend the trace", reason);
  header_->allocated = step;
  return {};
}

Result<uint64_t> TraceWriter::append(RecordHeader record, std::string_view path,
                                     std::string_view other_path, std::string_view payload) {
  const uint64_t sequence = header_->next_sequence;
  const bool in_chunks = record.kind == static_cast<uint16_t>(Kind::kInitial);
  const std::string_view first = in_chunks ? payload.substr(0, kChunk) : payload;
  if (Status ok = append_one(record, path, other_path, first); !ok) {
    return tl::unexpected(ok.error());
  }
  for (size_t done = first.size(); done < payload.size(); done += kChunk) {
    RecordHeader more{};
    more.kind = static_cast<uint16_t>(Kind::kPayloadChunk);
    more.call = format::kNoCall;
    more.inode = record.inode;
    if (Status ok = append_one(more, "", "", payload.substr(done, kChunk)); !ok) {
      return tl::unexpected(ok.error());
    }
  }
  return sequence;
}

Result<uint64_t> TraceWriter::append(const Operation& operation) {
  RecordHeader record{};
  record.kind = static_cast<uint16_t>(operation.kind);
  record.call = static_cast<uint16_t>(operation.call);
  record.flags = operation.flags;
  record.time_ns = operation.time_ns;
  record.process = operation.process;
  record.thread = operation.thread;
  record.result = operation.result;
  record.stack = operation.stack;
  record.inode = operation.inode;
  record.other_inode = operation.other_inode;
  record.offset = operation.offset;
  record.other_offset = operation.other_offset;
  record.length = operation.length;
  record.mode = operation.mode;
  record.open_flags = operation.open_flags;
  record.owner = operation.owner;
  record.group = operation.group;
  record.runner = operation.runner;
  return append(record, operation.path, operation.other_path, operation.payload);
}

Status TraceWriter::append_one(RecordHeader record, std::string_view path,
                               std::string_view other_path, std::string_view payload) {
  const uint64_t strings = path.size() + other_path.size() + payload.size();
  const uint64_t size = (sizeof record + strings + 7) / 8 * 8;
  if (Status ok = reserve(header_->tail + size); !ok) return ok;
  record.size = static_cast<uint32_t>(size);
  record.sequence = header_->next_sequence;
  record.path_size = static_cast<uint32_t>(path.size());
  record.other_path_size = static_cast<uint32_t>(other_path.size());
  record.payload_size = static_cast<uint32_t>(payload.size());
  char* at = reinterpret_cast<char*>(header_) + header_->tail;
  std::memset(at + size - 8, 0, 8);
  std::memcpy(at, &record, sizeof record);
  at += sizeof record;
  for (const std::string_view text : {path, other_path, payload}) {
    if (!text.empty()) std::memcpy(at, text.data(), text.size());
    at += text.size();
  }
  char* start = reinterpret_cast<char*>(header_) + header_->tail;
  const uint32_t checksum = record_checksum(start, record.size);
  std::memcpy(start + offsetof(RecordHeader, checksum), &checksum, sizeof checksum);
  ++header_->next_sequence;
  __atomic_store_n(&header_->tail, header_->tail + size, __ATOMIC_RELEASE);
  return {};
}

Status TraceWriter::seal() {
  header_->sealed = 1;
  header_->header_checksum = 0;
  header_->header_checksum = header_checksum(*header_);
  if (ftruncate(descriptor_, static_cast<off_t>(header_->tail)) != 0) {
    return system_error("cannot cut the trace to its length", errno);
  }
  return {};
}

}  // namespace everycrash
