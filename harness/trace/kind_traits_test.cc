#include "harness/trace/kind_traits.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/trace/operation.h"
#include "harness/trace/point_name.h"

namespace everycrash {
namespace {

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds;
  for (uint16_t number = 0; number < kKindsEnd; ++number) {
    const auto kind = static_cast<Kind>(number);
    if (*traits_of(kind).word != 0) kinds.push_back(kind);
  }
  return kinds;
}

TEST(KindTraits, GiveEveryKindAWordOfItsOwn) {
  for (const Kind one : all_kinds()) {
    for (const Kind other : all_kinds()) {
      if (one != other) {
        EXPECT_NE(name_of(one), name_of(other));
      }
    }
  }
  EXPECT_EQ(name_of(Kind::kNone), "unknown");
}

TEST(KindTraits, ReachTheLastKind) {
  // The last one of format.h: whoever looks through all kinds ends behind it.
  EXPECT_EQ(all_kinds().back(), Kind::kLock);
}

TEST(KindTraits, NameCrashPointsByWhatCanHappenAtThem) {
  EXPECT_STREQ(point::word_of(Kind::kRename), "rename");
  EXPECT_STREQ(point::word_of(Kind::kPrint), "print");
  EXPECT_STREQ(point::word_of(Kind::kEvent), "");    // a step has a name of its own
  EXPECT_STREQ(point::word_of(Kind::kProcess), "");  // tells of the run, and changes nothing
}

TEST(KindTraits, TellWhichNameAnOperationMakesAndTakes) {
  Operation rename{.kind = Kind::kRename, .path = "a.tmp", .other_path = "a"};
  EXPECT_EQ(name_made_by(rename), "a");
  EXPECT_EQ(name_taken_by(rename), "a.tmp");
  Operation open{.kind = Kind::kOpen, .path = "a"};
  EXPECT_EQ(name_made_by(open), "");  // it was there
  open.flags = format::kCreated;
  EXPECT_EQ(name_made_by(open), "a");
  open.flags |= format::kNameless;  // then the path is that of the folder
  EXPECT_EQ(name_made_by(open), "");
  Operation write{.kind = Kind::kWrite, .path = "a"};
  EXPECT_EQ(name_made_by(write), "");
  EXPECT_EQ(name_taken_by(write), "");
}

TEST(KindTraits, TellWhatChangesTheStateDirectory) {
  for (const Kind kind : all_kinds()) {
    const bool changes = changes_state(Operation{.kind = kind});
    // An open changes what its flags say; the end of a descriptor and a sync change nothing.
    const bool quiet = is_sync(kind) || kind == Kind::kOpen || kind == Kind::kClose;
    EXPECT_EQ(changes, (is_operation(kind) && !quiet) || tells(kind)) << name_of(kind);
  }
}

}  // namespace
}  // namespace everycrash
