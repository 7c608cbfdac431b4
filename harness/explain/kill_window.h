// What kind of time it is in which a killed process leaves harm: between the operation that opens
// it and the one that closes it.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/check/verdict.h"

namespace everycrash {

class Trace;

/// What is known of a window of harm. "It" is the file of the operation that opens the window.
enum class KillWindow : uint8_t {
  kFromTheStart,         ///< the state before the first operation fails
  kEffectTwice,          ///< an effect can happen twice
  kEffectBeforeRecord,   ///< the same: it happens before the files record it
  kEffectLost,           ///< an effect can get lost
  kRecordBeforeEffect,   ///< the same: the files record it before it happens
  kUnrecordedEffect,     ///< an effect has happened, and the files do not know
  kAfterStep,            ///< a step has come
  kPromiseBeforeRecord,  ///< a line is printed before the files have what it promises
  kStaysBehind,          ///< it is there, and an undisturbed run does not leave it
  kExists,               ///< a name is there exactly as long as the window is open: a lock, say
  kBeforeContent,        ///< it is there, and its content is not written yet
  kEmptied,              ///< it has lost its content, and the new one is not written yet
  kCut,                  ///< it is cut, and its new content is not written yet
  kPartlyWritten,        ///< its content is not whole
  kWithinAppend,         ///< inside one write that appends: a log is never whole
  kUntilRemoved,         ///< it is written, and does harm until it is removed
  kRemoved,              ///< it is removed, and its successor is not there yet
  kBetween,              ///< both ends are known, and nothing more
  kAfter,                ///< the beginning is known, and nothing more
};

/// Where harm begins and ends, and what is held against the states between.
struct HarmEnds {
  uint64_t opener = 0;  ///< the record that begins it; 0 = it is there from the start
  uint64_t closer = 0;  ///< the one that ends it; 0 = none
  bool cut = false;     ///< it begins inside its opener, a write
  Judge judge = Judge::kChecker;
  std::string_view path;                          ///< of the complaint
  EffectFault effect_fault = EffectFault::kNone;  ///< of it
};

/// What can be said of that time.
[[nodiscard]] KillWindow window_between(const Trace& trace, const HarmEnds& ends);

}  // namespace everycrash
