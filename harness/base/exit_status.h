// Exit statuses of everycrash. Whoever reads one in a script counts on them: they never change.
#pragma once

namespace everycrash {

inline constexpr int kExitGood = 0;
inline constexpr int kExitFinding = 1;     ///< a violation; or something is not as it was expected
inline constexpr int kExitUsage = 2;       ///< wrong options or configuration
inline constexpr int kExitNoVerdict = 3;   ///< program or checker fails without a crash
inline constexpr int kExitNothing = 4;     ///< nothing to explore
inline constexpr int kExitIncomplete = 5;  ///< --require-complete, and not all was covered
inline constexpr int kExitUnavailable = 77;  ///< not possible on this machine
inline constexpr int kExitInterrupted = 130;

}  // namespace everycrash
