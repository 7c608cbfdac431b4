// Child processes, as all scenarios start them (scenarios/common/child_process.h).
#pragma once

#include "scenarios/common/child_process.h"
#include "scenarios/state_manager/failure.h"

namespace state_manager {

using scenarios::ChildProcess;
using scenarios::own_program;

}  // namespace state_manager
