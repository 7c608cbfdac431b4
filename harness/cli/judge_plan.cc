#include "harness/cli/judge_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "harness/campaign/host_sink.h"
#include "harness/check/oracles/all_oracles.h"

namespace everycrash::cli {

Acknowledgement acknowledgement_named(const std::string& text) {
  using What = Acknowledgement::What;
  if (text.empty() || text == "stdout") return {What::kEveryPrint, ""};
  if (text == "none") return {What::kNothing, ""};
  if (text == "exit") return {What::kExit, ""};
  return {What::kMatchingLines, text};
}

Result<EffectRules> effect_rules(const reports::EffectJudging& effects) {
  EffectRules rules{
      .commands = effects.commands, .folders = effects.folders, .peers = effects.peers};
  if (effects.sink.empty()) return rules;
  const Result<SinkOptions> sink = parse_sink(effects.sink);
  if (!sink) return tl::unexpected(sink.error());
  if (sink->port == 0) {
    return fail(ErrorKind::kUsage,
                "--sink 0: a recorded run has talked to one port; name that, as it was printed");
  }
  rules.sink = *sink;
  return rules;
}

Result<JudgeOptions> judge_options_of(const reports::Judging& judging,
                                      const std::vector<std::string>& workload) {
  JudgeOptions judge;
  if (!judging.check.empty()) judge.check = parse_command(judging.check, judging.base);
  if (!judging.recover.empty()) judge.recover = parse_command(judging.recover, judging.base);
  judge.resume = make_command(workload, judging.base);
  judge.resume.own_proc = true;
  judge.resume_asked = judging.resume;
  for (const std::string& name : judging.oracles) {
    const std::optional<Judge> oracle = oracle_named(name);
    if (!oracle) {
      return fail(ErrorKind::kUsage,
                  fmt::format("--oracle {}: there is no such oracle\nThere are: {}", name,
                              fmt::join(oracle_names(), ", ")));
    }
    judge.oracles.insert(*oracle);
  }
  judge.acknowledgement = acknowledgement_named(judging.acknowledgement);
  judge.ignore = IgnoreGlobs(judging.ignore);
  judge.limit_ms = static_cast<int>(judging.limit_ms);
  Result<EffectRules> effects = effect_rules(judging.effects);
  if (!effects) return tl::unexpected(effects.error());
  judge.effects = std::move(*effects);
  judge.occurrence = occurrence_named(judging.effects.times);
  return judge;
}

Result<reports::Judging> judging_of(const TestOptions& options, const Workload& workload) {
  const Result<std::chrono::milliseconds> limit =
      parse_duration(options.check_timeout, "--check-timeout");
  if (!limit) return tl::unexpected(limit.error());
  const EffectOptions& given = options.effects;
  const Occurrence right = given.at_least_once  ? Occurrence::kAtLeastOnce
                           : given.at_most_once ? Occurrence::kAtMostOnce
                                                : Occurrence::kExactlyOnce;
  const reports::EffectJudging effects{
      .commands = given.commands,
      .folders = given.folders,
      .peers = given.peers,
      .sink = workload.sink ? to_text(workload.sink->options) : given.sink,
      .times = std::string(name_of(right))};
  return reports::Judging{.base = options.base.string(),
                          .check = options.check,
                          .recover = options.recover,
                          .resume = options.resume,
                          .oracles = options.oracles,
                          .acknowledgement = options.acknowledgement,
                          .ignore = options.ignore,
                          .effects = effects,
                          .limit_ms = static_cast<uint64_t>(limit->count())};
}

Result<FoundEffects> mark_effects_of(const reports::EffectJudging& effects, Trace& trace) {
  const Result<EffectRules> rules = effect_rules(effects);
  if (!rules) return tl::unexpected(rules.error());
  return mark_effects(*rules, trace);
}

}  // namespace everycrash::cli
