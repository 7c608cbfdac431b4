#include "harness/record/preload/calls/elf_check.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "harness/record/preload/core/raw_call.h"

namespace everycrash::preload {

namespace {

constexpr int kInterpretersMax = 5;  // as the kernel's own limit
constexpr Text kLoaderName = {"ld-linux-x86-64.so", 18};

Text base_name(Text path) {
  size_t start = path.size;
  while (start > 0 && path.data[start - 1] != '/') --start;
  return {path.data + start, path.size - start};
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// The interpreter of a "#!" line, opened; or -errno.
long open_interpreter(char* line, long size) {
  long start = 2;
  while (start < size && is_blank(line[start])) ++start;
  long end = start;
  while (end < size && !is_blank(line[end]) && line[end] != '\n' && line[end] != 0) ++end;
  if (end >= size) return -1;
  line[end] = 0;
  return raw_call(SYS_openat, AT_FDCWD, to_long(line + start), O_RDONLY | O_CLOEXEC);
}

// Is it the loader itself, run as a program with another one as its argument?
bool is_loader_file(int file) {
  Path path;
  Buffer<64> link;
  link.add("/proc/self/fd/");
  link.add_number(static_cast<unsigned>(file));
  long size = raw_call(SYS_readlink, to_long(link.data), to_long(path.data), sizeof path.data);
  return size > 0 &&
         starts_with(base_name(Text{path.data, static_cast<size_t>(size)}), kLoaderName);
}

bool check_elf(int file, const Elf64_Ehdr& header, format::Unsupported& reason) {
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64) {
    reason = format::Unsupported::kForeignMachine;
    return false;
  }
  reason = format::Unsupported::kStaticBinary;
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    auto at = static_cast<long>(header.e_phoff + static_cast<size_t>(i) * header.e_phentsize);
    if (raw_call(SYS_pread64, file, to_long(&segment), sizeof segment, at) != sizeof segment) break;
    if (segment.p_type != PT_INTERP) continue;
    char loader[256];
    if (segment.p_filesz == 0 || segment.p_filesz > sizeof loader) break;
    long size = raw_call(SYS_pread64, file, to_long(loader), static_cast<long>(segment.p_filesz),
                         static_cast<long>(segment.p_offset));
    if (size <= 1) break;
    reason = format::Unsupported::kForeignLoader;
    return starts_with(base_name(Text{loader, static_cast<size_t>(size) - 1}), kLoaderName);
  }
  return is_loader_file(file);
}

}  // namespace

bool can_be_recorded(int file, format::Unsupported& reason) {
  int opened = -1;
  bool result = true;  // what is no program at all, the kernel will refuse
  for (int i = 0; i < kInterpretersMax; ++i) {
    union {
      Elf64_Ehdr header;
      char line[256];
    } head = {};
    long size = raw_call(SYS_pread64, file, to_long(&head), sizeof head, 0);
    if (size > 2 && head.line[0] == '#' && head.line[1] == '!') {
      long next = open_interpreter(head.line, size);
      if (opened >= 0) raw_call(SYS_close, opened);
      if (next < 0) return true;
      file = opened = static_cast<int>(next);
      continue;
    }
    if (size >= static_cast<long>(sizeof head.header) &&
        memcmp(head.header.e_ident, ELFMAG, SELFMAG) == 0) {
      result = check_elf(file, head.header, reason);
    }
    break;
  }
  if (opened >= 0) raw_call(SYS_close, opened);
  return result;
}

}  // namespace everycrash::preload
