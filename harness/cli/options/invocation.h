// Which command was asked for, and its options.
#pragma once

#include <string>

#include "harness/cli/options/options.h"

namespace everycrash::cli {

struct Invocation {
  enum class Command {
    kHelp,
    kVersion,
    kTest,
    kRecord,
    kExplore,
    kInject,
    kChaos,
    kReplay,
    kReport,
    kMerge,
    kScenario,
    kExport,
    kBaselineUpdate,
    kInit,
    kSink,
    kDoctor,
    kValidate,
    kDisk,
  } command = Command::kHelp;
  std::string help;  ///< text to print for kHelp: also a man page or a completion
  TestOptions test;
  RecordOptions record;
  ExploreOptions explore;
  InjectOptions inject;
  ChaosOptions chaos;
  ReplayOptions replay;
  ReportOptions report;
  MergeOptions merge;
  ScenarioOptions scenario;
  ExportOptions exporting;
  BaselineOptions baseline;
  InitOptions init;
  std::string shell;  ///< that a completion is printed for
  ValidateOptions validate;
  DiskShellOptions disk;
  bool clean = false;  ///< doctor --clean
  SinkCommandOptions sink;
};

}  // namespace everycrash::cli
