#include "harness/record/preload/core/environment.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "harness/record/preload/core/gate.h"
#include "harness/record/preload/core/raw_call.h"
#include "harness/record/preload/core/text.h"

namespace everycrash::preload {

namespace {

constexpr size_t kVariables = 8;
constexpr size_t kPreload = 0;
constexpr size_t kFaults = 5;  // the plan of faults, and the library that carries it out
constexpr size_t kFaultsLibrary = 6;
constexpr size_t kRunner = 7;
constexpr const char* kNames[kVariables] = {
    "LD_PRELOAD=",     "EVERYCRASH_TRACE=",  "EVERYCRASH_PRELOAD=",        "EVERYCRASH_EVENTS=",
    "EVERYCRASH_DIR=", "EVERYCRASH_FAULTS=", "EVERYCRASH_FAULTS_PRELOAD=", "EVERYCRASH_RUNNER="};
// "NAME=VALUE" as this image got it; LD_PRELOAD is reduced to our own libraries.
using Variable = Buffer<4200>;
constinit Variable kept[kVariables] = {Variable{kZeroed}, Variable{kZeroed}, Variable{kZeroed},
                                       Variable{kZeroed}, Variable{kZeroed}, Variable{kZeroed},
                                       Variable{kZeroed}, Variable{kZeroed}};
constinit Text library;
constinit Text faults_library;  // empty: no faults are planned

bool names_library(Text list, Text name) {
  for (size_t at = 0; at < list.size;) {
    size_t end = at;
    while (end < list.size && list.data[end] != ':' && list.data[end] != ' ') ++end;
    if (equal(Text{list.data + at, end - at}, name)) return true;
    at = end + 1;
  }
  return false;
}

Text value_of(const char* entry, size_t variable) {
  return text_of(entry + strlen(kNames[variable]));
}

bool holds(Text text, Text part) {
  for (size_t at = 0; at + part.size <= text.size; ++at) {
    if (memcmp(text.data + at, part.data, part.size) == 0) return true;
  }
  return false;
}

void* take(char*& at, size_t size) {
  void* taken = at;
  at += (size + 7) & ~size_t{7};
  return taken;
}

}  // namespace

const char* take_environment(char** environment) {
  for (char** entry = environment; *entry != nullptr; ++entry) {
    for (size_t i = 0; i < kVariables; ++i) {
      if (!starts_with(text_of(*entry), text_of(kNames[i]))) continue;
      kept[i].clear();
      kept[i].add(*entry);
    }
  }
  if (kept[1].size == 0 || kept[2].size == 0 || kept[1].cut || kept[2].cut) return nullptr;
  set_runner(kept[kRunner].size == 0 ? nullptr : kept[kRunner].data + strlen(kNames[kRunner]));
  library = value_of(kept[2].data, 2);
  kept[kPreload].clear();
  kept[kPreload].add(kNames[kPreload]);
  kept[kPreload].add(library);
  if (kept[kFaults].size != 0 && kept[kFaultsLibrary].size != 0) {
    faults_library = value_of(kept[kFaultsLibrary].data, kFaultsLibrary);
    kept[kPreload].add(":");
    kept[kPreload].add(faults_library);
  }
  return kept[1].data + strlen(kNames[1]);
}

FaultNeeds needs_of_faults() {
  FaultNeeds needs;
  if (faults_library.size == 0) return needs;
  // Lines of the plan (harness/inject/faults/plan.h). One too many does no harm.
  Text plan = value_of(kept[kFaults].data, kFaults);
  bool network = holds(plan, text_of("network("));
  needs.reads = network || holds(plan, text_of("read(")) || holds(plan, text_of("receive("));
  needs.sends = network || holds(plan, text_of("send("));
  needs.waits = holds(plan, text_of(") hang="));
  return needs;
}

bool library_is_readable() {
  // access(2) leaves capabilities out of account, as the exec of an ordinary user will drop them.
  return raw_call(SYS_access, to_long(library.data), R_OK) == 0;
}

char** completed_environment(char** environment, void* storage, size_t size, size_t* needed) {
  const char* found[kVariables] = {};
  size_t count = 0;
  for (; environment != nullptr && environment[count] != nullptr; ++count) {
    for (size_t i = 0; i < kVariables; ++i) {
      if (starts_with(text_of(environment[count]), text_of(kNames[i])))
        found[i] = environment[count];
    }
  }
  bool preloads = false;
  if (found[kPreload] != nullptr) {
    Text list = value_of(found[kPreload], kPreload);
    preloads = names_library(list, library) &&
               (faults_library.size == 0 || names_library(list, faults_library));
  }
  bool complete = preloads;
  for (size_t i = 1; i < kVariables; ++i)
    complete = complete && (found[i] != nullptr || kept[i].size == 0);
  if (complete) return environment;

  Text others = found[kPreload] != nullptr ? value_of(found[kPreload], kPreload) : Text{};
  *needed = (count + kVariables + 1) * sizeof(char*) + kept[kPreload].size + others.size + 32;
  if (*needed > size) return nullptr;
  auto* at = static_cast<char*>(storage);
  auto** result = static_cast<char**>(take(at, (count + kVariables + 1) * sizeof(char*)));
  size_t used = 0;
  for (size_t i = 0; i < count; ++i) {
    if (environment[i] != found[kPreload]) result[used++] = environment[i];
  }
  // Ours come first, since the constructor of the first must run before any other.
  char* preload = at;
  memcpy(at, kept[kPreload].data, kept[kPreload].size);
  at += kept[kPreload].size;
  if (!preloads && others.size > 0) *at++ = ':';
  if (preloads) at = preload + strlen(kNames[kPreload]);
  memcpy(at, others.data, others.size);
  at[others.size] = 0;
  result[used++] = preload;
  for (size_t i = 1; i < kVariables; ++i) {
    if (found[i] == nullptr && kept[i].size > 0) result[used++] = kept[i].data;
  }
  result[used] = nullptr;
  return result;
}

}  // namespace everycrash::preload
