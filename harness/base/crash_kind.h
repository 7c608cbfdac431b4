// Crash kinds, and what is common to some of them. Pure functions, thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace everycrash {

enum class CrashKind : uint8_t {
  kKill,
  kPower,
  kLostFsync,  ///< power, on a disk that lies
  kIoError,
  kClock,
  kAgain,
  kConcurrent,
  kChaos,  ///< of `everycrash chaos` alone
};

namespace crash_kind_detail {
struct Row {
  CrashKind kind;
  std::string_view name;  ///< as --crash, result documents and reports say it
};
inline constexpr std::array<Row, 8> kRows = {{{CrashKind::kKill, "kill"},
                                              {CrashKind::kPower, "power"},
                                              {CrashKind::kLostFsync, "lost-fsync"},
                                              {CrashKind::kIoError, "io-error"},
                                              {CrashKind::kClock, "clock"},
                                              {CrashKind::kAgain, "again"},
                                              {CrashKind::kConcurrent, "concurrent"},
                                              {CrashKind::kChaos, "chaos"}}};
}  // namespace crash_kind_detail

/// What --crash can be given, in the order in which it is told.
inline constexpr std::array kCrashKinds = {
    CrashKind::kKill,  CrashKind::kPower, CrashKind::kLostFsync, CrashKind::kIoError,
    CrashKind::kClock, CrashKind::kAgain, CrashKind::kConcurrent};

/// "kill", "lost-fsync", ...
[[nodiscard]] constexpr std::string_view name_of(CrashKind kind) {
  return crash_kind_detail::kRows[static_cast<size_t>(kind)].name;
}

/// The kind of that name, "chaos" among them; nullopt if there is none.
[[nodiscard]] constexpr std::optional<CrashKind> crash_kind_named(std::string_view name) {
  for (const crash_kind_detail::Row& row : crash_kind_detail::kRows) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

/// The power fails: what is left depends on a persistence model, or on a real file system.
[[nodiscard]] constexpr bool loses_power(CrashKind kind) {
  return kind == CrashKind::kPower || kind == CrashKind::kLostFsync;
}

/// The program is run again and again, on what the others found.
[[nodiscard]] constexpr bool is_run_anew(CrashKind kind) {
  return kind == CrashKind::kAgain || kind == CrashKind::kConcurrent;
}

/// Coverage and findings of it can be told by persistence model.
[[nodiscard]] constexpr bool has_model(CrashKind kind) {
  return loses_power(kind) || kind == CrashKind::kAgain;
}

}  // namespace everycrash
