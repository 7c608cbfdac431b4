#include "harness/cli/document/evidence_trees.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/text.h"

namespace everycrash::cli {
namespace {

using testing::SizeIs;

Attributes file_attributes() {
  Attributes attributes;
  attributes.mode = S_IFREG | 0644;
  return attributes;
}

/// A tree in which file PATH holds CONTENT.
FileSystem tree_with(const std::string& path, const std::string& content) {
  FileSystem tree;
  const NodeId file = tree.create(file_attributes());
  tree.set_entry(kRootNode, tree.name_id(path), file);
  tree.write(file, 0, content);
  return tree;
}

TEST(TreeRows, number_the_contents_of_a_name) {
  const FileSystem before = tree_with("a", "old");
  const FileSystem crash = tree_with("a", "");
  const FileSystem after = tree_with("a", "old");
  reports::Evidence evidence;
  EXPECT_EQ(add_tree_rows(evidence, {&before, &crash, &after}, 10), 1u);
  ASSERT_THAT(evidence.tree, SizeIs(1));
  const reports::TreeRow& row = evidence.tree.front();
  EXPECT_EQ(row.before->content, 1u);
  EXPECT_EQ(row.crash->content, 2u);
  EXPECT_EQ(row.after->content, 1u) << "the same as before";
  EXPECT_EQ(row.before->size, 3);
}

TEST(TreeRows, that_differ_come_first_and_the_rest_is_counted) {
  FileSystem before = tree_with("z", "lost");
  FileSystem crash;
  for (FileSystem* tree : {&before, &crash}) {
    for (const char* name : {"a", "b", "c"}) {
      tree->set_entry(kRootNode, tree->name_id(name), tree->create(file_attributes()));
    }
  }
  reports::Evidence evidence;
  add_tree_rows(evidence, {&before, &crash, nullptr}, 2);
  ASSERT_THAT(evidence.tree, SizeIs(2));
  EXPECT_EQ(evidence.tree[0].path, "z");
  EXPECT_FALSE(evidence.tree[0].crash);
  EXPECT_EQ(evidence.tree[1].path, "a");
  EXPECT_EQ(evidence.tree_left_out, 2u);
}

TEST(FileVersions, of_a_small_file_are_whole) {
  const FileSystem old = tree_with("a", "old");
  const FileSystem made = tree_with("a", "newer");
  const FileSystem found = tree_with("a", "");
  const reports::FileVersions file = file_versions("a", {&old, &made, &found}, 1 << 20);
  EXPECT_EQ(file.offset, 0);
  EXPECT_EQ(file.old_content->base64, reports::base64("old"));
  EXPECT_EQ(file.new_content->size, 5);
  EXPECT_EQ(file.found->base64, "");
}

TEST(FileVersions, of_a_large_file_begin_shortly_before_what_is_torn) {
  std::string content(100'000, 'x');
  const FileSystem made = tree_with("a", content);
  const FileSystem found = tree_with("a", content.replace(50'000, 10, 10, '\0'));
  const reports::FileVersions file = file_versions("a", {&made, &made, &found}, 1 << 20);
  EXPECT_EQ(file.offset, (50'000 - 1024) / 16 * 16);
  EXPECT_EQ(file.found->size, 100'000);
  EXPECT_LE(file.found->base64.size(), size_t{20'000});
}

TEST(FileVersions, stay_within_what_may_be_kept) {
  const FileSystem tree = tree_with("a", std::string(6000, 'x'));
  const reports::FileVersions file = file_versions("a", {&tree, &tree, &tree}, 300);
  EXPECT_EQ(file.found->base64.size(), reports::base64(std::string(100, 'x')).size());
}

TEST(FileVersions, tell_an_absent_file_from_an_empty_one) {
  const FileSystem nothing;
  const FileSystem empty = tree_with("a", "");
  const reports::FileVersions file = file_versions("a", {&nothing, nullptr, &empty}, 1 << 20);
  EXPECT_FALSE(file.old_content);
  EXPECT_FALSE(file.new_content);
  EXPECT_TRUE(file.found);
}

}  // namespace
}  // namespace everycrash::cli
