#include "harness/trace/trace.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/base/digest.h"
#include "harness/trace/checksum.h"
#include "harness/trace/script_text.h"

namespace everycrash {

using format::FileHeader;
using format::RecordHeader;

struct Trace::Mapping {
  const char* data = nullptr;
  uint64_t size = 0;  // bytes mapped
  uint64_t tail = 0;  // end of the last whole record

  Mapping(const char* mapped, uint64_t bytes) : data(mapped), size(bytes) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { munmap(const_cast<char*>(data), size); }
  [[nodiscard]] const FileHeader& header() const {
    return *reinterpret_cast<const FileHeader*>(data);
  }
};

namespace {

tl::unexpected<Error> damaged(const std::filesystem::path& file, const std::string& why) {
  return harness_error(fmt::format("{}: {}\nRecord the workload again.", file.string(), why));
}

Status check_header(const std::filesystem::path& file, const FileHeader& header, uint64_t file_size,
                    bool allow_unsealed) {
  if (std::memcmp(header.magic, format::kMagic, sizeof header.magic) != 0) {
    return harness_error(fmt::format("{}: not an everycrash trace", file.string()));
  }
  if (header.version != format::kVersion) {
    return harness_error(fmt::format(
        "{}: trace format {} is not readable by this everycrash, which knows format {}\n"
        "Use the everycrash that recorded it, or record again.",
        file.string(), header.version, format::kVersion));
  }
  if (header.header_size != format::kHeaderSize || header.root_size >= format::kPathMax) {
    return damaged(file, "the header is damaged");
  }
  if (!header.sealed) {
    if (allow_unsealed) return {};
    return damaged(file, "the recording was never finished");
  }
  if (header.header_checksum != header_checksum(header)) {
    return damaged(file, "the header is damaged (its checksum does not hold)");
  }
  if (header.tail != file_size) {
    return damaged(file,
                   fmt::format("the trace is {} bytes long but should have {}: it was cut short",
                               file_size, header.tail));
  }
  return {};
}

Result<Operation> read_record(const std::filesystem::path& file, const char* data,
                              uint64_t position, uint64_t tail, uint64_t sequence) {
  const auto bad = [&](const char* why) {
    return damaged(file,
                   fmt::format("record {} at byte {} is damaged ({})", sequence, position, why));
  };
  if (tail - position < sizeof(RecordHeader)) return bad("cut short");
  RecordHeader record;
  std::memcpy(&record, data + position, sizeof record);
  const uint64_t strings =
      uint64_t{record.path_size} + record.other_path_size + record.payload_size;
  if (record.size % 8 != 0 || record.size < sizeof record + strings ||
      record.size > tail - position) {
    return bad("impossible size");
  }
  if (record.checksum != record_checksum(data + position, record.size)) {
    return bad("its checksum does not hold");
  }
  if (record.sequence != sequence) return bad("out of order");
  const char* text = data + position + sizeof record;
  Operation op;
  op.kind = static_cast<Kind>(record.kind);
  op.flags = record.flags;
  op.sequence = record.sequence;
  op.time_ns = record.time_ns;
  op.process = record.process;
  op.thread = record.thread;
  op.call = record.call == format::kNoCall ? int16_t{-1} : static_cast<int16_t>(record.call);
  op.result = record.result;
  op.stack = record.stack;
  op.inode = record.inode;
  op.other_inode = record.other_inode;
  op.offset = record.offset;
  op.other_offset = record.other_offset;
  op.length = record.length;
  op.mode = record.mode;
  op.open_flags = record.open_flags;
  op.owner = record.owner;
  op.group = record.group;
  op.runner = record.runner;
  op.path = {text, record.path_size};
  op.other_path = {text + record.path_size, record.other_path_size};
  op.payload = {text + record.path_size + record.other_path_size, record.payload_size};
  if (op.kind == Kind::kEvent) op.events = op.payload;
  if (op.kind == Kind::kStack || op.kind == Kind::kStart) {
    if (const char* problem = problem_of_script(op)) return bad(problem);
  }
  return op;
}

}  // namespace

Trace::Trace(std::unique_ptr<Mapping> mapping, std::vector<Operation> records)
    : mapping_(std::move(mapping)), records_(std::move(records)) {}
Trace::Trace(Trace&&) noexcept = default;
Trace& Trace::operator=(Trace&&) noexcept = default;
Trace::~Trace() = default;

Result<Trace> Trace::open(const std::filesystem::path& file, bool allow_unsealed) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) {
    return fail(ErrorKind::kUsage,
                fmt::format("there is no trace {}\nGive the file that 'everycrash record --trace' "
                            "wrote; a result document needs its trace beside it.",
                            file.string()));
  }
  if (descriptor < 0)
    return system_error(fmt::format("cannot open the trace {}", file.string()), errno);
  struct stat info {};
  const bool known = fstat(descriptor, &info) == 0;
  const auto size = static_cast<uint64_t>(info.st_size);
  if (!known || size < format::kHeaderSize) {
    close(descriptor);
    return harness_error(fmt::format("{}: not an everycrash trace (too short)", file.string()));
  }
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
  const int map_error = errno;
  close(descriptor);
  if (data == MAP_FAILED)
    return system_error(fmt::format("cannot map {}", file.string()), map_error);

  auto mapping = std::make_unique<Mapping>(static_cast<const char*>(data), size);
  if (Status ok = check_header(file, mapping->header(), size, allow_unsealed); !ok) {
    return tl::unexpected(ok.error());
  }
  mapping->tail = mapping->header().tail;
  if (mapping->tail > size || mapping->tail < format::kHeaderSize) {
    return damaged(file, "the header is damaged (impossible length)");
  }
  std::vector<Operation> records;
  for (uint64_t position = format::kHeaderSize; position < mapping->tail;) {
    Result<Operation> op =
        read_record(file, mapping->data, position, mapping->tail, records.size() + 1);
    if (!op) return tl::unexpected(op.error());
    RecordHeader record;
    std::memcpy(&record, mapping->data + position, sizeof record);
    position += record.size;
    records.push_back(*op);
  }
  return Trace(std::move(mapping), std::move(records));
}

