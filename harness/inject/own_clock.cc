#include "harness/inject/own_clock.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <set>
#include <string_view>

#include "harness/record/installed_files.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

/// vdso(7), x86-64.
constexpr std::array<std::string_view, 3> kClocks = {"__vdso_clock_gettime", "__vdso_gettimeofday",
                                                     "__vdso_time"};

template <typename T>
bool read_at(std::ifstream& file, uint64_t offset, T& value) {
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file.read(reinterpret_cast<char*>(&value), sizeof value));
}

/// Looks piece by piece: programs of 100 MB are usual.
bool names_clock(std::ifstream& file, const Elf64_Phdr& segment) {
  constexpr uint64_t kPiece = 1 << 20;
  constexpr uint64_t kOverlap = 32;  // more than any of the names
  std::string piece;
  for (uint64_t at = 0; at < segment.p_filesz; at += kPiece) {
    piece.resize(std::min(segment.p_filesz - at, kPiece + kOverlap));
    file.clear();
    file.seekg(static_cast<std::streamoff>(segment.p_offset + at));
    if (!file.read(piece.data(), static_cast<std::streamsize>(piece.size()))) return false;
    for (const std::string_view clock : kClocks) {
      if (memmem(piece.data(), piece.size(), clock.data(), clock.size()) != nullptr) return true;
    }
  }
  return false;
}

bool is_libc(const std::string& name) {
  return name.starts_with("libc.so.") || name.starts_with("libc-2.") ||
         name.starts_with("ld-linux") || name.starts_with("ld-2.");
}

}  // namespace

bool has_own_clock(const std::filesystem::path& image) {
  if (is_libc(image.filename().string())) return false;
  std::ifstream file(image, std::ios::binary);
  Elf64_Ehdr header;
  if (!read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read_at(file, header.e_phoff + static_cast<uint64_t>(i) * header.e_phentsize, segment)) {
      return false;
    }
    if (segment.p_type == PT_LOAD && names_clock(file, segment)) return true;
  }
  return false;
}

std::string program_with_own_clock(const Trace& trace) {
  const Result<std::filesystem::path> recorder = find_preload_library();
  std::set<std::string_view> looked_at;
  for (const Operation& record : trace.records()) {
    if (record.kind != Kind::kMappings) continue;
    std::string_view lines = record.payload;
    while (!lines.empty()) {
      const std::string_view line = lines.substr(0, lines.find('\n'));
      lines.remove_prefix(std::min(line.size() + 1, lines.size()));
      const size_t path = line.find('/');
      if (path == std::string_view::npos || !looked_at.insert(line.substr(path)).second) continue;
      const std::filesystem::path file(line.substr(path));
      // Ours dates its records by the vDSO, and is not what is tested.
      const bool own = recorder && file.filename() == recorder->filename();
      if (!own && has_own_clock(file)) return file.filename().string();
    }
  }
  return "";
}

}  // namespace everycrash
