#include "harness/record/preload/core/filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/record/preload/core/gate.h"
#include "harness/record/preload/core/plan.h"
#include "harness/record/preload/core/raw_call.h"
#include "harness/record/preload/core/session.h"
#include "harness/record/system_calls.h"

// What stdio closes and reads its files with; null in a libc that has none.
extern "C" __attribute__((weak)) int __close_nocancel(int);
extern "C" __attribute__((weak)) ssize_t __read_nocancel(int, void*, size_t);
extern "C" __attribute__((weak)) ssize_t __pread64_nocancel(int, void*, size_t, off64_t);

namespace everycrash::preload {

namespace {

using calls::ArgumentTest;
using calls::Caught;
using calls::SystemCall;

constexpr uint32_t argument(int index) {
  return static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * static_cast<size_t>(index));
}

// A program under construction. The number of the call is looked at first, and what is never caught
// is let go by that alone: the kernel finds out which numbers those are, and runs no filter for
// them at all. Only then comes the question whether the call was made from our own page.
struct Program {
  sock_filter code[320];
  unsigned short size = 0;
  unsigned short catches[128];  // jumps to the end, where that is asked
  unsigned short catch_count = 0;

  void add(uint16_t operation, uint32_t value, uint8_t if_true = 0, uint8_t if_false = 0) {
    code[size++] = {operation, if_true, if_false, value};
  }
  void load(uint32_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset); }
  void answer(uint32_t action) { add(BPF_RET | BPF_K, action); }
  void catch_it() {
    catches[catch_count++] = size;
    add(BPF_JMP | BPF_JA, 0);
  }
  void load_number() { load(offsetof(seccomp_data, nr)); }

  void catch_always(int number) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 1);
    catch_it();
  }
  // Catches NUMBER if its argument INDEX has one of BITS and none of WITHOUT.
  void catch_bits(int number, int index, uint32_t bits, uint32_t without = 0) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 5);
    load(argument(index));
    add(BPF_JMP | BPF_JSET | BPF_K, without, 1, 0);
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
    answer(SECCOMP_RET_ALLOW);
    catch_it();
  }
  // Catches NUMBER if its pointer argument INDEX is not null.
  void catch_pointer(int number, int index) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 6);
    load(argument(index));
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
    load(argument(index) + 4);
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    catch_it();
  }
  // Lets NUMBER pass if its argument INDEX is VALUE.
  void allow_value(int number, int index, uint32_t value) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 4);
    load(argument(index));
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    load_number();
  }
  // Catches NUMBER if its argument INDEX is VALUE.
  void catch_value(int number, int index, uint32_t value) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 4);
    load(argument(index));
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    catch_it();
    load_number();
  }
};

void begin_program(Program& program) {
  program.load(offsetof(seccomp_data, arch));
  program.add(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
  program.answer(SECCOMP_RET_ALLOW);
  program.load_number();
}

// Ends the list of calls; what was caught goes on behind it.
void end_of_calls(Program& program) {
  program.answer(SECCOMP_RET_ALLOW);
  for (int i = 0; i < program.catch_count; ++i) {
    int at = program.catches[i];
    program.code[at].k = static_cast<uint32_t>(program.size - at - 1);
  }
}

void catch_unless_stub(Program& program) {
  program.load(offsetof(seccomp_data, instruction_pointer) + 4);
  program.add(BPF_JMP | BPF_JEQ | BPF_K, kStubAddress >> 32, 0, 4);
  program.load(offsetof(seccomp_data, instruction_pointer));
  program.add(BPF_ALU | BPF_AND | BPF_K, 0xfffff000);
  program.add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(kStubAddress), 0, 1);
  program.answer(SECCOMP_RET_ALLOW);
  program.answer(SECCOMP_RET_TRAP | kFilterTag);
}