void Trace::announce(uint64_t sequence, std::string lines) {
  EVERYCRASH_ASSERT(sequence > 0 && sequence <= records_.size());
  announced_.push_back(std::move(lines));
  records_[sequence - 1].events = announced_.back();
}

const Operation* Trace::find(uint64_t sequence) const {
  if (sequence == 0 || sequence > records_.size()) return nullptr;
  return &records_[sequence - 1];
}

std::span<const uint64_t> Trace::stack(uint64_t sequence) const {
  const Operation* record = find(sequence);
  if (record == nullptr || record->kind != Kind::kStack) return {};
  // Payload starts behind the header and no paths, so it is 8-byte aligned.
  return {reinterpret_cast<const uint64_t*>(record->payload.data()),
          static_cast<size_t>(record->length)};
}

std::string_view Trace::mappings_of_stack(uint64_t sequence) const {
  const Operation* record = find(sequence);
  if (record == nullptr || record->kind != Kind::kStack) return {};
  const Operation* mappings = find(record->other_inode);
  if (mappings == nullptr || mappings->kind != Kind::kMappings) return {};
  return mappings->payload;
}

std::string_view Trace::root() const {
  return {mapping_->header().root, mapping_->header().root_size};
}

std::string Trace::identity() const {
  return digest_of({mapping_->data, mapping_->tail}).hex();
}

const format::FaultState& Trace::faults() const {
  return mapping_->header().faults;
}

int Trace::full() const {
  return static_cast<int>(mapping_->header().full);
}

bool Trace::interrupted_in_call() const {
  return mapping_->header().in_call != 0;
}

}  // namespace everycrash
