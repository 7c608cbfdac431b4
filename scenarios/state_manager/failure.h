// What went wrong, as all scenarios tell it (scenarios/common/failure.h).
#pragma once

#include "scenarios/common/failure.h"

namespace state_manager {

using scenarios::call_failed;
using scenarios::Expected;
using scenarios::failed;
using scenarios::Failure;
using scenarios::message_heals;
using scenarios::Outcome;

}  // namespace state_manager
