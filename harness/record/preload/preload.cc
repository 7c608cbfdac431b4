// The library that is loaded into every process of the workload and records what it does to the
// state directory. How: a seccomp filter (filter.cc) answers the calls that change files with
// SIGSYS, unless they come from one page of our own (raw_call.h). The handler (dispatch.cc) makes
// the call from that page, appends what it did to the trace (session.cc), and hands its result
// back. The commonest call, write(), is spared the
// signal where that can be done (short_calls.cc). No symbol of the program or of libc is replaced,
// so nothing can be missed by being called under another name, and nothing that is called can be
// missed.
//
// Rules for every file in this folder:
// - System calls only by raw_call(). A libc wrapper would be caught in turn, and sets errno.
// - No allocation, no stdio, no locks but the session's, no thread-local state, no C++ library, no
//   static with a constructor. Memory functions are our own (memory.cc).
// - Statics are changed under the session's lock only. A fork by another thread may copy them in
// the
//   middle of a change; caches.h says how that is noticed.
// - The handler runs with all signals blocked. Under the lock that stays so, and nothing may wait
//   for anything but a disk or the lock's own order. A call that may wait for long is made outside
//   the lock with the program's own signal mask (pass()), so that EINTR comes as ever.
// - On the program's stack only small frames: it may be an alternate signal stack. Under the lock
// we
//   stand on our own.
// - A pointer of the program is read with copy_from_user() unless the kernel has just read it.
// - What cannot be recorded is named in the trace (append_unsupported), never dropped.

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
