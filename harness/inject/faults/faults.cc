// The library that makes faults happen inside a workload. It stands behind the preload library in
// LD_PRELOAD, only when faults are asked for, and links libfiu; runs without faults load neither.
//
// Each kind of fault is a libfiu failure point (name_of() in plan.h), switched on from the start.
// With a "control" line in the plan, `fiu-ctrl -f PREFIX -c 'disable name=everycrash/sync/lost'
// PID` switches it off in the running process, and "enable", "enable_random" on again, for the
// calls of the plan. That takes a thread of libfiu's in each process of the workload, which is why
// it is not always there: a program may do things alone that it may not with a second thread
// (unshare a user namespace, say). What fiu-ctrl did is inherited by fork, and forgotten by exec,
// which starts with the plan again.

#define FIU_ENABLE 1
#include <errno.h>
#include <fiu-control.h>
#include <fiu.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/inject/faults/clock.h"
#include "harness/inject/faults/plan.h"
#include "harness/record/preload/fault_hook.h"

// Absent where this library was loaded without the other: for commands that look at a crash state
// by a clock that is off. Then there are no faults but that one.
extern "C" __attribute__((weak)) everycrash::format::FaultState* everycrash_preload_set_fault_hook(
    const everycrash::preload::FaultHook* hook);

namespace everycrash::faults {

namespace {

constexpr int kCannotInject = 97;

constinit Plan plan;

void say(const char* text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;  // there is nobody else to tell
}

// A run without the fault that was asked for would be believed to have survived it.
[[noreturn]] void give_up(const char* why) {
  say("everycrash: cannot inject faults: ");
  say(why);
  say("\n");
  _exit(kCannotInject);
}

// Called by libfiu while the point is as we made it; fiu-ctrl replaces the point, and with it this.
int as_planned(const char* /*name*/, int* /*failnum*/, void** /*failinfo*/,
               unsigned int* /*flags*/) {
  return 1;  // the path, which libfiu does not know, has been looked at by then
}

bool planned(const preload::FaultQuery* query, format::FaultState* state,
             preload::FaultOrder* order) {
  return order_for(plan, *query, *state, *order);
}

bool fires(uint32_t fault) {
  const int kept = errno;
  const bool happens = fiu_fail(name_of(plan.faults[fault])) != 0;
  errno = kept;
  return happens;
}

constinit const preload::FaultHook hook = {planned, fires};

void enable(const char* name) {
  // libfiu remembers, with an allocation, which names it does not have. That is done here, since
  // later, when fiu-ctrl has taken the point away, the caller may be a signal handler.
  fiu_fail(name);
  if (fiu_enable_external(name, 1, nullptr, 0, as_planned) != 0) give_up("libfiu refuses a point");
}

// The thread that listens must take no signal: the program may wait for them all in one of its own.
void listen() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (fiu_rc_fifo(plan.fifo) != 0) {
    say("everycrash: fiu-ctrl cannot reach this process: no pipes could be made at ");
    say(plan.fifo);
    say("\n");
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

__attribute__((constructor)) void start() {
  const char* text = getenv("EVERYCRASH_FAULTS");
  if (text == nullptr || *text == 0) return;
  if (const char* wrong = parse_plan(text, plan); wrong != nullptr) give_up(wrong);
  if (fiu_init(0) != 0) give_up("libfiu cannot be set up");
  for (size_t i = 0; i < plan.count; ++i) enable(name_of(plan.faults[i]));
  if (plan.fifo[0] != 0) listen();
  const bool recorded = everycrash_preload_set_fault_hook != nullptr;
  follow_clock(recorded ? everycrash_preload_set_fault_hook(&hook) : nullptr);
  for (size_t i = 0; i < plan.count; ++i) {
    if (plan.faults[i].call == kStart) set_clock_from_start(plan.faults[i].value);
  }
}

}  // namespace

}  // namespace everycrash::faults
