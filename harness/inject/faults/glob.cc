// Not fnmatch(3), which allocates and asks for the locale.

#include <string.h>

#include "harness/inject/faults/plan.h"

namespace everycrash::faults {

namespace {

/// Matches BYTE against the set behind '['. Returns the end of the set, null if it has none.
const char* match_set(const char* set, char byte, bool& matches) {
  const bool inverted = *set == '!' || *set == '^';
  if (inverted) ++set;
  bool found = false;
  const char* at = set;
  for (; *at != 0 && (*at != ']' || at == set); ++at) {
    if (at[1] == '-' && at[2] != 0 && at[2] != ']') {
      found = found || (byte >= at[0] && byte <= at[2]);
      at += 2;
    } else {
      found = found || *at == byte;
    }
  }
  matches = found != inverted;
  return *at == 0 ? nullptr : at + 1;
}

/// Matches one byte against the first element of GLOB, which is no star. Returns the rest of the
/// glob, null if it does not match.
const char* match_one(const char* glob, char byte) {
  if (*glob == 0) return nullptr;
  if (*glob == '?') return glob + 1;
  bool matches = false;
  if (*glob == '[') {
    if (const char* rest = match_set(glob + 1, byte, matches); rest != nullptr) {
      return matches ? rest : nullptr;
    }
  }
  return *glob == byte ? glob + 1 : nullptr;
}

/// Only the last star ever needs to take more: what is behind an earlier one has matched already.
bool matches_whole(const char* glob, const char* text, const char* end) {
  const char* star = nullptr;
  const char* taken = nullptr;
  while (text < end) {
    if (*glob == '*') {
      star = ++glob;
      taken = text;
    } else if (const char* rest = match_one(glob, *text); rest != nullptr) {
      glob = rest;
      ++text;
    } else if (star != nullptr) {
      glob = star;
      text = ++taken;
    } else {
      return false;
    }
  }
  while (*glob == '*') ++glob;
  return *glob == 0;
}

}  // namespace

bool matches_glob(const char* glob, const char* path, size_t size) {
  if (size == 0) return matches_glob(glob, ".", 1);
  const char* end = path + size;
  if (matches_whole(glob, path, end)) return true;
  if (strchr(glob, '/') != nullptr) return false;
  const char* last = end;
  while (last > path && last[-1] != '/') --last;
  return matches_whole(glob, last, end);
}

}  // namespace everycrash::faults
