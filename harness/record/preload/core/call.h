// One caught system call.
#pragma once

#include <stdint.h>
#include <sys/stat.h>
#include <sys/ucontext.h>

#include "harness/record/preload/core/raw_call.h"
#include "harness/record/preload/fault_hook.h"

namespace everycrash::preload {

/// Whether a fault takes the place of a call, see fault.h.
enum class FaultAnswer : uint8_t { kNotAsked, kDoesNot, kHappens };

struct Call {
  long number;
  long arguments[6];
  ucontext_t* context;  ///< of the caller: its registers and its signal mask
  struct stat status;   ///< of its descriptor, for calls that have just one; as it was before
  bool jumped = false;  ///< it came by the short way (short_calls.h): no signal frame
  mutable FaultAnswer fault = FaultAnswer::kNotAsked;
  mutable FaultOrder order = {};  ///< once asked, and if there is one

  [[nodiscard]] long make() const {
    return raw_call(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                    arguments[5]);
  }
  [[nodiscard]] int descriptor(int index) const { return static_cast<int>(arguments[index]); }
  template <typename T>
  [[nodiscard]] T* pointer(int index) const {
    return reinterpret_cast<T*>(arguments[index]);
  }
  /// The caller's signal mask, in the kernel's 8-byte form; it takes force when the handler
  /// returns.
  [[nodiscard]] uint64_t& mask() const {
    return *reinterpret_cast<uint64_t*>(&context->uc_sigmask);
  }
};

/// What a handler under the lock answers if the call does not concern the state directory: it is
/// then made outside the lock, with the caller's own signal mask. No system call returns this.
inline constexpr long kNotOurs = INT64_MIN;

/// The caller goes on by itself, at one of the addresses of raw_call.h.
inline constexpr long kResumed = INT64_MIN + 2;

/// Lets the caller make the call itself as soon as the handler has returned, as if it had never
/// been caught: its own stack, its own signal mask, no lock. Answers kResumed.
inline long pass(const Call& call, uintptr_t address = kResumeAddress) {
  greg_t* registers = call.context->uc_mcontext.gregs;
  registers[REG_RAX] = call.number;
  registers[REG_RCX] = registers[REG_RIP];
  registers[REG_RIP] = static_cast<greg_t>(address);
  return kResumed;
}

}  // namespace everycrash::preload
