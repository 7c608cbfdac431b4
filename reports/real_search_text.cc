#include "reports/real_search_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace everycrash::reports {
namespace {

std::string line_of(const RealSearch& search) {
  const std::string where = fmt::format("real {} ({}{})", search.file_system, search.kernel,
                                        search.default_options ? ", default options" : "");
  switch (search.sighting) {
    case Sighting::kSeen:
      return fmt::format("seen on {}: {} of {} states; {}", where, search.states,
                         search.states_searched, search.command);
    case Sighting::kAlike:
      return fmt::format("not seen, but a state that fails alike, on {}: {} of {} states; {}",
                         where, search.states, search.states_searched, search.command);
    case Sighting::kNotSeen:
      return fmt::format("searched for and not seen on {}: {} states", where,
                         search.states_searched);
    case Sighting::kNotSearched:
      return fmt::format("not searched on {}: {}", where, search.why);
    case Sighting::kNotAsked:
      return "not searched on a real file system (--on ext4,xfs,btrfs)";
  }
  return "";
}

}  // namespace

std::vector<std::string> lines_of(const std::vector<RealSearch>& searches) {
  std::vector<std::string> lines, not_asked;
  for (const RealSearch& search : searches) {
    if (search.sighting == Sighting::kNotAsked && !search.file_system.empty()) {
      not_asked.push_back(search.file_system);
    } else {
      lines.push_back(line_of(search));
    }
  }
  if (!not_asked.empty()) {
    lines.push_back(fmt::format("not searched on a real {} (--on {})", fmt::join(not_asked, ", "),
                                fmt::join(not_asked, ",")));
  }
  return lines;
}

}  // namespace everycrash::reports
