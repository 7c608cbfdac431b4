// The parts of the HTML report that are the same for every run, embedded when everycrash is built.
#pragma once

#include <string_view>

namespace everycrash::reports {

extern const std::string_view kPage;  ///< with {{placeholders}}
extern const std::string_view kStyle;
extern const std::string_view kScript;
extern const std::string_view kStyleDigest;  ///< SHA-256 in hexadecimal digits
extern const std::string_view kScriptDigest;

}  // namespace everycrash::reports
