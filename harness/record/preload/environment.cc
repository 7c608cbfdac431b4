#include "harness/record/preload/environment.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "harness/record/preload/raw_call.h"
#include "harness/record/preload/text.h"

namespace everycrash::preload {

namespace {

constexpr size_t kVariables = 5;
constexpr size_t kPreload = 0;
constexpr const char* kNames[kVariables] = {
    "LD_PRELOAD=", "EVERYCRASH_TRACE=", "EVERYCRASH_PRELOAD=", "EVERYCRASH_EVENTS=",
    "EVERYCRASH_DIR="};
// "NAME=VALUE" as this image got it; LD_PRELOAD is reduced to our own library.
using Variable = Buffer<4200>;
constinit Variable kept[kVariables] = {Variable{kZeroed}, Variable{kZeroed}, Variable{kZeroed},
                                       Variable{kZeroed}, Variable{kZeroed}};
constinit Text library;

bool names_library(Text list) {
  for (size_t at = 0; at < list.size;) {
    size_t end = at;
    while (end < list.size && list.data[end] != ':' && list.data[end] != ' ') ++end;
    if (equal(Text{list.data + at, end - at}, library)) return true;
    at = end + 1;
  }
  return false;
}

Text value_of(const char* entry, size_t variable) {
  return text_of(entry + strlen(kNames[variable]));
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
  library = value_of(kept[2].data, 2);
  kept[kPreload].clear();
  kept[kPreload].add(kNames[kPreload]);
  kept[kPreload].add(library);
  return kept[1].data + strlen(kNames[1]);
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
  bool preloads = found[kPreload] != nullptr && names_library(value_of(found[kPreload], kPreload));
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
  // Our library comes first, since its constructor must run before any other.
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
