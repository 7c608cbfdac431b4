// Crash kinds, as --crash, result documents and reports name them, and what is common to some of
// them. Pure functions, thread-safe.
#pragma once

#include <array>
#include <string_view>

namespace everycrash::reports {

inline constexpr const char* kCrashKill = "kill";
inline constexpr const char* kCrashPower = "power";
inline constexpr const char* kCrashLostFsync = "lost-fsync";  ///< power, on a disk that lies
inline constexpr const char* kCrashIoError = "io-error";
inline constexpr const char* kCrashClock = "clock";
inline constexpr const char* kCrashAgain = "again";
inline constexpr const char* kCrashConcurrent = "concurrent";
inline constexpr const char* kCrashChaos = "chaos";  ///< of `everycrash chaos` alone

/// What --crash can be given.
inline constexpr std::array kCrashKinds = {kCrashKill,  kCrashPower, kCrashLostFsync, kCrashIoError,
                                           kCrashClock, kCrashAgain, kCrashConcurrent};

/// The power fails: what is left depends on a persistence model, or on a real file system.
[[nodiscard]] constexpr bool loses_power(std::string_view crash) {
  return crash == kCrashPower || crash == kCrashLostFsync;
}

/// The program is run again and again, on what the others found.
[[nodiscard]] constexpr bool is_run_anew(std::string_view crash) {
  return crash == kCrashAgain || crash == kCrashConcurrent;
}

/// Coverage and findings of it can be told by persistence model.
[[nodiscard]] constexpr bool has_model(std::string_view crash) {
  return loses_power(crash) || crash == kCrashAgain;
}

}  // namespace everycrash::reports
