// What is wrong with a command line, told in the words of this program. CLI11's own errors speak of
// subcommands, conversions and sets.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "harness/base/error.h"

namespace everycrash::cli {

/// What to say where the word that is to name a command in ARGUMENTS, all or the inner one of
/// APP's, names none; "" where it does, or where none is asked for. Thread-safe.
[[nodiscard]] std::string unknown_command(const CLI::App& app,
                                          const std::vector<std::string>& arguments);

/// The error, of kind kUsage, for what APP could not take of ARGUMENTS: what is wrong, with the
/// nearest command or option where one was misspelt, and where to read on. Thread-safe.
[[nodiscard]] tl::unexpected<Error> usage_error(const CLI::App& app, const CLI::ParseError& error,
                                                const std::vector<std::string>& arguments);

}  // namespace everycrash::cli