// Catches NUMBER at these addresses if its argument 2 has one of BITS (0: whatever it is).
void catch_at(Program& program, int number, const CallSites& sites, uint32_t bits) {
  constexpr int kSite = 5;  // instructions each
  auto rest = static_cast<uint8_t>(kSite * sites.count + 1 + (bits != 0 ? 3 : 0));
  program.add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, rest);
  if (bits != 0) {
    program.load(argument(2));
    program.add(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
    program.answer(SECCOMP_RET_ALLOW);
  }
  for (int i = 0; i < sites.count; ++i) {
    program.load(offsetof(seccomp_data, instruction_pointer) + 4);
    program.add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(sites.at[i] >> 32), 0, 3);
    program.load(offsetof(seccomp_data, instruction_pointer));
    program.add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(sites.at[i]), 0, 1);
    program.answer(SECCOMP_RET_TRAP | kFilterTag);
  }
  program.answer(SECCOMP_RET_ALLOW);
}

// Catches NUMBER if it is made in CODE, unless that crosses a border of 4 GiB.
void catch_in(Program& program, int number, const Code& code) {
  if (code.begin >= code.end || code.begin >> 32 != code.end >> 32) return;
  program.add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 7);
  program.load(offsetof(seccomp_data, instruction_pointer) + 4);
  program.add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(code.begin >> 32), 0, 4);
  program.load(offsetof(seccomp_data, instruction_pointer));
  program.add(BPF_JMP | BPF_JGE | BPF_K, static_cast<uint32_t>(code.begin), 0, 2);
  program.add(BPF_JMP | BPF_JGE | BPF_K, static_cast<uint32_t>(code.end), 1, 0);
  program.answer(SECCOMP_RET_TRAP | kFilterTag);
  program.load_number();
}

// Notes every "mov $NUMBER, %eax; syscall" (of 0: "xor %eax, %eax") in the first bytes of FUNCTION.
void find_sites(uintptr_t function, unsigned char number, Code libc, CallSites& sites) {
  constexpr size_t kSearched = 112;
  const unsigned char move[] = {0xb8, number, 0x00, 0x00, 0x00, 0x0f, 0x05};
  const unsigned char clear[] = {0x31, 0xc0, 0x0f, 0x05};
  const unsigned char* expected = number == 0 ? clear : move;
  const size_t size = number == 0 ? sizeof clear : sizeof move;
  if (function < libc.begin || function + kSearched + size > libc.end) return;  // someone else's
  for (size_t at = 0; at < kSearched && sites.count < CallSites::kMax; ++at) {
    if (memcmp(reinterpret_cast<const unsigned char*>(function + at), expected, size) != 0)
      continue;
    uintptr_t behind = function + at + size;
    if (sites.count == 0 || sites.at[sites.count - 1] < behind) sites.at[sites.count++] = behind;
  }
}

// The same in two functions, in the order of their addresses: find_sites() drops what it has seen.
CallSites sites_in(uintptr_t one, uintptr_t other, unsigned char number, Code libc) {
  CallSites sites;
  find_sites(one < other ? one : other, number, libc, sites);
  find_sites(one < other ? other : one, number, libc, sites);
  return sites;
}

// Adds the place at which syscall(2) makes whatever call it is asked for: libuv closes files so.
void add_indirect(Code libc, CallSites& sites) {
  constexpr size_t kSearched = 48;
  const unsigned char call[] = {0x0f, 0x05};
  const auto function = reinterpret_cast<uintptr_t>(&syscall);
  if (function < libc.begin || function + kSearched + sizeof call > libc.end) return;
  for (size_t at = 0; at < kSearched && sites.count < CallSites::kMax; ++at) {
    if (memcmp(reinterpret_cast<const unsigned char*>(function + at), call, sizeof call) != 0)
      continue;
    sites.at[sites.count++] = function + at + sizeof call;
    return;
  }
}

void add_test(Program& program, const ArgumentTest& test) {
  switch (test.what) {
    case ArgumentTest::kHasBits:
      return program.catch_bits(test.number, test.argument, test.value, test.without);
    case ArgumentTest::kIsPointer:
      return program.catch_pointer(test.number, test.argument);
    case ArgumentTest::kIs:
      return program.catch_value(test.number, test.argument, test.value);
    case ArgumentTest::kIsNot:
      return program.allow_value(test.number, test.argument, test.value);
  }
}

