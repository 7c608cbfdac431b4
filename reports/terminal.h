// Where text for people goes: whether it may have colour, how wide it is, and the one line that is
// drawn over itself while work goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/error.h"

namespace everycrash::reports {

enum class ColourChoice : uint8_t { kAuto, kAlways, kNever };

/// "always", "never", "auto"; anything else is kUsage.
[[nodiscard]] Result<ColourChoice> parse_colour(std::string_view word);

/// Value of an environment variable, or nothing.
using Environment = std::function<std::optional<std::string>(const char* name)>;
[[nodiscard]] Environment real_environment();

/// Whether a stream gets colour. In this order: CHOICE; NO_COLOR (not empty: no); CLICOLOR_FORCE or
/// FORCE_COLOR (not empty, not "0": yes); else a terminal whose TERM is set and not "dumb".
[[nodiscard]] bool wants_colour(ColourChoice choice, bool is_terminal, const Environment& get);

/// The 16 basic colours and bold only, which are legible on dark and light ground. What is said in
/// colour is always said in words too.
class Style {
 public:
  explicit Style(bool colour) : colour_(colour) {}
  [[nodiscard]] std::string bold(std::string_view text) const { return with("1", text); }
  [[nodiscard]] std::string good(std::string_view text) const { return with("1;32", text); }
  [[nodiscard]] std::string bad(std::string_view text) const { return with("1;31", text); }
  [[nodiscard]] std::string unsure(std::string_view text) const { return with("1;33", text); }
  [[nodiscard]] std::string place(std::string_view text) const { return with("36", text); }

 private:
  [[nodiscard]] std::string with(std::string_view code, std::string_view text) const;
  bool colour_;
};

/// One output stream, by its descriptor, which it does not own. For one thread at a time. Nothing
/// is buffered; a stream that cannot be written to any more is ignored from then on.
class Terminal {
 public:
  Terminal(int descriptor, ColourChoice choice, const Environment& get = real_environment());
  /// Takes the progress line away.
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] bool is_terminal() const { return is_terminal_; }
  [[nodiscard]] bool colour() const { return colour_; }
  /// Columns as they are now; 80 where nobody knows.
  [[nodiscard]] size_t width() const;

  /// Writes TEXT as it is, on lines of its own: the progress line goes first.
  void print(std::string_view text);

  /// Draws TEXT, which must be printable, over the last progress line, its middle left out where
  /// the terminal is too narrow. Off a terminal, or on one that cannot move its cursor: nothing.
  /// Lines that come faster than anybody reads are left out.
  void progress(std::string_view text);
  void clear_progress();

  /// Time between two progress lines; 0 shows each.
  void set_progress_interval_ms(int64_t interval_ms) { progress_interval_ms_ = interval_ms; }

 private:
  void write_all(std::string_view text);

  int descriptor_;
  bool is_terminal_;
  bool colour_;
  bool can_redraw_;
  bool progress_shown_ = false;
  bool broken_ = false;
  int64_t progress_interval_ms_ = 50;
  int64_t next_progress_ms_ = 0;  ///< on the steady clock
};

/// "[#####-----] 512/1,024 states, 2 violated": a bar of BAR_WIDTH characters, counts, and NOTE
/// where there is one. A TOTAL of 0 is one that is not known yet: no bar.
[[nodiscard]] std::string progress_text(uint64_t done, uint64_t total, std::string_view what,
                                        std::string_view note, size_t bar_width = 20);

}  // namespace everycrash::reports
