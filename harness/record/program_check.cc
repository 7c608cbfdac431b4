#include "harness/record/program_check.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

namespace everycrash {

namespace {

namespace fs = std::filesystem;

constexpr int kInterpretersMax = 5;
constexpr std::string_view kLoaderName = "ld-linux-x86-64.so";

bool is_executable_file(const fs::path& file) {
  std::error_code unreachable;
  return fs::is_regular_file(file, unreachable) && access(file.c_str(), X_OK) == 0;
}

std::optional<fs::path> find_program(const std::string& command, const fs::path& directory) {
  if (command.find('/') != std::string::npos) {
    const fs::path file = directory / command;
    return is_executable_file(file) ? std::optional(file) : std::nullopt;
  }
  const char* search = std::getenv("PATH");
  std::istringstream folders(search != nullptr ? search : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = directory / folder / command;
    if (is_executable_file(file)) return file;
  }
  return std::nullopt;
}

template <typename T>
bool read_at(std::ifstream& file, uint64_t offset, T& value) {
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file.read(reinterpret_cast<char*>(&value), sizeof value));
}

tl::unexpected<Error> cannot_record(const fs::path& program, std::string_view why) {
  return fail(ErrorKind::kHarness,
              fmt::format("{} cannot be recorded: {}\n"
                          "Use a dynamically linked x86-64 build of it for this machine's libc.",
                          program.string(), why));
}

// The loader that the program asks for, "" if none.
std::string loader_of(std::ifstream& file, const Elf64_Ehdr& header) {
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read_at(file, header.e_phoff + static_cast<uint64_t>(i) * header.e_phentsize, segment)) {
      break;
    }
    if (segment.p_type != PT_INTERP || segment.p_filesz == 0 || segment.p_filesz > 4096) continue;
    std::string loader(segment.p_filesz, '\0');
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    file.read(loader.data(), static_cast<std::streamsize>(loader.size()));
    return loader.c_str();
  }
  return "";
}

Status check_elf(const fs::path& program, std::ifstream& file, const Elf64_Ehdr& header) {
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64) {
    return cannot_record(program, "it is not a 64-bit x86 program");
  }
  if (program.filename().string().starts_with(kLoaderName)) return {};
  const std::string loader = loader_of(file, header);
  if (loader.empty()) return cannot_record(program, "it is statically linked");
  if (!fs::path(loader).filename().string().starts_with(kLoaderName)) {
    return cannot_record(program,
                         fmt::format("its loader {} is not this machine's libc's", loader));
  }
  return {};
}

Status check_program(const fs::path& program, int depth) {
  struct stat status {};
  if (stat(program.c_str(), &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0) {
    return cannot_record(program, "it is set-user-ID, and would run without its privileges");
  }
  std::ifstream file(program, std::ios::binary);
  std::string line(2, '\0');
  if (!file.read(line.data(), 2)) return {};  // unreadable: exec will say more
  if (line == "#!" && depth < kInterpretersMax) {
    std::getline(file, line);
    std::string interpreter;
    std::istringstream(line) >> interpreter;
    return check_program(interpreter, depth + 1);
  }
  Elf64_Ehdr header;
  if (read_at(file, 0, header) && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0) {
    return check_elf(program, file, header);
  }
  return {};
}

}  // namespace

Result<fs::path> find_recordable_program(const std::string& command,
                                         const fs::path& working_directory) {
  const std::optional<fs::path> program = find_program(command, working_directory);
  if (!program) {
    const bool relative = command.find('/') != std::string::npos;
    return fail(ErrorKind::kUsage,
                fmt::format("{}: no such program{}", command,
                            relative ? fmt::format(" (seen from {})", working_directory.string())
                                     : " in PATH"));
  }
  std::error_code unreachable;
  if (Status ok = check_program(fs::canonical(*program, unreachable), 0); !ok) {
    return tl::unexpected(ok.error());
  }
  return *program;
}

}  // namespace everycrash
