#include "reports/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "harness/base/quoting.h"
#include "reports/finding_place.h"
#include "reports/json_object.h"
#include "reports/text.h"

namespace everycrash::reports {
namespace {

constexpr const char* kSarifSchema = "https://json.schemastore.org/sarif-2.1.0.json";

JsonObject message(std::string_view text) {
  JsonObject message;
  message.add_text("text", text);
  return message;
}

/// PATH as the path of a URI (RFC 3986): all but unreserved characters and '/' as %NN.
std::string uri_of(const std::string& path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

JsonObject location_of(const Place& place) {
  JsonObject artifact, region, physical, location;
  artifact.add_text("uri", uri_of(place.file));
  region.add_number("startLine", place.line);
  if (place.column > 0) region.add_number("startColumn", place.column);
  physical.add("artifactLocation", std::move(artifact)).add("region", std::move(region));
  location.add("physicalLocation", std::move(physical));
  return location;
}

/// As the only one of a list: PLACE; where no source line is known, the program itself.
std::vector<JsonObject> locations_of(const ResultDocument& document,
                                     const std::optional<Place>& place) {
  std::vector<JsonObject> locations;
  if (place) {
    locations.push_back(location_of(*place));
    return locations;
  }
  std::vector<JsonObject> logical(1);
  logical.front()
      .add_text("fullyQualifiedName", workload_name(document))
      .add_text("kind", "module");
  locations.emplace_back().add_list("logicalLocations", std::move(logical));
  return locations;
}

/// The operations of FINDING, each with what it is to the finding.
std::vector<JsonObject> related_locations(const ResultDocument& document, const Finding& finding,
                                          std::string_view root) {
  std::vector<JsonObject> locations;
  const auto add = [&](std::string_view what, const InvolvedOperation& operation) {
    const std::optional<Place> place = place_of_stack(document, operation.stack, root);
    if (!place) return;
    JsonObject location = location_of(*place);
    location.add_number("id", static_cast<int64_t>(locations.size()) + 1);
    location.add("message", message(fmt::format("{}: {}", what, printable(operation.description))));
    locations.push_back(std::move(location));
  };
  for (const InvolvedOperation& lost : finding.lost_operations) add("lost", lost);
  if (finding.cause_operation) add("cause", *finding.cause_operation);
  if (finding.kept_operation) add("kept", *finding.kept_operation);
  if (finding.crash_operation) add("crash", *finding.crash_operation);
  return locations;
}

std::string text_of(const Finding& finding) {
  std::string text = sentence_of(finding);
  for (const std::string& part :
       {finding.explanation, finding.complaints.empty() ? "" : finding.complaints.front()}) {
    for (const std::string& line : printable_lines(part)) text += "\n" + line;
  }
  return text + "\nReproduce: " + printable(finding.reproduce);
}

/// Rules, each once, and their positions.
class Rules {
 public:
  int64_t position_of(const std::string& id, const std::string& description) {
    const auto [entry, is_new] = positions_.try_emplace(id, rules_.size());
    if (is_new) {
      rules_.emplace_back().add_text("id", id).add("shortDescription", message(description));
    }
    return static_cast<int64_t>(entry->second);
  }
  [[nodiscard]] std::vector<JsonObject> take() { return std::move(rules_); }

 private:
  std::map<std::string, size_t> positions_;
  std::vector<JsonObject> rules_;
};

JsonObject result_of(const ResultDocument& document, const Finding& finding, std::string_view root,
                     Rules& rules) {
  const std::string rule = rule_of(finding);
  JsonObject result;
  result.add_text("ruleId", rule)
      .add_number("ruleIndex", rules.position_of(rule, describe_rule(finding)))
      .add_text("level", "error")
      .add("message", message(text_of(finding)))
      .add_list("locations", locations_of(document, place_of(document, finding, root)));
  std::vector<JsonObject> related = related_locations(document, finding, root);
  if (!related.empty()) result.add_list("relatedLocations", std::move(related));
  JsonObject fingerprints, properties;
  fingerprints.add_text("everycrashFinding/v1", finding.id);
  result.add("partialFingerprints", std::move(fingerprints));
  if (!finding.waived.empty()) {
    std::vector<JsonObject> suppressions(1);
    suppressions.front().add_text("kind", "external").add_text("justification", finding.waived);
    result.add_list("suppressions", std::move(suppressions));
  }
  properties.add_text("crash", name_of(finding.crash))
      .add_texts("models", finding.models)
      .add_text("point", finding.point)
      .add_text("reproduce", finding.reproduce);
  result.add("properties", std::move(properties));
  return result;
}

JsonObject result_of(const ResultDocument& document, const Note& note, std::string_view root,
                     Rules& rules) {
  const std::string rule = "note/" + printable(note.rule);
  JsonObject result, fingerprints;
  fingerprints.add_text("everycrashNote/v1", printable(note.rule + " " + note.path));
  result.add_text("ruleId", rule)
      .add_number("ruleIndex", rules.position_of(rule, "Noticed without exploring; no verdict."))
      .add_text("level", "note")
      .add("message", message(printable(note.message)))
      .add_list("locations", locations_of(document, place_of_stack(document, note.stack, root)))
      .add("partialFingerprints", std::move(fingerprints));
  return result;
}

JsonObject invocation_of(const ResultDocument& document) {
  const bool successful =
      document.outcome == Outcome::kSurvived || document.outcome == Outcome::kViolated;
  JsonObject invocation;
  invocation.add_truth("executionSuccessful", successful && !document.interrupted)
      .add_number("exitCode", document.exit_code)
      .add_text("commandLine", printable(document.command));
  if (!document.reason.empty()) {
    std::vector<JsonObject> notifications(1);
    notifications.front().add_text("level", "error").add("message", message(document.reason));
    invocation.add_list("toolExecutionNotifications", std::move(notifications));
  }
  return invocation;
}

}  // namespace

std::string sarif_report(const ResultDocument& document, std::string_view root) {
  Rules rules;
  std::vector<JsonObject> results, invocations, runs(1);
  for (const Finding& finding : document.findings) {
    results.push_back(result_of(document, finding, root, rules));
  }
  for (const Note& note : document.notes) results.push_back(result_of(document, note, root, rules));
  invocations.push_back(invocation_of(document));
  JsonObject driver, tool, log;
  driver.add_text("name", "everycrash")
      .add_text("version", document.tool_version)
      .add_list("rules", rules.take());
  tool.add("driver", std::move(driver));
  runs.front()
      .add("tool", std::move(tool))
      .add_list("invocations", std::move(invocations))
      .add_text("columnKind", "utf16CodeUnits")
      .add_list("results", std::move(results));
  log.add_text("$schema", kSarifSchema)
      .add_text("version", "2.1.0")
      .add_list("runs", std::move(runs));
  return log.text() + "\n";
}

}  // namespace everycrash::reports
