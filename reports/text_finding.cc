#include "reports/text_finding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/crash_kind.h"
#include "harness/base/path_text.h"
#include "harness/base/quoting.h"
#include "reports/real_search_text.h"
#include "reports/text.h"

namespace everycrash::reports {
namespace {

constexpr size_t kCallersShown = 4;
constexpr size_t kComplaintLinesShown = 12;
constexpr size_t kLineWidthMax = 300;
constexpr size_t kLabelWidth = 16;
constexpr size_t kLostShown = 2;  // those where the loss begins come first

bool has_source(const Frame& frame) {
  return !frame.file.empty() && frame.line != 0;
}

bool is_main(const Frame& frame) {
  return frame.function == "main" || frame.function.ends_with("::main");
}

/// What starts every program, and knows none of them.
bool is_start(const Frame& frame) {
  return frame.function == "_start" || frame.function.starts_with("__libc_start");
}

bool is_script(const Frame& frame) {
  return !frame.language.empty();
}

/// Positions in `frames` of STACK that are worth a line, the first one to show first.
std::vector<size_t> frames_to_show(const TextContext& context, const Stack& stack) {
  const auto frame_at = [&](size_t i) -> const Frame& {
    return context.document.frames[stack.frames[i]];
  };
  std::vector<size_t> shown = {stack.user_frame};
  const Frame& first = frame_at(stack.user_frame);
  for (size_t i = stack.user_frame + 1; i < stack.frames.size(); ++i) {
    const Frame& frame = frame_at(i);
    // What called main() is the same in every program.
    if (is_main(frame_at(i - 1)) || is_start(frame) || shown.size() > kCallersShown) break;
    if (is_system_source(frame.file) || frame.library) continue;
    // Nor does it help to know what had run the program, whose own line is known.
    if (is_script(first) != is_script(frame) || first.program != frame.program) continue;
    // An address alone tells nobody anything.
    if (has_source(frame) || (!has_source(first) && !frame.function.empty())) shown.push_back(i);
  }
  return shown;
}

/// The source text of the frame's own line, without its indentation; "" if it is not known.
std::string source_line(const Frame& frame) {
  const Excerpt& excerpt = frame.excerpt;
  if (frame.line < excerpt.first_line || frame.line - excerpt.first_line >= excerpt.lines.size()) {
    return "";
  }
  const std::string& line = excerpt.lines[frame.line - excerpt.first_line];
  const size_t start = line.find_first_not_of(" \t");
  return start == std::string::npos ? "" : printable(line.substr(start));
}

/// Lines of a finding's block: a label in front of the first of TEXT, the others below it.
class Block {
 public:
  explicit Block(const Style& style) : style_(style) {}

