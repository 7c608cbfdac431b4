// The members of every part of a result document, in the order in which they are written: one
// function a struct, visit(), which a Writer and a Reader both walk, so that what is written is
// what is read. Internal to result_json.cc.
#pragma once

#include "reports/result.h"

namespace everycrash::reports {

/// A 64-bit number kept as text.
template <typename T>
struct AsText {
  T& value;
};
template <typename T>
AsText<T> as_text(T& value) {
  return {value};
}

void visit(auto& io, auto&& count, Count*) {
  io.member("name", count.name);
  io.member("count", count.count);
}

void visit(auto& io, auto&& effects, EffectJudging*) {
  io.member("commands", effects.commands);
  io.member("folders", effects.folders);
  io.member("peers", effects.peers);
  io.member("sink", effects.sink);
  io.member("times", effects.times);
}

void visit(auto& io, auto&& judging, Judging*) {
  io.member("base", judging.base);
  io.member("check", judging.check);
  io.member("recover", judging.recover);
  io.member("resume", judging.resume);
  io.member("oracles", judging.oracles);
  io.member("acknowledgement", judging.acknowledgement);
  io.member("ignore", judging.ignore);
  io.unless_default("effects", judging.effects);
  io.member("limit_ms", judging.limit_ms);
}

void visit(auto& io, auto&& excerpt, Excerpt*) {
  io.member("first_line", excerpt.first_line);
  io.member("lines", excerpt.lines);
}

void visit(auto& io, auto&& frame, Frame*) {
  io.unless_default("function", frame.function);
  io.unless_default("module", frame.module);
  io.unless_default("module_offset", frame.module_offset);
  io.unless_default("file", frame.file);
  io.unless_default("line", frame.line);
  io.unless_default("column", frame.column);
  io.unless_default("excerpt", frame.excerpt);
  io.unless_default("language", frame.language);
  io.unless_default("program", frame.program);
  io.unless_default("command", frame.command);
  io.unless_default("library", frame.library);
}

void visit(auto& io, auto&& stack, Stack*) {
  io.member("frames", stack.frames);
  io.member("user_frame", stack.user_frame);
}

void visit(auto& io, auto&& trace, TraceFile*) {
  io.member("file", trace.file);
  io.member("identity", trace.identity);
}

void visit(auto& io, auto&& recorded, Recorded*) {
  io.member("operations", recorded.operations);
  io.member("processes", recorded.processes);
  io.member("threads", recorded.threads);
  io.member("prints", recorded.prints);
  io.member("effects", recorded.effects);
  io.member("notes", recorded.notes);
  io.member("warnings", recorded.warnings);
}

void visit(auto& io, auto&& coverage, Coverage*) {
  io.member("crash", coverage.crash);
  io.member("model", coverage.model);
  io.member("crash_points", coverage.crash_points);
  io.member("considered", coverage.considered);
  io.member("distinct", coverage.distinct);
  io.member("checked", coverage.checked);
  io.member("survived", coverage.survived);
  io.member("violated", coverage.violated);
  io.member("not_measured", coverage.not_measured);
  io.member("skipped_by_budget", coverage.skipped_by_budget);
  io.member("skipped_by_shard", coverage.skipped_by_shard);
  io.member("exhaustive", coverage.exhaustive);
  io.member("bound", coverage.bound);
  io.unless_default("strategies", coverage.strategies);
}

void visit(auto& io, auto&& site, CallSite*) {
  io.member("kind", site.kind);
  io.member("path_pattern", site.path_pattern);
  io.member("function", site.function);
  io.member("file", site.file);
  io.member("line", site.line);
  io.member("operations", site.operations);
  io.member("crashed_at", site.crashed_at);
}

void visit(auto& io, auto&& oracle, Oracle*) {
  io.member("name", oracle.name);
  io.member("applied", oracle.applied);
  io.member("reason", oracle.reason);
}

void visit(auto& io, auto&& event, OutsideEvent*) {
  io.member("kind", event.kind);
  io.member("words", event.words);
  io.unless_default("repeatable", event.repeatable);
}

void visit(auto& io, auto&& operation, InvolvedOperation*) {
  io.member("sequence", operation.sequence);
  io.member("description", operation.description);
  io.member("stack", operation.stack);
  io.unless_default("kind", operation.kind);
  io.unless_default("path", operation.path);
  io.unless_default("other_path", operation.other_path);
  io.unless_default("detail", operation.detail);
  io.unless_default("events", operation.events);
}

void visit(auto& io, auto&& search, RealSearch*) {
  io.member("sighting", search.sighting);
  io.member("file_system", search.file_system);
  io.unless_default("kernel", search.kernel);
  io.unless_default("default_options", search.default_options);
  io.unless_default("states", search.states);
  io.unless_default("states_searched", search.states_searched);
  io.unless_default("command", search.command);
  io.unless_default("image", search.image);
  io.unless_default("why", search.why);
}

void visit(auto& io, auto&& state, StateCoordinates*) {
  io.member("record", state.record);
  io.unless_default("cut_bytes", state.cut_bytes);
  io.member("model", state.model);
  io.member("tear_bytes", state.tear_bytes);
  io.member("lost_units", state.lost_units);
}

void visit(auto& io, auto&& part, LostPart*) {
  io.member("sequence", part.sequence);
  io.member("units_lost", part.units_lost);
  io.member("units", part.units);
  io.member("what", part.what);
}

void visit(auto& io, auto&& entry, TreeEntry*) {
  io.member("kind", entry.kind);
  io.unless_default("size", entry.size);
  io.member("mode", entry.mode);
  io.unless_default("target", entry.target);
  io.member("content", entry.content);
}

void visit(auto& io, auto&& row, TreeRow*) {
  io.member("path", row.path);
  io.unless_default("before", row.before);
  io.unless_default("crash", row.crash);
  io.unless_default("after", row.after);
}

void visit(auto& io, auto&& bytes, FileBytes*) {
  io.member("size", bytes.size);
  io.member("base64", bytes.base64);
}

void visit(auto& io, auto&& file, FileVersions*) {
  io.member("path", file.path);
  io.member("offset", file.offset);
  io.unless_default("old", file.old_content);
  io.member("old_sequence", file.old_sequence);
  io.unless_default("new", file.new_content);
  io.member("new_sequence", file.new_sequence);
  io.unless_default("found", file.found);
}

void visit(auto& io, auto&& evidence, Evidence*) {
  io.member("lost", evidence.lost);
  io.member("before_sequence", evidence.before_sequence);
  io.member("tree", evidence.tree);
  io.unless_default("tree_left_out", evidence.tree_left_out);
  io.unless_default("after_what", evidence.after_what);
  io.unless_default("file", evidence.file);
  io.unless_default("printed", evidence.printed);
  io.unless_default("left_out", evidence.left_out);
}

void visit(auto& io, auto&& crash, EarlierCrash*) {
  io.member("crash", crash.crash);
  io.member("point", crash.point);
  io.unless_default("trace", crash.trace);
  io.unless_default("continues", crash.continues);
  io.member("state", crash.state);
  io.unless_default("operation", crash.operation);
}

void visit(auto& io, auto&& finding, Finding*) {
  io.member("id", finding.id);
  io.member("title", finding.title);
  io.member("judge", finding.judge);
  io.member("path", finding.path);
  io.unless_default("effect_fault", finding.effect_fault);
  io.unless_default("window", finding.window);
  io.member("complaints", finding.complaints);
  io.unless_default("run_end", finding.run_end);
  io.member("crash", finding.crash);
  io.member("models", finding.models);
  io.member("point", finding.point);
  io.member("sequence", finding.sequence);
  io.member("state", finding.state);
  io.unless_default("trace", finding.trace);
  io.unless_default("continues", finding.continues);
  io.unless_default("earlier", finding.earlier);
  io.unless_default("serial_trace", finding.serial_trace);
  io.unless_default("schedule", finding.schedule);
  io.unless_default("crash_operation", finding.crash_operation);
  io.unless_default("cause_operation", finding.cause_operation);
  io.unless_default("until_operation", finding.until_operation);
  io.member("lost_operations", finding.lost_operations);
  io.unless_default("kept_operation", finding.kept_operation);
  io.member("explanation", finding.explanation);
  io.member("states", finding.states);
  io.member("points", finding.points);
  io.member("points_total", finding.points_total);
  io.member("first_point", finding.first_point);
  io.member("last_point", finding.last_point);
  io.unless_default("effects", finding.effects);
  io.unless_default("real_searches", finding.real_searches);
  io.member("reproduce", finding.reproduce);
  io.unless_default("evidence", finding.evidence);
  io.unless_default("waived", finding.waived);
}

void visit(auto& io, auto&& operation, TimelineOperation*) {
  io.member("sequence", operation.sequence);
  io.member("kind", operation.kind);
  io.member("path", operation.path);
  io.unless_default("other_path", operation.other_path);
  io.unless_default("offset", operation.offset);
  io.unless_default("length", operation.length);
  io.member("process", operation.process);
  io.member("thread", operation.thread);
  io.unless_default("result", operation.result);
  io.member("stack", operation.stack);
  io.unless_default("point", operation.point);
  io.unless_default("detail", operation.detail);
  io.unless_default("text", operation.text);
  io.unless_default("events", operation.events);
}

void visit(auto& io, auto&& durability, Durability*) {
  io.member("crash", durability.crash);
  io.member("model", durability.model);
  io.member("since", durability.since);
}

void visit(auto& io, auto&& note, Note*) {
  io.member("rule", note.rule);
  io.member("message", note.message);
  io.member("path", note.path);
  io.member("sequence", note.sequence);
  io.member("stack", note.stack);
  io.member("occurrences", note.occurrences);
}

void visit(auto& io, auto&& faults, EffectFaults*) {
  io.member("crash", faults.crash);
  io.member("model", faults.model);
  io.member("duplicated", faults.duplicated);
  io.member("lost", faults.lost);
}

void visit(auto& io, auto&& row, EffectRow*) {
  io.member("effect", row.effect);
  io.member("undisturbed", row.undisturbed);
  io.unless_default("repeatable", row.repeatable);
  io.unless_default("habitual", row.habitual);
  io.unless_default("faults", row.faults);
}

void visit(auto& io, auto&& chaos, ChaosFigures*) {
  io.member("rounds", chaos.rounds);
  io.member("runs", chaos.runs);
  io.member("consistent", chaos.consistent);
  io.member("not_measured", chaos.not_measured);
  io.member("succeeded", chaos.succeeded);
  io.member("failed_writes", chaos.failed_writes);
  io.member("recovery_mean_ms", chaos.recovery_mean_ms);
  io.member("recovery_worst_ms", chaos.recovery_worst_ms);
  io.member("faults", chaos.faults);
  io.member("retries", chaos.retries);
  io.member("steps", chaos.steps);
}

void visit(auto& io, auto&& bounds, Bounds*) {
  io.member("lost_fsync", bounds.lost_fsync);
  io.member("states_max", bounds.states_max);
  io.member("depth", bounds.depth);
  io.member("tear_bytes", bounds.tear_bytes);
  io.member("all_points", bounds.all_points);
  io.member("strict", bounds.strict);
  io.member("require_complete", bounds.require_complete);
  io.member("expect", bounds.expect);
}

void visit(auto& io, auto&& complaint, ShardComplaint*) {
  io.member("judge", complaint.judge);
  io.member("verdict", complaint.verdict);
  io.member("path", complaint.path);
  io.member("message", complaint.message);
  io.unless_default("run_end", complaint.run_end);
  io.unless_default("wrong", complaint.wrong);
  io.unless_default("signal", complaint.signal);
  io.unless_default("said", complaint.said);
}

void visit(auto& io, auto&& verdict, ShardVerdict*) {
  io.member("state", verdict.state);
  io.member("complaints", verdict.complaints);
}

void visit(auto& io, auto&& material, ShardMaterial*) {
  io.member("bounds", material.bounds);
  io.member("complete", material.complete);
  io.member("complaints", material.complaints);
  io.member("states", material.states);
}

void visit(auto& io, auto&& document, ResultDocument*) {
  io.member("tool_version", document.tool_version);
  io.member("command", document.command);
  io.member("workload", document.workload);
  io.member("state_directory", document.state_directory);
  io.member("judging", document.judging);
  io.member("trace", document.trace);
  io.member("seed", as_text(document.seed));
  io.unless_default("shard", document.shard);
  io.member("kernel", document.kernel);
  io.member("crash_kinds", document.crash_kinds);
  io.member("models", document.models);
  io.member("verdict", document.outcome);
  io.member("reason", document.reason);
  io.member("exit_code", document.exit_code);
  io.member("interrupted", document.interrupted);
  io.unless_default("elapsed_ms", document.elapsed_ms);
  io.member("capabilities", document.capabilities);
  io.member("recorded", document.recorded);
  io.member("coverage", document.coverage);
  io.member("call_sites", document.call_sites);
  io.member("oracles", document.oracles);
  io.member("findings", document.findings);
  io.unless_default("effects", document.effects);
  io.unless_default("effects_left_out", document.effects_left_out);
  io.unless_default("chaos", document.chaos);
  io.member("notes", document.notes);
  io.member("operations", document.operations);
  io.member("operations_left_out", document.operations_left_out);
  io.unless_default("durability", document.durability);
  io.member("stacks", document.stacks);
  io.member("frames", document.frames);
  io.unless_default("shard_material", document.shard_material);
}

}  // namespace everycrash::reports
