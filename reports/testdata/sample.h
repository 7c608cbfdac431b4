// Hand-made result documents that the tests of every report draw.
#pragma once

#include "reports/result.h"

namespace everycrash::reports {

inline ResultDocument sample_clean() {
  ResultDocument document;
  document.tool_version = "0.1.0";
  document.command = "everycrash test -- ./app";
  document.workload = {"./app"};
  document.state_directory = "/tmp/state";
  document.trace = {"run.trace", "00112233445566778899aabbccddeeff"};
  document.seed = 1;
  document.kernel = "Linux 6.1.0-27-amd64";
  document.crash_kinds = {CrashKind::kKill};
  document.outcome = Outcome::kSurvived;
  document.elapsed_ms = 1234;
  document.recorded.operations = {{"open", 3}, {"write", 12}, {"fsync", 3}, {"rename", 3}};
  document.recorded.processes = 1;
  document.recorded.threads = 1;
  document.recorded.prints = 3;
  document.coverage = {{CrashKind::kKill, "", 34, 34, 29, 29, 29, 0, 0, 0, 0, true, ""}};
  document.call_sites = {{"write", "state.json.tmp", "save", "app.c", 31, 12, 24},
                         {"rename", "state.json", "save", "app.c", 36, 3, 6}};
  document.oracles = {{"half file", true, "state.json"},
                      {"acknowledged", true, "3 lines printed"},
                      {"resume", true, "a second run changes nothing"},
                      {"no leftovers", false, "needs resume"}};
  document.operations = {{1, "open", "state.json.tmp", "", 0, 0, 1, 1, 5, kNoStack},
                         {2, "write", "state.json.tmp", "", 0, 812, 1, 1, 812, kNoStack}};
  document.operations_left_out = 19;
  return document;
}

inline ResultDocument sample_finding() {
  ResultDocument document = sample_clean();
  document.outcome = Outcome::kViolated;
  document.exit_code = 1;
  document.command = "everycrash test --crash kill,power --fs ext4,xfs -- ./app";
  document.crash_kinds = {CrashKind::kKill, CrashKind::kPower};
  document.models = {"ext4", "xfs"};
  document.capabilities = {
      "no user namespaces: states are checked in a plain folder, not at their recorded path"};
  document.recorded.effects = 2;
  document.recorded.warnings = {"1 write was cut short by the disk quota"};
  document.recorded.notes = {"io_uring_setup was answered ENOSYS; the program went on without"};
  document.coverage = {
      {CrashKind::kKill, "", 34, 34, 29, 29, 29, 0, 0, 0, 0, true, ""},
      {CrashKind::kPower, "ext4", 34, 2048, 310, 310, 310, 0, 0, 0, 0, true, ""},
      {CrashKind::kPower, "xfs", 34, 40960, 1311, 1000, 976, 22, 2, 311, 0, false,
       "at most 2 units lost or kept against a prefix, 100 random sets from seed 1"}};
  document.call_sites.push_back({"unlink", "old.log", "rotate", "log.c", 12, 1, 0});

  StackTable table(document);
  const Frame libc{"__GI_rename", "/lib/x86_64-linux-gnu/libc.so.6", 0x54c30, "", 0, 0, {}};
  const Frame save{"Store::save",
                   "/home/u/app/app",
                   0x1339,
                   "src/app.cc",
                   36,
                   7,
                   {35, {"  fclose(out);", "  rename(\"state.json.tmp\", \"state.json\");", "}"}}};
  const Frame write{"Store::save", "/home/u/app/app", 0x12f0, "src/app.cc", 31, 3, {}};
  const Frame main{"main", "/home/u/app/app", 0x1188, "src/app.cc", 52, 5, {}};
  const Frame start{"_start", "/home/u/app/app", 0x10a0, "", 0, 0, {}};
  const StackIndex at_rename = table.add({libc, save, main, start}, 1);
  const StackIndex at_write = table.add({write, main, start}, 0);

  Finding finding;
  finding.id = "3f9a0c12";
  finding.title = "state.json is empty after a power loss";
  finding.judge = "checker";
  finding.path = "state.json";
  finding.complaints = {"exit status 1\nstate.json: unexpected end of JSON at byte 0"};
  finding.crash = CrashKind::kPower;
  finding.models = {"xfs"};
  finding.point = "rename(state.json)#2";
  finding.sequence = 14;
  finding.state = {14, std::nullopt, "xfs", 4096, {9, 10}};
  finding.crash_operation = {14, "rename state.json.tmp -> state.json", at_rename};
  finding.lost_operations = {{12, "write state.json.tmp 0+812", at_write}};
  finding.kept_operation = {14, "rename state.json.tmp -> state.json", at_rename};
  finding.explanation = "The rename reached the disk, the 812 bytes before it did not.";
  finding.states = 22;
  finding.points = {"rename(state.json)#1", "rename(state.json)#2", "rename(state.json)#3"};
  finding.points_total = 3;
  finding.first_point = "rename(state.json)#1";
  finding.last_point = "rename(state.json)#3";
  finding.reproduce = "everycrash replay /home/u/app/result.json 3f9a0c12";
  document.findings = {finding};
  document.notes = {{"rename-without-fsync",
                     "state.json.tmp is renamed over state.json, its data was never synced",
                     "state.json", 14, at_rename, 3}};
  document.operations[1].stack = at_write;
  return document;
}

/// A process that was killed while it rewrote its file in place.
inline ResultDocument sample_kill() {
  ResultDocument document = sample_clean();
  document.outcome = Outcome::kViolated;
  document.exit_code = 1;
  document.coverage = {{CrashKind::kKill, "", 34, 34, 29, 29, 20, 9, 0, 0, 0, true, ""}};
  StackTable table(document);
  const Frame python{"_PyEval_EvalFrameDefault", "/usr/bin/python3.11", 0x12af44, "", 0, 0, {}};
  const Frame call{"PyObject_Vectorcall", "/usr/bin/python3.11", 0x11f012, "", 0, 0, {}};
  const Frame save{"save", "/home/u/app/app", 0x1339, "app.c", 31, 7, {}};
  Finding finding;
  finding.id = "a1b2c3d4e5f6";
  finding.title = "state.json is cut short after a kill";
  finding.judge = "half file";
  finding.path = "state.json";
  finding.complaints = {"state.json holds 4,096 of 9,000 bytes"};
  finding.crash = CrashKind::kKill;
  finding.point = "write(state.json)#1+4096";
  finding.sequence = 4;
  finding.state = {3, 4096, "", {}};
  finding.crash_operation = {4, "write state.json 0+9000", table.add({save}, 0)};
  finding.cause_operation = {3, "open state.json (truncated)", table.add({python, call}, 0)};
  finding.explanation = "The file was emptied before its new content was whole.";
  finding.states = 9;
  finding.points = {"write(state.json)#1+4096"};
  finding.points_total = 1;
  finding.first_point = finding.last_point = "write(state.json)#1+4096";
  finding.reproduce = "everycrash replay result.json a1b2c3d4e5f6";
  document.findings = {finding};
  return document;
}

/// Rounds of random faults, two of which were not good.
inline ResultDocument sample_chaos() {
  ResultDocument document = sample_clean();
  document.crash_kinds = {CrashKind::kChaos};
  document.outcome = Outcome::kViolated;
  document.exit_code = 1;
  document.coverage = {
      {CrashKind::kChaos, "", 8, 8, 8, 8, 5, 2, 1, 0, 0, false, "8 random rounds from seed 1"}};
  document.chaos = ChaosFigures{.rounds = 8,
                                .runs = 26,
                                .consistent = 5,
                                .not_measured = 1,
                                .succeeded = 8,
                                .failed_writes = 4,
                                .recovery_mean_ms = 12,
                                .recovery_worst_ms = 31,
                                .faults = {{"error", 3}, {"kill", 6}},
                                .retries = {{"0", 3}, {"1", 5}},
                                .steps = {{"recovered", 2}}};
  Finding finding;
  finding.id = "c0ffee000001";
  finding.title = "Random faults leave what is not good: state.json is empty";
  finding.judge = "checker";
  finding.complaints = {"exit status 1:\nstate.json is empty"};
  finding.crash = CrashKind::kChaos;
  finding.schedule = {"any(*) kill-after when=7: killed by signal 9",
                      "write(*) ENOSPC when=2: exit status 1"};
  finding.point = finding.first_point = "round 2";
  finding.last_point = "round 6";
  finding.points = {"round 2", "round 6"};
  finding.states = finding.points_total = 2;
  finding.reproduce = "everycrash chaos --seed 1 --round 2 -- ./app";
  document.findings = {finding};
  return document;
}

}  // namespace everycrash::reports
