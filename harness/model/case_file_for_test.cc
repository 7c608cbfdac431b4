#include "harness/model/case_file_for_test.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace everycrash {

std::vector<Case> read_case_file(const std::filesystem::path& file) {
  std::vector<Case> cases;
  std::ifstream input(file);
  bool fresh = true, states = false;
  for (std::string line; std::getline(input, line);) {
    if (line.empty()) {
      fresh = true;
      continue;
    }
    if (fresh) cases.emplace_back();
    if (fresh) states = false;
    fresh = false;
    Case& now = cases.back();
    if (states) {
      now.expected += line + "\n";
      continue;
    }
    if (line == "----") {
      states = true;
      continue;
    }
    now.text += line + "\n";
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "models") {
      while (words >> word) now.models.push_back(word);
    } else if (word == "seen" || word == "never") {
      Claim claim{word == "seen", "", ""};
      words >> claim.model >> std::ws;
      std::getline(words, claim.state);
      now.claims.push_back(claim);
    } else if (word.front() != '#') {
      now.operations.push_back(line);
    }
  }
  return cases;
}

std::vector<std::filesystem::path> case_files(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace everycrash
