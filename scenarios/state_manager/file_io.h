// Whole reads and writes, as all scenarios do them (scenarios/common/file_io.h).
#pragma once

#include "scenarios/common/file_io.h"
#include "scenarios/state_manager/failure.h"

namespace state_manager {

using scenarios::FileDescriptor;
using scenarios::open_directory;
using scenarios::read_all;
using scenarios::read_file;
using scenarios::write_all;

}  // namespace state_manager
