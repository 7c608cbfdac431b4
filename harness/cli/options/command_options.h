// Every command and what it takes.
#pragma once

#include "harness/cli/options/invocation.h"
#include "harness/cli/options/option_adder.h"

namespace everycrash::cli {

/// Adds all commands to a command line TO, bound to INVOCATION, which must outlive it.
void add_commands(const OptionAdder& to, Invocation& invocation);

}  // namespace everycrash::cli
