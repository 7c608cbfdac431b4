// The preload library as a file, and the markers header.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "harness/include/everycrash/everycrash.h"

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::string> symbols(const std::string& which) {
  const std::string command =
      "nm -D --format=posix " + which + " '" + std::string(EVERYCRASH_BUILT_PRELOAD) + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  std::vector<std::string> names;
  char line[512];
  while (fgets(line, sizeof line, output.get()) != nullptr) {
    const std::string text = line;
    names.push_back(text.substr(0, text.find_first_of(" @")));
  }
  return names;
}

TEST(Preload, ExportsOnlyWhereFaultsAreHooked) {
  // Whatever it exported could replace a function of the program.
  EXPECT_THAT(symbols("--defined-only"), ElementsAre("everycrash_preload_set_fault_hook"));
}

TEST(Preload, TakesLittleFromLibc) {
  // What the unwinder needs, and no more: malloc, free and the mutex are only for code that
  // registers its own unwind tables. pthread_getspecific only looks up what a thread has stored,
  // and _r_debug is the list of what is loaded. Of write, close, syscall and their like only the
  // addresses are used. Anything else here would be a call that the program could replace.
  const std::vector<std::string> allowed = {"__pthread_key_create",
                                            "_dl_find_object",
                                            "abort",
                                            "dl_iterate_phdr",
                                            "free",
                                            "malloc",
                                            "pthread_getspecific",
                                            "pthread_once",
                                            "_r_debug",
                                            "pthread_mutex_lock",
                                            "pthread_mutex_unlock",
                                            "__cxa_finalize",
                                            "calloc",
                                            "realloc",
                                            "_ITM_registerTMCloneTable",
                                            "_ITM_deregisterTMCloneTable",
                                            "__gmon_start__",
                                            "close",
                                            "__close_nocancel",
                                            "read",
                                            "__read_nocancel",
                                            "pread64",
                                            "__pread64_nocancel",
                                            "mprotect",
                                            "syscall",
                                            "write",
                                            "fsync",
                                            "fdatasync"};
  const std::vector<std::string> taken = symbols("--undefined-only");
  EXPECT_THAT(taken, Not(IsEmpty()));
  EXPECT_THAT(allowed, IsSupersetOf(taken));
}

TEST(Markers, DoNothingOutsideEverycrash) {
  unsetenv("EVERYCRASH_EVENTS");
  errno = 7;
  EVERYCRASH_STEP("mark_done");
  EXPECT_EQ(errno, 7);
}

TEST(Markers, AppendOneLineEach) {
  char name[] = "/tmp/markers-test-XXXXXX";
  const int file = mkstemp(name);
  ASSERT_GE(file, 0);
  close(file);
  setenv("EVERYCRASH_EVENTS", name, 1);
  EVERYCRASH_STEP("begin");
  EVERYCRASH_EFFECT("charge", "order-17");
  EVERYCRASH_EFFECT("mail", std::string(5000, 'x').c_str());
  std::ifstream events(name);
  std::string line;
  std::getline(events, line);
  EXPECT_EQ(line, "step begin");
  std::getline(events, line);
  EXPECT_EQ(line, "effect charge order-17");
  std::getline(events, line);
  EXPECT_EQ(line.size(), 999U);
  EXPECT_FALSE(std::getline(events, line));
  unlink(name);
}

}  // namespace
