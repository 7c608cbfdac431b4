// The comparison reads the file through a mapping of our own, which outlives the program's munmap
// and costs no descriptor, and it reads it with process_vm_readv, since the file may have been cut
// and touching a page behind its end would raise SIGBUS.

#include "harness/record/preload/calls/mappings.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "harness/record/preload/core/plan.h"
#include "harness/record/preload/core/raw_call.h"
#include "harness/record/preload/core/session.h"

namespace everycrash::preload {

namespace {

constexpr size_t kPage = 4096;
constexpr size_t kWatchedMax = 64;
constexpr size_t kShadowMax = 8 << 20;  // bytes of copies in all
constexpr size_t kChunk = 64 * kPage;

struct Watched {
  bool used = false;
  uint64_t inode = 0;
  uintptr_t address = 0;  // of the program's own mapping
  size_t length = 0;      // whole pages
  int64_t offset = 0;
  char* view = nullptr;    // our mapping of the same range
  char* shadow = nullptr;  // its content when last looked at; null while nobody can write
  Buffer<512> path{kZeroed};
};
constinit Watched watched[kWatchedMax];
constinit size_t shadow_used = 0;
alignas(8) char chunk[kChunk];

size_t whole_pages(size_t size) {
  return (size + kPage - 1) & ~(kPage - 1);
}

// Bytes that could be read, in whole pages.
size_t read_pages(char* to, const char* from, size_t size) {
  iovec local = {to, size};
  iovec remote = {const_cast<char*>(from), size};
  long self = raw_call(SYS_getpid);
  long got = raw_call(SYS_process_vm_readv, self, to_long(&local), 1, to_long(&remote), 1, 0);
  return got < 0 ? 0 : static_cast<size_t>(got) & ~(kPage - 1);
}

char* map_view(long file, size_t length, int64_t offset) {
  if (file < 0) return nullptr;
  long view = raw_call(SYS_mmap, 0, static_cast<long>(length), PROT_READ, MAP_SHARED, file, offset);
  raw_call(SYS_close, file);
  return view < 0 ? nullptr : reinterpret_cast<char*>(view);
}

char* view_by_descriptor(int descriptor, size_t length, int64_t offset) {
  Buffer<64> name;
  name.add("/proc/self/fd/");
  name.add_number(static_cast<unsigned>(descriptor));
  long file = raw_call(SYS_openat, AT_FDCWD, to_long(name.data), O_RDONLY | O_CLOEXEC);
  return map_view(file, length, offset);
}

bool start_shadow(Watched& entry) {
  if (entry.shadow != nullptr) return true;
  if (shadow_used + entry.length > kShadowMax) return false;
  long memory = raw_call(SYS_mmap, 0, static_cast<long>(entry.length), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory < 0) return false;
  entry.shadow = reinterpret_cast<char*>(memory);
  shadow_used += entry.length;
  read_pages(entry.shadow, entry.view, entry.length);
  return true;
}

void release(Watched& entry) {
  raw_call(SYS_munmap, to_long(entry.view), static_cast<long>(entry.length));
  if (entry.shadow != nullptr) {
    raw_call(SYS_munmap, to_long(entry.shadow), static_cast<long>(entry.length));
    shadow_used -= entry.length;
  }
  entry.view = entry.shadow = nullptr;
  entry.used = false;
}

bool covers(const Watched& entry, uint64_t inode, int64_t offset, size_t length) {
  return entry.used && entry.inode == inode && entry.offset <= offset &&
         entry.offset + static_cast<int64_t>(entry.length) >= offset + static_cast<int64_t>(length);
}

void absolute_path(const Watched& entry, Path& absolute) {
  absolute.add(Text{session.header->root, session.header->root_size});
  absolute.add("/");
  absolute.add(entry.path.text());
}

// Where the file ends: the rest of its last page is memory, not content.
int64_t end_of_file(const Watched& entry) {
  Path absolute;
  absolute_path(entry, absolute);
  struct stat status;
  bool same = raw_call(SYS_newfstatat, AT_FDCWD, to_long(absolute.data), to_long(&status),
                       AT_SYMLINK_NOFOLLOW) == 0 &&
              status.st_ino == entry.inode;
  return same ? status.st_size : INT64_MAX;
}

// A longer view of a file whose descriptor may be closed by now.
char* view_by_name(const Watched& entry, size_t length) {
  Path absolute;
  absolute_path(entry, absolute);
  long file =
      raw_call(SYS_openat, AT_FDCWD, to_long(absolute.data), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;
  bool same =
      file >= 0 && raw_call(SYS_fstat, file, to_long(&status)) == 0 && status.st_ino == entry.inode;
  if (!same && file >= 0) raw_call(SYS_close, file);
  return same ? map_view(file, length, entry.offset) : nullptr;
}

void append_change(const Watched& entry, int64_t offset, const char* bytes, size_t size) {
  iovec piece = {const_cast<char*>(bytes), size};
  format::RecordHeader record = {};
  record.kind = static_cast<uint16_t>(format::Kind::kMapWrite);
  record.call = format::kNoCall;
  record.inode = entry.inode;
  record.offset = offset;
  record.length = record.result = static_cast<int64_t>(size);
  Payload payload = {&piece, 1, size};
  append(record, entry.path.text(), Text{}, payload);
  stop_after(format::Kind::kMapWrite, entry.path.text(), payload);
}

// Compares one page; the bytes between the first and the last that differ are one change.
void compare_page(const Watched& entry, size_t at, const char* now, int64_t* end) {
  char* before = entry.shadow + at;
  const auto* new_words = reinterpret_cast<const uint64_t*>(now);
  const auto* old_words = reinterpret_cast<const uint64_t*>(before);
  constexpr size_t kWords = kPage / sizeof(uint64_t);
  size_t word = 0;
  while (word < kWords && new_words[word] == old_words[word]) ++word;
  if (word == kWords) return;
  size_t first = word * sizeof(uint64_t);
  while (now[first] == before[first]) ++first;
  size_t last = kPage;
  while (now[last - 1] == before[last - 1]) --last;
  memcpy(before, now, kPage);

  if (*end < 0) *end = end_of_file(entry);
  int64_t page_offset = entry.offset + static_cast<int64_t>(at);
  if (page_offset + static_cast<int64_t>(last) > *end) {
    if (page_offset + static_cast<int64_t>(first) >= *end) return;
    last = static_cast<size_t>(*end - page_offset);
  }
  append_change(entry, page_offset + static_cast<int64_t>(first), now + first, last - first);
}

void compare(const Watched& entry) {
  int64_t end = -1;  // found out when the first change is
  for (size_t at = 0; at < entry.length; at += kChunk) {
    size_t size = entry.length - at < kChunk ? entry.length - at : kChunk;
    size_t got = read_pages(chunk, entry.view + at, size);
    for (size_t page = 0; page < got; page += kPage) {
      compare_page(entry, at + page, chunk + page, &end);
    }
    if (got < size) return;  // the file ends here
  }
}

}  // namespace

bool watch_mapping(const MappedRange& range, const Object& object) {
  size_t length = whole_pages(range.length);
  Watched* free = nullptr;
  for (Watched& entry : watched) {
    if (covers(entry, object.inode(), range.offset, length)) {
      entry.address = range.address - static_cast<uintptr_t>(range.offset - entry.offset);
      return !range.writable || start_shadow(entry);
    }
    if (!entry.used) free = &entry;
  }
  if (free == nullptr || object.path.size >= sizeof free->path.data) return false;
  char* view = view_by_descriptor(range.descriptor, length, range.offset);
  if (view == nullptr) return false;
  free->inode = object.inode();
  free->address = range.address;
  free->length = length;
  free->offset = range.offset;
  free->view = view;
  free->shadow = nullptr;
  free->path.clear();
  free->path.add(object.path.text());
  free->used = true;
  return !range.writable || start_shadow(*free);
}

bool mapping_became_writable(uintptr_t address, size_t length, Text* about) {
  for (Watched& entry : watched) {
    bool overlaps =
        entry.used && address < entry.address + entry.length && entry.address < address + length;
    if (!overlaps || start_shadow(entry)) continue;
    *about = entry.path.text();
    return false;
  }
  return true;
}

bool mapping_moved(uintptr_t from, uintptr_t to, size_t length, Text* about) {
  for (Watched& entry : watched) {
    if (!entry.used || entry.address != from) continue;
    entry.address = to;
    size_t wanted = whole_pages(length);
    if (wanted <= entry.length) return true;
    *about = entry.path.text();
    bool writable = entry.shadow != nullptr;
    char* view = view_by_name(entry, wanted);
    if (view == nullptr) return !writable;
    release(entry);
    entry.used = true;
    entry.view = view;
    entry.length = wanted;
    return !writable || start_shadow(entry);
  }
  return true;
}

bool find_mapping(uintptr_t address, uint64_t* inode, int64_t* offset, Text* path) {
  for (const Watched& entry : watched) {
    if (!entry.used || address < entry.address || address >= entry.address + entry.length) continue;
    *inode = entry.inode;
    *offset = entry.offset + static_cast<int64_t>(address - entry.address);
    *path = entry.path.text();
    return true;
  }
  return false;
}

void record_mapped_changes() {
  if (shadow_used == 0) return;
  for (const Watched& entry : watched) {
    if (entry.used && entry.shadow != nullptr) compare(entry);
  }
}

void bytes_were_written(uint64_t inode, int64_t offset, int64_t length) {
  if (shadow_used == 0) return;
  for (Watched& entry : watched) {
    if (!entry.used || entry.shadow == nullptr || entry.inode != inode) continue;
    int64_t begin = offset > entry.offset ? offset : entry.offset;
    int64_t end = offset + length;
    int64_t last = entry.offset + static_cast<int64_t>(entry.length);
    if (end > last) end = last;
    if (begin >= end) continue;
    auto at = static_cast<size_t>(begin - entry.offset);
    auto size = static_cast<size_t>(end - begin);
    iovec local = {entry.shadow + at, size};
    iovec remote = {entry.view + at, size};
    long self = raw_call(SYS_getpid);
    raw_call(SYS_process_vm_readv, self, to_long(&local), 1, to_long(&remote), 1, 0);
  }
}

void forget_mapping(uint64_t inode) {
  for (Watched& entry : watched) {
    if (entry.used && entry.inode == inode) release(entry);
  }
}

}  // namespace everycrash::preload
