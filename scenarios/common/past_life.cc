#include "scenarios/common/past_life.h"

#include <fcntl.h>

#include <cstdlib>

#include "scenarios/common/file_io.h"

namespace scenarios {
namespace {

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

Expected<std::string> text_of_file_in(const char* variable) {
  if (!is_set(variable)) return std::string();
  return read_file(AT_FDCWD, std::getenv(variable)).map([](const auto& text) {
    return text.value_or("");
  });
}

}  // namespace

Expected<std::string> printed_before_the_crash() {
  return text_of_file_in("EVERYCRASH_STDOUT");
}

Expected<std::string> effects_before_the_crash() {
  return text_of_file_in("EVERYCRASH_EFFECTS");
}

bool effects_are_known() {
  return std::getenv("EVERYCRASH_EFFECTS") != nullptr;
}

Expected<std::string> events_since_the_crash() {
  return text_of_file_in("EVERYCRASH_EVENTS");
}

bool a_call_failed() {
  return is_set("EVERYCRASH_FAULT");
}

}  // namespace scenarios
