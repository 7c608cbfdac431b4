#include "harness/explore/point_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "harness/trace/event.h"
#include "harness/trace/point_name.h"

namespace everycrash {
namespace {

constexpr std::string_view kStart = "start";
constexpr std::string_view kBefore = "before:";

std::string base_of(const Event& event) {
  if (event.is_step()) return fmt::format("after:{}", event.step);
  if (event.is_effect()) return fmt::format("effect({} {})", event.kind, event.key);
  return fmt::format("event({})", event.line);
}

std::string base_of(const Operation& record, const ChanceNames& chance) {
  const std::string path = chance.pattern_of(point_path(record));
  char name[format::kPathMax];
  const size_t size = point::name_point(
      record.kind, path.data(), path.size(),
      [&](int32_t number) { return number == record.process; }, name, sizeof name);
  return std::string(name, size);
}

std::optional<uint64_t> number(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

tl::unexpected<Error> not_a_point(std::string_view name) {
  return fail(ErrorKind::kUsage,
              fmt::format("'{}' does not name a crash point\n"
                          "Write it as in a report: rename(state.json)#2, write(log)#3+4096, "
                          "after:mark_done#5, start.",
                          name));
}

}  // namespace

std::string_view point_path(const Operation& operation) {
  return gives_other_name(operation.kind) ? operation.other_path : operation.path;
}

Result<PointPattern> parse_point(std::string_view name) {
  PointPattern pattern;
  std::string_view rest = name;
  if (rest.starts_with(kBefore)) {
    pattern.before = true;
    rest.remove_prefix(kBefore.size());
  }
  const size_t hash = rest.rfind('#');
  if (hash == std::string_view::npos || hash == 0) return not_a_point(name);
  std::string_view count = rest.substr(hash + 1);
  const size_t plus = count.find('+');
  if (plus != std::string_view::npos) {
    const std::optional<uint64_t> cut = number(count.substr(plus + 1));
    if (!cut || pattern.before) return not_a_point(name);
    pattern.cut = static_cast<int64_t>(*cut);
    count = count.substr(0, plus);
  }
  const std::optional<uint64_t> occurrence = number(count);
  if (!occurrence || *occurrence == 0) return not_a_point(name);
  pattern.occurrence = *occurrence;
  pattern.base = rest.substr(0, hash);
  return pattern;
}

PointNames::PointNames(const Trace& trace)
    : trace_(trace), chance_(trace.records()), places_(trace.records().size() + 1) {
  std::vector<uint32_t> counts;
  const auto count = [&](std::string base) {
    const auto [it, fresh] =
        base_ids_.try_emplace(std::move(base), static_cast<uint32_t>(bases_.size()));
    if (fresh) {
      bases_.push_back(it->first);
      counts.push_back(0);
    }
    return Place{it->second, ++counts[it->second]};
  };
  for (const Operation& record : trace.records()) {
    Place& place = places_[record.sequence];
    const bool brings_events = record.kind == Kind::kEvent || !record.events.empty();
    if (brings_events && !is_operation(record.kind)) {
      // One write may hold several lines; the place is named by the last, but each is counted.
      for (const Event& event : parse_events(record.events)) place = count(base_of(event));
      if (place.occurrence == 0) place = count("event()");
    } else if (!record.failed() && (record.kind == Kind::kPrint || is_operation(record.kind))) {
      place = count(base_of(record, chance_));
    }
  }
}

std::string PointNames::name(CrashPoint point) const {
  if (point.record == 0) return std::string(kStart);
  EVERYCRASH_ASSERT(point.record < places_.size() && places_[point.record].occurrence > 0);
  std::string name = fmt::format("{}#{}", base(point.record), occurrence(point.record));
  if (!point.whole()) name += fmt::format("+{}", point.cut);
  return name;
}

std::string PointNames::live_name(CrashPoint point) const {
  const Operation* record = trace_.find(point.record);
  if (record == nullptr || record->kind != Kind::kSend) return name(point);
  const std::string base = base_of(*record, chance_);
  uint32_t sends = 0;
  for (const Operation& other : trace_.records()) {
    if (other.sequence > point.record) break;
    if (other.kind == Kind::kSend && !other.failed() && base_of(other, chance_) == base) ++sends;
  }
  return fmt::format("{}#{}", base, sends);
}

std::optional<uint64_t> PointNames::record_of(std::string_view base, uint32_t wanted) const {
  const auto id = base_ids_.find(std::string(base));
  if (id == base_ids_.end()) return std::nullopt;
  for (uint64_t record = 1; record < places_.size(); ++record) {
    if (places_[record].base == id->second && places_[record].occurrence == wanted) return record;
  }
  return std::nullopt;
}

uint64_t PointNames::place_before(uint64_t record) const {
  do {
    --record;
  } while (record > 0 && places_[record].occurrence == 0);
  return record;
}

std::string PointNames::suggestions(std::string_view name) const {
  // The names of the same operation, or all of them where there are few.
  const std::string_view word = name.substr(0, name.find('('));
  std::set<std::string> near;
  for (const std::string& base : bases_) {
    if (base.starts_with(word) || bases_.size() <= 8) near.insert(base);
  }
  if (near.empty()) near.insert(bases_.begin(), bases_.end());
  std::vector<std::string> shown(near.begin(), near.end());
  if (shown.size() > 8) {
    shown.resize(8);
    shown.emplace_back("...");
  }
  return fmt::format("{}", fmt::join(shown, ", "));
}

Result<CrashPoint> PointNames::find(std::string_view name) const {
  if (name == kStart) return CrashPoint{};
  Result<PointPattern> pattern = parse_point(name);
  if (!pattern) return tl::unexpected(pattern.error());
  const std::optional<uint64_t> record =
      record_of(pattern->base, static_cast<uint32_t>(pattern->occurrence));
  if (!record) {
    return fail(ErrorKind::kUsage, fmt::format("this trace has no crash point '{}'\nIt has: {}",
                                               name, suggestions(name)));
  }
  if (pattern->before) return CrashPoint{place_before(*record), -1};
  const Operation& operation = *trace_.find(*record);
  if (pattern->cut >= 0 && (operation.kind != Kind::kWrite ||
                            pattern->cut >= static_cast<int64_t>(operation.payload.size()))) {
    return fail(ErrorKind::kUsage,
                fmt::format("'{}' cuts behind the end of {}", name, describe(operation)));
  }
  return CrashPoint{*record, pattern->cut};
}

}  // namespace everycrash
