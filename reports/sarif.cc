#include "reports/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "harness/base/quoting.h"
#include "reports/finding_place.h"
#include "reports/json_text.h"
#include "reports/text.h"

namespace everycrash::reports {
namespace {

constexpr const char* kSarifSchema = "https://json.schemastore.org/sarif-2.1.0.json";

std::string message(std::string_view text) {
  return JsonObject().add_text("text", text).text();
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
  JsonObject region;
  region.add_number("startLine", place.line);
  if (place.column > 0) region.add_number("startColumn", place.column);
  JsonObject physical;
  physical.add("artifactLocation", JsonObject().add_text("uri", uri_of(place.file)).text());
  physical.add("region", region.text());
  JsonObject location;
  location.add("physicalLocation", physical.text());
  return location;
}

/// Where no source line is known: the program itself.
std::string location_of_program(const ResultDocument& document) {
  const std::string logical = JsonObject()
                                  .add_text("fullyQualifiedName", workload_name(document))
                                  .add_text("kind", "module")
                                  .text();
  return JsonObject().add_list("logicalLocations", {logical}).text();
}

/// The operations of FINDING, each with what it is to the finding.
std::vector<std::string> related_locations(const ResultDocument& document, const Finding& finding,
                                           std::string_view root) {
  std::vector<std::string> locations;
  const auto add = [&](std::string_view what, const InvolvedOperation& operation) {
    const std::optional<Place> place = place_of_stack(document, operation.stack, root);
    if (!place) return;
    JsonObject location = location_of(*place);
    location.add_number("id", static_cast<int64_t>(locations.size()) + 1);
    location.add("message", message(fmt::format("{}: {}", what, printable(operation.description))));
    locations.push_back(location.text());
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
  size_t position_of(const std::string& id, const std::string& description) {
    const auto [entry, is_new] = positions_.try_emplace(id, rules_.size());
    if (is_new) {
      rules_.push_back(
          JsonObject().add_text("id", id).add("shortDescription", message(description)).text());
    }
    return entry->second;
  }
  [[nodiscard]] const std::vector<std::string>& list() const { return rules_; }

 private:
  std::map<std::string, size_t> positions_;
  std::vector<std::string> rules_;
};

std::string result_of(const ResultDocument& document, const Finding& finding, std::string_view root,
                      Rules& rules) {
  const std::string rule = rule_of(finding);
  const std::optional<Place> place = place_of(document, finding, root);
  JsonObject result;
  result.add_text("ruleId", rule)
      .add_number("ruleIndex",
                  static_cast<int64_t>(rules.position_of(rule, describe_rule(finding))))
      .add_text("level", "error")
      .add("message", message(text_of(finding)))
      .add_list("locations", {place ? location_of(*place).text() : location_of_program(document)});
  const std::vector<std::string> related = related_locations(document, finding, root);
  if (!related.empty()) result.add_list("relatedLocations", related);
  result.add("partialFingerprints",
             JsonObject().add_text("everycrashFinding/v1", finding.id).text());
  if (!finding.waived.empty()) {
    result.add_list("suppressions", {JsonObject()
                                         .add_text("kind", "external")
                                         .add_text("justification", finding.waived)
                                         .text()});
  }
  std::vector<std::string> models;
  for (const std::string& model : finding.models) models.push_back(json_quote(model));
  result.add("properties", JsonObject()
                               .add_text("crash", name_of(finding.crash))
                               .add_list("models", models)
                               .add_text("point", finding.point)
                               .add_text("reproduce", finding.reproduce)
                               .text());
  return result.text();
}

std::string result_of(const ResultDocument& document, const Note& note, std::string_view root,
                      Rules& rules) {
  const std::string rule = "note/" + printable(note.rule);
  const std::optional<Place> place = place_of_stack(document, note.stack, root);
  return JsonObject()
      .add_text("ruleId", rule)
      .add_number("ruleIndex", static_cast<int64_t>(rules.position_of(
                                   rule, "Noticed without exploring; no verdict.")))
      .add_text("level", "note")
      .add("message", message(printable(note.message)))
      .add_list("locations", {place ? location_of(*place).text() : location_of_program(document)})
      .add(
          "partialFingerprints",
          JsonObject().add_text("everycrashNote/v1", printable(note.rule + " " + note.path)).text())
      .text();
}

std::string invocation_of(const ResultDocument& document) {
  const bool successful =
      document.outcome == Outcome::kSurvived || document.outcome == Outcome::kViolated;
  JsonObject invocation;
  invocation.add_truth("executionSuccessful", successful && !document.interrupted)
      .add_number("exitCode", document.exit_code)
      .add_text("commandLine", printable(document.command));
  if (!document.reason.empty()) {
    invocation.add_list(
        "toolExecutionNotifications",
        {JsonObject().add_text("level", "error").add("message", message(document.reason)).text()});
  }
  return invocation.text();
}

}  // namespace

std::string sarif_report(const ResultDocument& document, std::string_view root) {
  Rules rules;
  std::vector<std::string> results;
  for (const Finding& finding : document.findings) {
    results.push_back(result_of(document, finding, root, rules));
  }
  for (const Note& note : document.notes) results.push_back(result_of(document, note, root, rules));
  const std::string driver = JsonObject()
                                 .add_text("name", "everycrash")
                                 .add_text("version", document.tool_version)
                                 .add_list("rules", rules.list())
                                 .text();
  const std::string run = JsonObject()
                              .add("tool", JsonObject().add("driver", driver).text())
                              .add_list("invocations", {invocation_of(document)})
                              .add_text("columnKind", "utf16CodeUnits")
                              .add_list("results", results)
                              .text();
  return JsonObject()
             .add_text("$schema", kSarifSchema)
             .add_text("version", "2.1.0")
             .add_list("runs", {run})
             .text() +
         "\n";
}

}  // namespace everycrash::reports
