#include "harness/model/file_system.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/falloc.h>
#include <sys/stat.h>

#include <optional>
#include <random>

#include "harness/trace/trace.h"

namespace everycrash {
namespace {

Operation made(Kind kind, std::string_view path, uint64_t inode, uint32_t flags = 0) {
  Operation op;
  op.kind = kind;
  op.path = path;
  op.inode = inode;
  op.flags = flags;
  op.mode = 0644;
  return op;
}

Operation created(std::string_view path, uint64_t inode) {
  return made(Kind::kOpen, path, inode, format::kCreated);
}

Operation written(uint64_t inode, int64_t offset, std::string_view bytes) {
  Operation op = made(Kind::kWrite, "", inode);
  op.offset = offset;
  op.payload = bytes;
  op.length = op.result = static_cast<int64_t>(bytes.size());
  return op;
}

Operation renamed(std::string_view from, std::string_view to, uint64_t inode) {
  Operation op = made(Kind::kRename, from, inode);
  op.other_path = to;
  return op;
}

std::string content_at(const FileSystem& tree, std::string_view path) {
  const NodeId node = tree.find(path);
  return node == kNoNode ? "(absent)" : tree.content(node);
}

TEST(FileSystem, knows_what_each_kind_of_operation_does) {
  for (uint16_t number = 0; number < kKindsEnd; ++number) {
    FileSystem tree;
    ASSERT_TRUE(tree.apply(created("a", 10)));
    Operation operation = made(static_cast<Kind>(number), "a", 10);
    operation.other_path = "b";
    const Status done = tree.apply(operation);  // whether it is possible is another matter
    if (!done) {
      EXPECT_THAT(done.error().message, testing::Not(testing::HasSubstr("does not know")))
          << number;
    }
  }
}

TEST(FileSystem, replaces_a_file_by_rename) {
  FileSystem tree;
  ASSERT_TRUE(tree.apply(created("a", 10)));
  ASSERT_TRUE(tree.apply(written(10, 0, "old")));
  ASSERT_TRUE(tree.apply(created("a.tmp", 11)));
  ASSERT_TRUE(tree.apply(written(11, 0, "new")));
  ASSERT_TRUE(tree.apply(renamed("a.tmp", "a", 11)));
  EXPECT_EQ(content_at(tree, "a"), "new");
  EXPECT_EQ(tree.find("a.tmp"), kNoNode);
}

TEST(FileSystem, takes_a_minimal_access_list_for_permission_bits) {
  FileSystem tree;
  ASSERT_TRUE(tree.apply(created("a", 10)));
  Operation op = made(Kind::kSetAttribute, "a", 10);
  op.other_path = "system.posix_acl_access";
  // Version 2; owner rw-, group r-x, others ---.
  constexpr std::string_view kList(
      "\2\0\0\0\1\0\6\0\xff\xff\xff\xff\4\0\5\0\xff\xff\xff\xff"
      "\x20\0\0\0\xff\xff\xff\xff",
      28);
  op.payload = kList;
  ASSERT_TRUE(tree.apply(op));
  const Attributes& attributes = *tree.node(tree.find("a")).attributes;
  EXPECT_EQ(attributes.mode, static_cast<uint32_t>(S_IFREG | 0650));
  EXPECT_TRUE(attributes.extended.empty());
}

TEST(FileSystem, equal_trees_have_equal_digests_whatever_the_way) {
  FileSystem one, two;
  ASSERT_TRUE(one.apply(created("x", 1)));
  ASSERT_TRUE(one.apply(created("y", 2)));
  ASSERT_TRUE(one.apply(written(1, 0, "hello")));
  ASSERT_TRUE(two.apply(created("y", 7)));
  ASSERT_TRUE(two.apply(created("t", 8)));
  ASSERT_TRUE(two.apply(written(8, 3, "lo")));
  ASSERT_TRUE(two.apply(written(8, 0, "hel")));
  EXPECT_NE(one.digest(), two.digest());
  ASSERT_TRUE(two.apply(renamed("t", "x", 8)));
  EXPECT_EQ(one.digest(), two.digest());
}

TEST(FileSystem, a_folder_moves_with_all_below_it) {
  FileSystem tree;
  ASSERT_TRUE(tree.apply(made(Kind::kMakeDirectory, "d", 3)));
  ASSERT_TRUE(tree.apply(created("d/f", 4)));
  ASSERT_TRUE(tree.apply(renamed("d", "e", 3)));
  EXPECT_NE(tree.find("e/f"), kNoNode);
  const Digest before = tree.digest();
  ASSERT_TRUE(tree.apply(written(4, 0, "x")));
  EXPECT_NE(tree.digest(), before) << "a change deep below reaches the root";
}

TEST(FileSystem, exchange_swaps_two_names) {
  FileSystem tree;
  ASSERT_TRUE(tree.apply(created("a", 1)));
  ASSERT_TRUE(tree.apply(created("b", 2)));
  ASSERT_TRUE(tree.apply(written(1, 0, "A")));
  Operation swap = renamed("a", "b", 1);
  swap.flags = format::kExchange;
  ASSERT_TRUE(tree.apply(swap));
  EXPECT_EQ(content_at(tree, "b"), "A");
  EXPECT_EQ(content_at(tree, "a"), "");
}

TEST(FileSystem, rename_between_names_of_one_file_does_nothing) {
  FileSystem tree;
  ASSERT_TRUE(tree.apply(created("a", 1)));
  Operation link = made(Kind::kLink, "a", 1);
  link.other_path = "b";
  ASSERT_TRUE(tree.apply(link));
  ASSERT_TRUE(tree.apply(renamed("a", "b", 1)));
  EXPECT_NE(tree.find("a"), kNoNode);
}

TEST(FileSystem, a_write_behind_the_end_leaves_zeros) {
  FileSystem tree;
  ASSERT_TRUE(tree.apply(created("a", 1)));
  ASSERT_TRUE(tree.apply(written(1, 3, "x")));
  EXPECT_EQ(content_at(tree, "a"), std::string("\0\0\0x", 4));
}

TEST(FileSystem, regrown_bytes_are_zero) {
  FileSystem tree;
  ASSERT_TRUE(tree.apply(created("a", 1)));
  ASSERT_TRUE(tree.apply(written(1, 0, "abcdef")));
  Operation cut = made(Kind::kTruncate, "a", 1);
  cut.length = 2;
  ASSERT_TRUE(tree.apply(cut));
  cut.length = 4;
  ASSERT_TRUE(tree.apply(cut));
  EXPECT_EQ(content_at(tree, "a"), std::string("ab\0\0", 4));
}

TEST(FileSystem, collapse_takes_a_range_out) {
  FileSystem tree;
  ASSERT_TRUE(tree.apply(created("a", 1)));
  ASSERT_TRUE(tree.apply(written(1, 0, std::string(4096, 'a') + std::string(4096, 'b'))));
  Operation collapse = made(Kind::kAllocate, "a", 1);
  collapse.mode = FALLOC_FL_COLLAPSE_RANGE;
  collapse.length = 4096;
  ASSERT_TRUE(tree.apply(collapse));
  EXPECT_EQ(content_at(tree, "a"), std::string(4096, 'b'));
}

TEST(FileSystem, a_cut_write_leaves_its_first_bytes) {
  FileSystem tree;
  ASSERT_TRUE(tree.apply(created("a", 1)));
  const std::string bytes(5000, 'z');
  ASSERT_TRUE(tree.apply_cut_write(written(1, 0, bytes), 4096));
  EXPECT_EQ(content_at(tree, "a").size(), 4096u);
}

TEST(FileSystem, says_when_the_trace_lost_something) {
  FileSystem tree;
  EXPECT_THAT(tree.apply(written(99, 0, "x")).error().message, testing::HasSubstr("inode 99"));
  EXPECT_THAT(tree.apply(renamed("no", "yes", 1)).error().message,
              testing::HasSubstr("does not exist"));
}

TEST(FileSystem, failed_operations_do_nothing) {
  FileSystem tree;
  const Digest before = tree.digest();
  Operation op = created("a", 1);
  op.result = -28;
  ASSERT_TRUE(tree.apply(op));
  EXPECT_EQ(tree.digest(), before);
}

TEST(FileSystem, a_folder_never_ends_up_in_itself) {
  FileSystem tree;
  const NodeId outer = tree.create({.mode = S_IFDIR | 0755});
  const NodeId inner = tree.create({.mode = S_IFDIR | 0755});
  tree.set_entry(kRootNode, tree.name_id("o"), outer);
  tree.set_entry(outer, tree.name_id("i"), inner);
  tree.set_entry(inner, tree.name_id("o"), outer);
  EXPECT_EQ(tree.find("o/i/o"), kNoNode);
}

/// Random changes, undone: the digest must come back exactly, since states are told apart by it.
TEST(FileSystem, rollback_restores_every_digest) {
  std::mt19937_64 random(7);
  FileSystem tree;
  std::vector<NodeId> folders{kRootNode};
  std::vector<NodeId> files;
  const auto step = [&] {
    const auto pick = [&](size_t size) { return static_cast<size_t>(random() % size); };
    const uint32_t name = tree.name_id(std::string(1, static_cast<char>('a' + pick(8))));
    switch (random() % 7) {
      case 0:
        files.push_back(tree.create({.mode = S_IFREG | 0644}));
        tree.set_entry(folders[pick(folders.size())], name, files.back());
        break;
      case 1:
        folders.push_back(tree.create({.mode = S_IFDIR | 0755}));
        tree.set_entry(folders[pick(folders.size() - 1)], name, folders.back());
        break;
      case 2:
        tree.clear_entry(folders[pick(folders.size())], name);
        break;
      case 3:
        if (!files.empty())
          tree.set_size(files[pick(files.size())], static_cast<int64_t>(pick(9000)));
        break;
      case 4:
        if (!files.empty()) {
          tree.set_attributes(files[pick(files.size())],
                              {.mode = S_IFREG | static_cast<uint32_t>(pick(512))});
        }
        break;
      default:
        if (!files.empty()) {
          const size_t size = pick(2) == 0 ? pick(5000) : pick(50);
          tree.write(files[pick(files.size())], static_cast<int64_t>(pick(9000)),
                     std::string(size, static_cast<char>('a' + pick(26))));
        }
    }
  };
  const auto contents = [&](const FileSystem& of) {
    std::vector<std::string> all;
    for (const NodeId file : files) all.push_back(of.content(file));
    return all;
  };
  for (int round = 0; round < 200; ++round) {
    const Digest before = tree.digest();
    const std::vector<std::string> contents_before = contents(tree);
    const std::optional<FileSystem> copy = round % 2 == 0 ? std::optional(tree) : std::nullopt;
    const auto folders_before = folders;
    const auto files_before = files;
    const FileSystem::Mark mark = tree.mark();
    for (int i = 0; i < 20; ++i) step();
    tree.rollback(mark);
    ASSERT_EQ(tree.digest(), before) << "round " << round;
    folders = folders_before;
    files = files_before;
    ASSERT_EQ(contents(tree), contents_before) << "round " << round;
    if (copy) {
      ASSERT_EQ(contents(*copy), contents_before) << "round " << round;
    }
    tree.commit();
    for (int i = 0; i < 3; ++i) step();
  }
}

}  // namespace
}  // namespace everycrash