  void item(std::string_view label, const std::vector<std::string>& lines) {
    for (size_t i = 0; i < lines.size(); ++i) {
      const std::string head = i == 0 ? style_.bold(label) : "";
      const size_t used = i == 0 ? length_of(label) : 0;
      const size_t gap = used < kLabelWidth ? kLabelWidth - used : 1;
      text_ += fmt::format("  {}{}{}\n", head, std::string(gap, ' '), lines[i]);
    }
  }
  void item(std::string_view label, const std::string& line) {
    if (!line.empty()) item(label, std::vector<std::string>{line});
  }
  void operation(const TextContext& context, std::string_view label,
                 const InvolvedOperation& operation) {
    item(label, printable(operation.description));
    text_ += text_of_stack(context, operation.stack, std::string(kLabelWidth + 4, ' '));
  }
  void raw(const std::string& text) { text_ += text; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  const Style& style_;
  std::string text_;
};

std::vector<std::string> complaint_lines(const TextContext& context, const Finding& finding) {
  std::vector<std::string> lines;
  for (const std::string& complaint : finding.complaints) {
    for (const std::string& line : printable_lines(complaint)) {
      lines.push_back(elide_middle(line, kLineWidthMax));
    }
  }
  if (lines.empty()) lines.push_back("rejected the state without a word");
  if (context.detail == Detail::kVerbose || lines.size() <= kComplaintLinesShown) return lines;
  // What went wrong stands at the end of a traceback, and at the beginning of most other texts.
  constexpr size_t kFirst = kComplaintLinesShown / 2;
  const size_t more = lines.size() - kComplaintLinesShown;
  const auto begin = lines.begin() + kFirst;
  lines.erase(begin, begin + static_cast<std::ptrdiff_t>(more));
  lines.insert(lines.begin() + kFirst, fmt::format("({}: --verbose)", counted(more, "more line")));
  return lines;
}

/// "second crash", "third crash": the NUMBER-th one, from 1.
std::string crash_number(size_t number) {
  constexpr const char* kWords[] = {"first crash", "second crash", "third crash"};
  return number <= 3 ? kWords[number - 1] : fmt::format("crash {}", number);
}

std::vector<std::string> state_lines(const TextContext& context, const Finding& finding) {
  std::string line = counted(
      finding.states, finding.crash == CrashKind::kChaos ? "failing round" : "failing state");
  if (finding.crash == CrashKind::kChaos) {
    if (finding.states > 1) line += fmt::format(", the last one {}", printable(finding.last_point));
    return {line};
  }
  if (finding.points_total == 1) {
    line += fmt::format(" at {}", printable(finding.first_point));
  } else if (finding.points_total > 1) {
    line += fmt::format(" at {}, from {} to {}", counted(finding.points_total, "crash point"),
                        printable(finding.first_point), printable(finding.last_point));
  }
  std::vector<std::string> lines = {line};
  if (context.detail == Detail::kVerbose && finding.points_total > 1) {
    for (const std::string& point : finding.points) lines.push_back("  " + printable(point));
    if (finding.points_total > finding.points.size()) {
      lines.push_back(fmt::format("  (and {} more)", finding.points_total - finding.points.size()));
    }
  }
  return lines;
}

/// The coloured word that a finding begins with.
std::string finding_word(const Style& style, const Finding& finding) {
  return finding.waived.empty() ? style.bad("FAIL") : style.unsure("NOTE");
}

/// "save at app.py:12", "app.py:40", "mv, run by save.sh:7", "mv, run by save at save.sh:3".
std::string text_of_script_frame(const Frame& frame, const Style& style) {
  std::string text =
      style.place(frame.line == 0 ? printable(frame.file)
                                  : fmt::format("{}:{}", printable(frame.file), frame.line));
  if (!frame.function.empty()) text = fmt::format("{} at {}", printable(frame.function), text);
  if (frame.program.empty()) return text;
  return fmt::format("{}, run by {}", printable(frame.program), text);
}

}  // namespace

bool is_system_source(const std::string& file) {
  return file.starts_with("/usr/include/") || file.starts_with("/rustc/");
}

std::string words_for_crash(CrashKind crash) {
  switch (crash) {
    case CrashKind::kKill:
      return "process killed";
    case CrashKind::kPower:
      return "power loss";
    case CrashKind::kLostFsync:
      return "power loss on a disk that lost a sync";
    case CrashKind::kIoError:
      return "failed call";
    case CrashKind::kClock:
      return "process killed, and started again by another clock";
    case CrashKind::kAgain:
      return "another crash, while recovery runs";
    case CrashKind::kConcurrent:
      return "two runners at once";
    case CrashKind::kChaos:
      return "random faults";
  }
  return "";
}

std::string crash_line(const Finding& finding) {
  std::string line = words_for_crash(finding.crash);
  if (finding.crash == CrashKind::kAgain) {
    line = words_for_crash(finding.state.model.empty() ? CrashKind::kKill : CrashKind::kPower) +
           " in recovery";
  }
  if (!finding.point.empty()) {
    const char* const where = finding.crash == CrashKind::kConcurrent ? ": the first stands still"
                              : finding.crash == CrashKind::kChaos    ? ","
                              : finding.crash == CrashKind::kClock    ? ", at"
                                                                      : " at";
    line += fmt::format("{} {}", where, printable(finding.point));
  }
  if (!finding.models.empty()) {
    line += printable(fmt::format(", under {}", fmt::join(finding.models, ", ")));
  }
  return line;
}

std::string text_of_frame(const Frame& frame, const Style& style) {
  if (is_script(frame)) return text_of_script_frame(frame, style);
  if (has_source(frame)) {
    return fmt::format("{} at {}", frame.function.empty() ? "??" : printable(frame.function),
                       style.place(fmt::format("{}:{}", printable(frame.file), frame.line)));
  }
  const std::string place =
      frame.module.empty()
          ? fmt::format("generated code at 0x{:x}", frame.module_offset)
          : fmt::format("{}+0x{:x}", printable(base_name(frame.module)), frame.module_offset);
  const std::string command =
      frame.command.empty() ? "" : fmt::format(" ({})", printable(frame.command));
  if (frame.function.empty()) return style.place(place) + command;
  return fmt::format("{} in {}{}", printable(frame.function), style.place(place), command);
}

std::string text_of_stack(const TextContext& context, StackIndex index, const std::string& indent) {
  if (index == kNoStack) return "";
  const Stack& stack = context.document.stacks[static_cast<size_t>(index)];
  std::string text;
  const auto frame_at = [&](size_t i) -> const Frame& {
    return context.document.frames[stack.frames[i]];
  };
  if (context.detail == Detail::kVerbose) {
    for (size_t i = 0; i < stack.frames.size(); ++i) {
      text += fmt::format("{}#{} {}\n", indent, i, text_of_frame(frame_at(i), context.style));
    }
    return text;
  }
  for (const size_t i : frames_to_show(context, stack)) {
    const bool first = i == stack.user_frame;
    text += fmt::format("{}{}{}\n", indent, first ? "in " : "from ",
                        text_of_frame(frame_at(i), context.style));
    const std::string line = source_line(frame_at(i));
    if (first && !line.empty()) {
      text += fmt::format("{}   > {}\n", indent, elide_middle(line, kLineWidthMax));
    }
  }
  return text;
}

namespace {

void add_lost_operations(const TextContext& context, const Finding& finding, Block& block) {
  const std::vector<InvolvedOperation>& lost = finding.lost_operations;
  const size_t shown =
      context.detail == Detail::kVerbose ? lost.size() : std::min(lost.size(), kLostShown);
  for (size_t i = 0; i < shown; ++i) {
    block.operation(context, finding.crash == CrashKind::kConcurrent ? "undone" : "lost", lost[i]);
  }
  if (shown < lost.size()) {
    block.item("", fmt::format("({}: --verbose)", counted(lost.size() - shown, "more operation")));
  }
}

}  // namespace

std::string text_of_finding(const TextContext& context, const Finding& finding) {
  const Style& style = context.style;
  Block block(style);
  block.raw(fmt::format("{}  {}  [{}]\n", finding_word(style, finding),
                        style.bold(printable(finding.title)), printable(finding.id)));
  block.item("waived", printable(finding.waived));
  block.item(finding.effect_fault.empty() ? "file" : "effect", printable(finding.path));
  block.item("window", printable(finding.window));
  for (size_t i = 0; i < finding.earlier.size(); ++i) {
    const EarlierCrash& earlier = finding.earlier[i];
    std::string line = fmt::format("{} {}at {}", words_for_crash(earlier.crash),
                                   i > 0 ? "in recovery " : "", printable(earlier.point));
    if (!earlier.state.model.empty()) line += ", under " + printable(earlier.state.model);
    block.item(crash_number(i + 1), line);
    if (earlier.operation) block.operation(context, "", *earlier.operation);
  }
  block.item(finding.earlier.empty() ? "crash" : crash_number(finding.earlier.size() + 1),
             crash_line(finding));
  if (finding.crash_operation) {
    block.operation(context, "", *finding.crash_operation);
  } else if (finding.crash != CrashKind::kChaos && finding.crash != CrashKind::kConcurrent) {
    block.item("", "before the first operation");
  }
  const auto is_the_crash = [&](const InvolvedOperation& operation) {
    return finding.crash_operation && operation.sequence == finding.crash_operation->sequence;
  };
  if (finding.cause_operation && !is_the_crash(*finding.cause_operation)) {
    block.operation(context, "cause", *finding.cause_operation);
  }
  if (finding.until_operation) {
    block.operation(context, "until", *finding.until_operation);
  }
  add_lost_operations(context, finding, block);
  if (finding.kept_operation) {
    InvolvedOperation kept = *finding.kept_operation;
    // Its stack stands above already.
    if (is_the_crash(kept)) kept.stack = kNoStack;
    block.operation(context, finding.crash == CrashKind::kConcurrent ? "by the other's" : "kept",
                    kept);
  }
  block.item(finding.crash == CrashKind::kChaos ? "lives" : "runners",
             printable_lines(fmt::format("{}", fmt::join(finding.schedule, "\n"))));
  block.item("why", printable_lines(finding.explanation));
  block.item(finding.judge == "checker" ? "checker said" : printable(finding.judge),
             complaint_lines(context, finding));
  block.item("states", state_lines(context, finding));
  for (const std::string& line : lines_of(finding.real_searches)) {
    block.item("for real", printable(line));
  }
  block.raw(fmt::format("  {}\n    {}\n", style.bold("reproduce:"), printable(finding.reproduce)));
  return block.take();
}

std::string text_of_finding_in_short(const TextContext& context, const Finding& finding) {
  return fmt::format("{}  {}  [{}] ({})\n    {}\n", finding_word(context.style, finding),
                     printable(finding.title), printable(finding.id),
                     counted(finding.states, "state"), printable(finding.reproduce));
}

}  // namespace everycrash::reports
