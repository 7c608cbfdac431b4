// The place in a program that made a call, as causes are named by it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace everycrash {

struct Frame;

/// Stable over builds of the program where its functions are known, and over moved lines.
struct CallSite {
  /// "Store::save in app"; "app+0x13b" where no function is known, "unknown" without a stack.
  std::string name = "unknown";
  /// The text of its source line, which tells places in one function apart and does not change
  /// when lines before it do; "" where it cannot be read.
  std::string line;
};

/// Tells the place of the call with that stack.
using SiteOf = std::function<CallSite(uint64_t stack)>;

/// The place that FRAME is at.
[[nodiscard]] CallSite call_site_of(const Frame& frame);

}  // namespace everycrash
