#include "harness/effects/sink_memory.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "harness/trace/event.h"

namespace everycrash {
namespace {

std::optional<uint64_t> number(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<uint64_t> count(std::string_view text) {
  return text == "all" ? SinkOptions::kAll : number(text);
}

std::optional<uint32_t> milliseconds(std::string_view text) {
  constexpr uint64_t kMost = 3'600'000;
  uint64_t factor = 1;
  if (text.ends_with("ms")) {
    text.remove_suffix(2);
  } else if (text.ends_with("s")) {
    text.remove_suffix(1);
    factor = 1000;
  } else {
    return std::nullopt;
  }
  const std::optional<uint64_t> value = number(text);
  if (!value || *value > kMost / factor) return std::nullopt;
  return static_cast<uint32_t>(*value * factor);
}

/// False if WORD says nothing about a sink.
bool set(std::string_view word, SinkOptions& options) {
  const size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1);
  if (word == "no-dedup") {
    options.deduplicates = false;
    return true;
  }
  if (name == "delay") {
    const std::optional<uint32_t> delay = milliseconds(value);
    options.delay_ms = delay.value_or(0);
    return delay.has_value();
  }
  const bool fails = name == "fail";
  const std::optional<uint64_t> many = count(value);
  if ((!fails && name != "drop") || !many) return false;
  (fails ? options.fail : options.drop) = *many;
  return true;
}

std::string text_of(uint64_t many) {
  return many == SinkOptions::kAll ? "all" : std::to_string(many);
}

}  // namespace

Result<SinkOptions> parse_sink(std::string_view text) {
  SinkOptions options;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const std::optional<uint64_t> port = number(word);
    if (at == 0 && port && *port <= UINT16_MAX) {
      options.port = static_cast<uint16_t>(*port);
    } else if (!set(word, options)) {
      return fail(ErrorKind::kUsage,
                  fmt::format("sink {}: '{}' is not understood\n"
                              "Write PORT[,no-dedup][,delay=200ms][,fail=N][,drop=N]; N may be "
                              "all, port 0 is any that is free.",
                              text, word));
    }
    at = end + 1;
  }
  return options;
}

std::string to_text(const SinkOptions& options) {
  std::string text = std::to_string(options.port);
  if (!options.deduplicates) text += ",no-dedup";
  if (options.delay_ms != 0) text += fmt::format(",delay={}ms", options.delay_ms);
  if (options.fail != 0) text += fmt::format(",fail={}", text_of(options.fail));
  if (options.drop != 0) text += fmt::format(",drop={}", text_of(options.drop));
  return text;
}

std::string effect_line(const HttpRequest& request, bool repeatable) {
  return fmt::format("effect {}{} {}{}", request.method, request.path, request.key,
                     repeatable ? " repeatable" : "");
}

SinkMemory::Answer SinkMemory::take(const HttpRequest& request) {
  Answer answer;
  if (request.is_safe()) return answer;
  if (failed_ < options_.fail) {
    ++failed_;
    answer.status = 503;
    return answer;
  }
  const bool known = options_.deduplicates && request.has_key && !keys_.insert(request.key).second;
  if (!known) {
    answer.done = true;
    lines_.push_back(effect_line(request, request.is_idempotent()));
  }
  if (dropped_ < options_.drop) {
    ++dropped_;
    answer.dropped = true;
  }
  return answer;
}

void SinkMemory::know(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  for (const Event& event : parse_events(text)) {
    if (event.is_effect()) keys_.emplace(event.key);
  }
  lines_.emplace_back(line);
}

}  // namespace everycrash
