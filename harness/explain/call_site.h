// How the rest asks for the place in the program that made a call.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace everycrash {

/// Names the place in the program that made the call with that stack.
using SiteOf = std::function<std::string(uint64_t stack)>;

}  // namespace everycrash
