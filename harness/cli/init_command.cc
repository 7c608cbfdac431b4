// `everycrash init`: a first everycrash.toml for the project at hand.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/base/file.h"
#include "harness/base/quoting.h"
#include "harness/cli/commands.h"
#include "reports/result_json.h"

namespace everycrash::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "everycrash.toml";
constexpr size_t kEntriesMax = 10'000;

/// What a project is built with tells what its program is, and where.
struct Guess {
  std::string kind;                   ///< "a CMake project"
  std::vector<std::string> workload;  ///< empty = nothing was found
};

/// TEXT between double quotes of TOML.
std::string toml_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

/// The word behind KEY and an opening mark, such as the X of `name = "X"` or `add_executable(X`.
std::string word_behind(const std::string& text, const std::string& key, const char* marks) {
  size_t at = text.find(key);
  if (at == std::string::npos) return "";
  at = text.find_first_not_of(marks, at + key.size());
  if (at == std::string::npos) return "";
  const size_t end = text.find_first_of(" \t\r\n\"',)", at);
  return text.substr(at, end - at);
}

bool is_program(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

/// The executable NAME below FOLDER, relative to ROOT; "" if there is none within reach.
std::string find_program(const fs::path& root, const fs::path& folder, const std::string& name) {
  std::error_code error;
  size_t left = kEntriesMax;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator entry(root / folder, options, error), end;
       !error && entry != end && left-- > 0; entry.increment(error)) {
    if (entry->path().filename() == name && is_program(entry->path()))
      return fs::relative(entry->path(), root, error).string();
  }
  return "";
}

Guess guess_cmake(const fs::path& root) {
  const std::string name =
      word_behind(read_file(root / "CMakeLists.txt").value_or(""), "add_executable(", " \t\n");
  if (name.empty()) return {"a CMake project", {}};
  const std::string built = find_program(root, "build", name);
  return {"a CMake project", {built.empty() ? "build/" + name : built}};
}

Guess guess_cargo(const fs::path& root) {
  const std::string name =
      word_behind(read_file(root / "Cargo.toml").value_or(""), "name", " \t=\"");
  if (name.empty()) return {"a Cargo project", {}};
  return {"a Cargo project", {"target/debug/" + name}};
}

Guess guess_python(const fs::path& root, const char* kind) {
  for (const char* const file : {"main.py", "app.py", "__main__.py"}) {
    if (fs::exists(root / file)) return {kind, {"python3", file}};
  }
  return {kind, {}};
}

Guess guess_node(const fs::path& root) {
  const std::string main =
      word_behind(read_file(root / "package.json").value_or(""), "\"main\"", " \t:\"");
  return {"a Node.js project", {"node", main.empty() ? "index.js" : main}};
}

Guess guess_anything(const fs::path& root) {
  std::vector<std::string> programs;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root, error)) {
    if (is_program(entry.path())) programs.push_back("./" + entry.path().filename().string());
  }
  std::sort(programs.begin(), programs.end());
  if (programs.size() == 1) return {"one program", programs};
  return {"no build file that is known here", {}};
}

Guess guess(const fs::path& root) {
  const auto has = [&root](const char* name) { return fs::exists(root / name); };
  if (has("CMakeLists.txt")) return guess_cmake(root);
  if (has("Cargo.toml")) return guess_cargo(root);
  if (has("package.json")) return guess_node(root);
  if (has("pyproject.toml") || has("setup.py")) return guess_python(root, "a Python project");
  if (has("main.py") || has("app.py")) return guess_python(root, "a Python program");
  return guess_anything(root);
}

/// The first of NAMES that is a program below ROOT, as a line of the file; the line as a comment
/// where there is none.
std::string command_line(const fs::path& root, const char* key,
                         const std::vector<std::string>& names, const char* meaning) {
  for (const std::string& name : names) {
    if (is_program(root / name))
      return fmt::format("{} = {}  # {}\n", key, toml_text(name), meaning);
  }
  return fmt::format("# {} = {}  # {}\n", key, toml_text(names.front()), meaning);
}

std::string text_for(const fs::path& root, const Guess& found) {
  std::string words;
  for (const std::string& word : found.workload)
    words += (words.empty() ? "" : ", ") + toml_text(word);
  if (words.empty()) words = "\"./app\", \"--once\"";
  std::string text = fmt::format(
      "# What 'everycrash test' does in this project. Keys are the long options, without dashes\n"
      "# ('everycrash test --help-all' lists them); relative commands start at this folder.\n\n"
      "# The program: it must end by itself. Its working directory is an empty folder, in which "
      "it\n"
      "# keeps its state.\n"
      "workload = [{}]\n\n",
      words);
  text += command_line(root, "init", {"tests/prepare", "tests/init", "scripts/prepare"},
                       "fills the folder first");
  text += command_line(root, "check", {"tests/check", "scripts/check", "check"},
                       "exit 0 = what a crash left is fine");
  text += fmt::format(
      "# resume = true  # the program can be run again on what a crash left\n\n"
      "crash = [\"kill\"]  # add \"power\" for what an fsync did not make safe\n"
      "# fs = [\"ext4\", \"xfs\", \"btrfs\"]\n"
      "budget = \"2m\"\n");
  return text;
}

}  // namespace

Result<int> run_init_command(const InitOptions& options) {
  const fs::path root = options.directory.empty() ? fs::path(".") : options.directory;
  std::error_code error;
  if (!fs::is_directory(root, error)) {
    return fail(ErrorKind::kUsage, fmt::format("{} is no folder", printable(root.string())));
  }
  const fs::path file = options.directory.empty() ? fs::path(kFile) : root / kFile;
  if (fs::exists(file, error) && !options.force) {
    return fail(ErrorKind::kUsage,
                fmt::format("{} is there already\nEdit it, or replace it with --force.",
                            printable(file.string())));
  }
  const Guess found = guess(root);
  if (Status ok = reports::write_whole(text_for(root, found), file); !ok)
    return tl::unexpected(ok.error());
  fmt::print("{}: {}", printable(file.string()), found.kind);
  if (found.workload.empty()) {
    fmt::print("; its program was not found: write it behind 'workload'.\n");
  } else {
    fmt::print(", program {}.\n", printable(shell_quote(found.workload)));
  }
  fmt::print("Next: look at the file, then run 'everycrash test'.\n");
  return 0;
}

}  // namespace everycrash::cli
