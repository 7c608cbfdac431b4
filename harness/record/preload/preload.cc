// The library that is loaded into every process of the workload and records what it does to the
// state directory. No symbol of the program or of libc is replaced, so nothing can be missed by
// being called under another name.
//
// Rooms, each including only those before it:
//   core/     the call itself, the trace, what a call is about, filter, points, faults, gates
//   stacks/   who made a call: the stack of the program, and of a script in Python or bash
//   network/  peers of sockets, and their silence
//   calls/    from a caught call to its record: dispatcher, one handler for each kind of call
// What is caught, and what its handler is, stands in harness/record/system_calls.h. fault_hook.h
// is the border to the library of faults.
//
// The way of a call:
// 1. The seccomp filter (core/filter.cc) answers it with SIGSYS, unless it comes from one page of
//    our own (core/raw_call.h). libc's write, fsync and fdatasync are led to us by a jump, which
//    costs less (calls/short_calls.cc).
// 2. The dispatcher (calls/dispatch.cc) finds its row in the table. If its descriptor says that it
//    is none of ours (core/object.h), the program makes it itself: pass() of core/call.h.
// 3. Under the lock of the trace (core/session.cc) and on a stack of our own, the handler
//    (calls/record_*.cc) finds out what it is about (core/object.cc, core/paths.cc).
// 4. Recording (calls/recording.cc) asks whether a fault is due (core/fault.cc) and whether it is
//    this instance's turn (core/gate.cc): then the handler returns that question, the dispatcher
//    settles it without the lock, and the handler is called again.
// 5. What was written through mappings comes first (calls/mappings.cc); the run may end here
//    (core/plan.cc). Then the call is made, from our page.
// 6. Its record is appended with the stack that made it (stacks/stack.cc); the run may end here,
//    too. The result goes back to the program.
//
// Rules for every file in these rooms, and where each is kept:
// - System calls only by raw_call() (core/raw_call.h). A libc wrapper would be caught in turn, and
//   sets errno.
// - No allocation, no stdio, no locks but the session's, no thread-local state, no C++ library, no
//   static with a constructor: text.h of core/ has buffers, core/memory.cc the memory functions.
//   What the library takes from libc and what it exports is tested (preload_test.cc).
// - Statics are changed at the start or under the session's lock only. A fork by another thread may
//   copy them in the middle of a change; core/caches.h says how that is noticed.
// - The handler runs with all signals blocked (core/signals.cc). Under the lock that stays so, and
//   nothing may wait for anything but a disk or the lock's own order. A call that may wait for long
//   is made outside the lock with the program's own signal mask (pass()), so that EINTR comes as
//   ever; a wait of ours has that mask too (network/network.cc, calls/record_copy.cc).
// - SIGSYS stays deliverable, whatever the program does to its signals (core/signals.cc).
// - On the program's stack only small frames: it may be an alternate signal stack. Under the lock
//   our own is used (calls/dispatch.cc).
// - A pointer of the program is read with copy_from_user() (core/user_memory.h) unless the kernel
//   has just read it. What an interpreter keeps alive is read with read_live_memory()
//   (stacks/live_memory.h), and checked before it is used.
// - No descriptor is kept open: the program would see it, and close it. The trace is a mapping
//   (core/session.cc), as is what was mapped of files (calls/mappings.cc).
// - Every program that is started is recorded in its turn, or named: its environment is completed
//   (core/environment.cc), its image looked at (calls/program.cc, calls/elf_check.cc).
// - What cannot be recorded is named in the trace (append_unsupported()), never dropped; who cannot
//   be recorded does not run (give_up() below).

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "harness/record/preload/calls/dispatch.h"
#include "harness/record/preload/calls/program.h"
#include "harness/record/preload/calls/short_calls.h"
#include "harness/record/preload/core/clock.h"
#include "harness/record/preload/core/environment.h"
#include "harness/record/preload/core/filter.h"
#include "harness/record/preload/core/plan.h"
#include "harness/record/preload/core/raw_call.h"
#include "harness/record/preload/core/session.h"
#include "harness/record/preload/core/signals.h"
#include "harness/record/preload/stacks/script_frames.h"

namespace everycrash::preload {

namespace {

constexpr int kCannotRecord = 97;

// A program that cannot be recorded must not run: what it did would be missing without a word.
[[noreturn]] void give_up(const char* what, int error) {
  Buffer<512> message;
  message.add("everycrash: cannot record this program: ");
  message.add(what);
  message.add(" (errno ");
  message.add_number(static_cast<unsigned>(error));
  message.add(")\n");
  raw_call(SYS_write, 2, to_long(message.data), static_cast<long>(message.size));
  for (;;) raw_call(SYS_exit_group, kCannotRecord);
}

// None if it was started by way of the loader, which has then put it where loaders are put.
Code code_of_image() {
  dl_find_object image;
  const link_map* program = _r_debug.r_map;
  if (program == nullptr || _dl_find_object(program->l_ld, &image) != 0) return {};
  const Code code = {reinterpret_cast<uintptr_t>(image.dlfo_map_start),
                     reinterpret_cast<uintptr_t>(image.dlfo_map_end)};
  return code.end <= kStubAddress ? code : Code{};
}

void prepare_libc(const FaultNeeds& needs) {
  dl_find_object libc;
  if (_dl_find_object(reinterpret_cast<void*>(&abort), &libc) != 0) return;
  auto begin = reinterpret_cast<uintptr_t>(libc.dlfo_map_start);
  auto end = reinterpret_cast<uintptr_t>(libc.dlfo_map_end);
  install_libc_filter(find_libc_sites(begin, end), code_of_image(), needs);
  if (!needs.sends) shorten_write(begin, end);
  if (is_caught(SYS_fsync)) shorten_syncs(begin, end);
}

// Called by the loader before any other constructor (-z initfirst), when libc has not yet set up
// `environ`: hence its arguments.
__attribute__((constructor)) void start(int argument_count, char** arguments, char** environment) {
  const char* trace = take_environment(environment);
  if (trace == nullptr) return;
  find_clock(environment);
  if (!map_stub()) give_up("its memory layout is not the usual one", 0);
  if (int error = install_handler(on_sigsys); error != 0) give_up("no SIGSYS handler", error);
  if (int error = open_session(trace); error != 0) give_up("the trace cannot be opened", error);
  find_point();
  find_interpreter();
  lock_session();
  record_program(argument_count, arguments);
  unlock_session();
  const FaultNeeds needs = needs_of_faults();
  if (!filter_in_force()) {
    int error = install_filter(needs);
    if (error != 0) give_up("seccomp filters are not allowed", error);
  }
  prepare_libc(needs);
}

}  // namespace

}  // namespace everycrash::preload
