// Which findings fail a run: all, but for those that a baseline accepts, and those of crash kinds
// and models that are only to be reported.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "reports/result.h"

namespace everycrash::reports {

/// The accepted findings: id, and the comment behind it. As a file: a line each, "ID  # comment";
/// blank lines and lines that begin with '#' are ignored.
using Baseline = std::map<std::string, std::string>;

/// Fails with kUsage for a line that is none; NAME is the file's name for messages. Pure.
[[nodiscard]] Result<Baseline> parse_baseline(std::string_view text, std::string_view name);

/// A file that is not there is kUsage and says how to make one.
[[nodiscard]] Result<Baseline> read_baseline(const std::filesystem::path& file);

/// The file's content for exactly the findings of DOCUMENTS. What OLD says behind an id stays.
[[nodiscard]] std::string baseline_text(const std::vector<ResultDocument>& documents,
                                        const Baseline& old);

/// Which crash kinds and models fail a run; empty = all.
class FailOn {
 public:
  /// Words are "kill", "power" (all models), "power:ext4" or "ext4" (all kinds). Fails with kUsage
  /// for a word that is not among KINDS and MODELS.
  [[nodiscard]] static Result<FailOn> parse(const std::vector<std::string>& words,
                                            const std::vector<std::string>& kinds,
                                            const std::vector<std::string>& models);
  [[nodiscard]] bool covers(const Finding& finding) const;

 private:
  struct Choice {
    std::string crash;  ///< "" = any
    std::string model;  ///< "" = any
  };
  std::vector<Choice> choices_;
};

/// Sets Finding::waived of what does not fail the run. Returns the ids of BASELINE that were not
/// found.
std::vector<std::string> waive_findings(ResultDocument& document, const Baseline& baseline,
                                        const FailOn& fail_on);

}  // namespace everycrash::reports
