// Which programs read a clock that cannot be set for them.
#include "harness/inject/own_clock.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace everycrash {
namespace {

namespace fs = std::filesystem;

TEST(OwnClock, IsToldByTheNameUnderWhichAProgramLooksItUp) {
  EXPECT_TRUE(has_own_clock(fs::canonical("/proc/self/exe"))) << "it is searched for by name here";
  EXPECT_FALSE(has_own_clock("/bin/true"));
}

TEST(OwnClock, IsNotThatOfLibcWhichIsReplaced) {
  EXPECT_FALSE(has_own_clock("/lib64/ld-linux-x86-64.so.2"));
  EXPECT_FALSE(has_own_clock("/lib/x86_64-linux-gnu/libc.so.6"));
}

TEST(OwnClock, NeedsAProgram) {
  char name[] = "/tmp/own_clock_XXXXXX";
  const int file = mkstemp(name);
  ASSERT_GE(file, 0);
  std::ofstream(name) << "__vdso_clock_gettime";
  EXPECT_FALSE(has_own_clock(name)) << "a text about it";
  fs::remove(name);
  EXPECT_FALSE(has_own_clock("/no/such/file"));
}

}  // namespace
}  // namespace everycrash
