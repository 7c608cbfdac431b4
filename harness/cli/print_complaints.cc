#include "harness/cli/print_complaints.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/quoting.h"
#include "reports/text.h"

namespace everycrash::cli {

int print_complaints(const std::vector<Complaint>& complaints) {
  int status = 0;
  for (const Complaint& complaint : complaints) {
    const std::string where = complaint.path.empty() ? "" : " " + printable(complaint.path);
    fmt::print("{} ({}{}): {}\n", name_of(complaint.verdict), name_of(complaint.judge), where,
               fmt::join(reports::printable_lines(complaint.message), "\n  "));
    if (is_violation(complaint)) status = 1;
  }
  if (complaints.empty()) fmt::print("survived\n");
  return status;
}

}  // namespace everycrash::cli
