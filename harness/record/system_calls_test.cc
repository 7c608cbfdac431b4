#include "harness/record/system_calls.h"

#include <gtest/gtest.h>

#include "harness/record/unsupported.h"

namespace everycrash::calls {
namespace {

TEST(SystemCalls, AreFoundByTheirNumber) {
  ASSERT_NE(find(SYS_renameat2), nullptr);
  EXPECT_STREQ(find(SYS_renameat2)->name, "renameat2");
  EXPECT_EQ(find(SYS_renameat2)->handler, Handler::kRename);
  EXPECT_EQ(find(SYS_getpid), nullptr);
  EXPECT_EQ(find(-1), nullptr);
  EXPECT_EQ(find(kNumbersEnd), nullptr);
}

TEST(SystemCalls, AreNamedInMessages) {
  EXPECT_EQ(call_name(SYS_pwrite64), "pwrite64");
  EXPECT_EQ(call_name(999), "call 999");
}

TEST(SystemCalls, NameADescriptorWhereTheyStream) {
  // What can be a pipe or a socket is known by that descriptor.
  for (const SystemCall& call : kSystemCalls) {
    if (call.streams) {
      EXPECT_GE(call.descriptor, 0) << call.name;
    }
  }
}

TEST(SystemCalls, OfAttributesAndNamesAreCaughtWhateverTheirArguments) {
  // What changes something by its number alone must not slip through a test of an argument.
  for (const SystemCall& call : kSystemCalls) {
    const bool sure = call.group == CallGroup::kNames || call.group == CallGroup::kAttributes ||
                      call.group == CallGroup::kSize || call.group == CallGroup::kSync;
    if (sure) {
      EXPECT_EQ(call.caught, Caught::kAlways) << call.name;
    }
  }
}

}  // namespace
}  // namespace everycrash::calls
