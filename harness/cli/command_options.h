// Every command and what it takes.
#pragma once

#include <CLI/CLI.hpp>

#include "harness/cli/options.h"

namespace everycrash::cli {

/// Adds all subcommands to APP, bound to INVOCATION, which must outlive it.
void add_commands(CLI::App& app, Invocation& invocation);

}  // namespace everycrash::cli
