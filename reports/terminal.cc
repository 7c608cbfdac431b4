#include "reports/terminal.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>

#include "harness/base/quoting.h"
#include "reports/text.h"

namespace everycrash::reports {
namespace {

constexpr size_t kWidthUnknown = 80;

bool is_set(const std::optional<std::string>& value) {
  return value && !value->empty();
}

bool forces(const std::optional<std::string>& value) {
  return is_set(value) && *value != "0";
}

bool can_move_cursor(const Environment& get) {
  const std::optional<std::string> term = get("TERM");
  return is_set(term) && *term != "dumb";
}

int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Result<ColourChoice> parse_colour(std::string_view word) {
  if (word == "auto") return ColourChoice::kAuto;
  if (word == "always") return ColourChoice::kAlways;
  if (word == "never") return ColourChoice::kNever;
  return fail(ErrorKind::kUsage,
              fmt::format("--color is always, never or auto, not \"{}\"", printable(word)));
}

Environment real_environment() {
  return [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

bool wants_colour(ColourChoice choice, bool is_terminal, const Environment& get) {
  if (choice != ColourChoice::kAuto) return choice == ColourChoice::kAlways;
  if (is_set(get("NO_COLOR"))) return false;
  if (forces(get("CLICOLOR_FORCE")) || forces(get("FORCE_COLOR"))) return true;
  return is_terminal && can_move_cursor(get);
}

std::string Style::with(std::string_view code, std::string_view text) const {
  if (!colour_ || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

Terminal::Terminal(int descriptor, ColourChoice choice, const Environment& get)
    : descriptor_(descriptor),
      is_terminal_(isatty(descriptor) == 1),
      colour_(wants_colour(choice, is_terminal_, get)),
      can_redraw_(is_terminal_ && can_move_cursor(get)) {}

Terminal::~Terminal() {
  clear_progress();
}

size_t Terminal::width() const {
  winsize size{};
  if (ioctl(descriptor_, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kWidthUnknown;
  return size.ws_col;
}

void Terminal::write_all(std::string_view text) {
  while (!text.empty() && !broken_) {
    const ssize_t written = write(descriptor_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {
      // Somebody who shares the terminal made it non-blocking.
      pollfd writable{descriptor_, POLLOUT, 0};
      poll(&writable, 1, -1);
    } else if (errno != EINTR) {
      broken_ = true;
    }
  }
}

void Terminal::print(std::string_view text) {
  clear_progress();
  write_all(text);
}

void Terminal::progress(std::string_view text) {
  if (!can_redraw_) return;
  const int64_t now = now_ms();
  if (progress_interval_ms_ > 0 && now < next_progress_ms_) return;
  next_progress_ms_ = now + progress_interval_ms_;
  // The last column stays free: some terminals wrap as soon as it is filled.
  write_all(fmt::format("\r{}\x1b[K", elide_middle(text, std::max<size_t>(width(), 2) - 1)));
  progress_shown_ = true;
}

void Terminal::clear_progress() {
  if (!progress_shown_) return;
  write_all("\r\x1b[K");
  progress_shown_ = false;
}

std::string progress_text(uint64_t done, uint64_t total, std::string_view what,
                          std::string_view note, size_t bar_width) {
  std::string text;
  if (total > 0) {
    const auto filled =
        static_cast<size_t>(std::min(1.0, static_cast<double>(done) / static_cast<double>(total)) *
                            static_cast<double>(bar_width));
    text = fmt::format("[{}{}] {}/{}", std::string(filled, '#'),
                       std::string(bar_width - filled, '-'), grouped(done), grouped(total));
  } else {
    text = grouped(done);
  }
  text += fmt::format(" {}", what);
  if (!note.empty()) text += fmt::format(", {}", note);
  return text;
}

}  // namespace everycrash::reports
