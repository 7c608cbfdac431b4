// Files of cases for persistence models (testdata/*.txt).
//
// A case is: lines that begin with '#'; `models NAME...`; operations (trace/workload_text.h);
// `seen MODEL STATE` for a state that a real kernel showed, which must be legal; `never MODEL
// STATE` for one that a documented guarantee excludes; `----`; and for each model its name and the
// states. MODEL may be `all`. A blank line ends the case.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace everycrash {

struct Claim {
  bool legal;
  std::string model, state;
};

struct Case {
  std::string text;  // up to and without "----"
  std::vector<std::string> models, operations;
  std::vector<Claim> claims;
  std::string expected;
};

[[nodiscard]] std::vector<Case> read_case_file(const std::filesystem::path& file);

/// All files in DIRECTORY, sorted.
[[nodiscard]] std::vector<std::filesystem::path> case_files(const std::filesystem::path& directory);

}  // namespace everycrash