// What is caught by its number, wherever it is made and whatever its arguments are.
bool is_caught_by_number(const SystemCall& call, const FaultNeeds& needs) {
  switch (call.caught) {
    case Caught::kAlways:
      return is_caught(call.number);
    case Caught::kForReads:
      return needs.reads;
    case Caught::kForWaits:
      return needs.waits;
    default:
      return false;
  }
}

void catch_by_argument(Program& program) {
  for (const ArgumentTest& test : calls::kArgumentTests) {
    const bool asked = !test.at_gates || keeps_to_gates(*session.header);
    const bool anywhere = calls::find(test.number)->caught == Caught::kByArgument;
    if (asked && anywhere && is_caught(test.number)) add_test(program, test);
  }
}

// The bits of its argument 2 without which a call of libc's is let go; 0 = there are none.
uint32_t bits_asked_for(int number) {
  for (const ArgumentTest& test : calls::kArgumentTests) {
    if (test.number == number) return test.value;
  }
  return 0;
}

int install(Program& program) {
  sock_fprog whole = {program.size, program.code};
  return static_cast<int>(-raw_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, to_long(&whole)));
}

}  // namespace

bool is_caught(long number) {
  const SystemCall* call = calls::find(number);
  // Prints and events come by what streams.
  return !stops_alone() || (call != nullptr && call->streams) || leads_to_point(number);
}

bool filter_in_force() {
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(static_cast<long>(SYS_fsync)), "D"(static_cast<long>(kProbeDescriptor))
               : "rcx", "r11", "memory");
  return result == kProbeAnswer;
}

int install_filter(const FaultNeeds& needs) {
  Program program;
  begin_program(program);
  for (const SystemCall& call : calls::kSystemCalls) {
    if (is_caught_by_number(call, needs)) program.catch_always(call.number);
  }
  if (!is_caught(SYS_fsync)) {  // but for the question whether the filter is in force
    program.catch_value(SYS_fsync, 0, static_cast<uint32_t>(kProbeDescriptor));
  }
  catch_by_argument(program);
  end_of_calls(program);
  catch_unless_stub(program);
  long result = raw_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1);
  return result != 0 ? static_cast<int>(-result) : install(program);
}

LibcSites find_libc_sites(uintptr_t begin, uintptr_t end) {
  const Code libc = {begin, end};
  const auto in = [&](int number, auto* one, auto* other) {
    CallSites sites = sites_in(reinterpret_cast<uintptr_t>(one), reinterpret_cast<uintptr_t>(other),
                               static_cast<unsigned char>(number), libc);
    add_indirect(libc, sites);
    sites.number = number;
    return sites;
  };
  return {{in(SYS_close, &close, &__close_nocancel), in(SYS_mprotect, &mprotect, &mprotect),
           in(SYS_read, &read, &__read_nocancel), in(SYS_pread64, &pread64, &__pread64_nocancel)}};
}

constexpr int calls_behind_loader() {
  int count = 0;
  for (const SystemCall& call : calls::kSystemCalls) {
    const Caught caught = call.caught;
    count += caught == Caught::kBehindLoader || caught == Caught::kReadBehindLoader ? 1 : 0;
  }
  return count;
}
static_assert(calls_behind_loader() == LibcSites::kCalls, "find_libc_sites() has to look for them");

int install_libc_filter(const LibcSites& sites, const Code& image, const FaultNeeds& needs) {
  Program program;
  begin_program(program);
  for (const CallSites& each : sites.of) {
    const bool reads = calls::find(each.number)->caught == Caught::kReadBehindLoader;
    if (reads ? !needs.reads : !is_caught(each.number)) continue;
    if (each.number == SYS_close) catch_in(program, SYS_close, image);
    catch_at(program, each.number, each, bits_asked_for(each.number));
  }
  program.answer(SECCOMP_RET_ALLOW);
  return install(program);
}

}  // namespace everycrash::preload
