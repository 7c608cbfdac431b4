#include "harness/check/run/materialise.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "harness/base/folder_for_test.h"
#include "harness/model/difference.h"

namespace everycrash {
namespace {

constexpr uid_t kNobody = 65534;

/// Changes a tree at random, from a seed, in all ways that a crash state can differ.
class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : random_(seed) {
    Attributes root = made(S_IFDIR | 0755);
    tree_.set_attributes(kRootNode, root);
  }

  const FileSystem& tree() const { return tree_; }

  void change() {
    switch (below(12)) {
      case 0:
        return make(S_IFDIR | (below(8) == 0 ? 0000 : 0755));
      case 1:
        return make(S_IFREG | (below(4) == 0 ? 0400 : 0644));
      case 2:
        return make(S_IFREG | 0600);
      case 3:
        return make(S_IFLNK | 0777, "target" + std::to_string(below(5)));
      case 4:
        return make(S_IFIFO | 0600);
      case 5:
        return link();
      case 6:
        return remove();
      case 7:
        return change_mode();
      case 8:
        return set_extended();
      case 9:
        return resize();
      default:
        return write();
    }
  }

 private:
  unsigned below(unsigned limit) {
    return std::uniform_int_distribution<unsigned>(0, limit - 1)(random_);
  }

  static Attributes made(uint32_t mode) {
    Attributes attributes;
    attributes.mode = mode;
    attributes.owner = geteuid();
    attributes.group = getegid();
    return attributes;
  }

  std::vector<NodeId> nodes(bool (Node::*kind)() const) {
    std::vector<NodeId> found;
    for (const auto& [path, node] : tree_.paths()) {
      if ((tree_.node(node).*kind)()) found.push_back(node);
    }
    return found;
  }
  NodeId pick(bool (Node::*kind)() const) {
    const std::vector<NodeId> all = nodes(kind);
    return all.empty() ? kNoNode : all[below(static_cast<unsigned>(all.size()))];
  }
  uint32_t pick_name() { return tree_.name_id("n" + std::to_string(below(6))); }

  void make(uint32_t mode, const std::string& target = "") {
    const NodeId parent = pick(&Node::is_directory);
    const uint32_t name = pick_name();
    if (is_free(parent, name)) tree_.set_entry(parent, name, tree_.create(made(mode), target));
  }
  void link() {
    const NodeId file = pick(&Node::is_file);
    const NodeId parent = pick(&Node::is_directory);
    const uint32_t name = pick_name();
    if (file != kNoNode && is_free(parent, name)) tree_.set_entry(parent, name, file);
  }
  void remove() {
    const NodeId parent = pick(&Node::is_directory);
    const uint32_t name = pick_name();
    if (is_free(parent, name)) tree_.clear_entry(parent, name);
  }
  /// A folder with something in it cannot be replaced or removed.
  bool is_free(NodeId parent, uint32_t name) {
    const auto entry = tree_.node(parent).entries.find(name);
    return entry == tree_.node(parent).entries.end() || tree_.node(entry->second).entries.empty();
  }
  void change_mode() {
    const NodeId file = pick(&Node::is_file);
    if (file == kNoNode) return;
    Attributes attributes = *tree_.node(file).attributes;
    attributes.mode = S_IFREG | (below(2) == 0 ? 04755 : 0000);
    tree_.set_attributes(file, attributes);
  }
  void set_extended() {
    const NodeId file = pick(&Node::is_file);
    if (file == kNoNode) return;
    Attributes attributes = *tree_.node(file).attributes;
    if (below(2) == 0)
      attributes.extended.clear();
    else
      attributes.extended["user.x"] = std::to_string(below(9));
    tree_.set_attributes(file, attributes);
  }
  void resize() {
    const NodeId file = pick(&Node::is_file);
    if (file != kNoNode) tree_.set_size(file, below(20'000));
  }
  void write() {
    const NodeId file = pick(&Node::is_file);
    if (file == kNoNode) return;
    const std::string bytes(below(6000), static_cast<char>('a' + below(26)));
    tree_.write(file, below(15'000), bytes);
  }

  std::mt19937 random_;
  FileSystem tree_;
};

class TreeOnDiskTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(base_ / "tree"); }
  void TearDown() override {
    if (std::system(("chmod -R u+rwx " + base_.path().string()).c_str()) != 0) ADD_FAILURE();
  }

  /// A tree with a file in a folder.
  static FileSystem small_tree(std::string_view content = "content") {
    FileSystem tree;
    Attributes attributes = *tree.node(kRootNode).attributes;
    attributes.owner = geteuid();
    attributes.group = getegid();
    tree.set_attributes(kRootNode, attributes);
    const NodeId folder = tree.create(attributes);
    attributes.mode = S_IFREG | 0644;
    const NodeId file = tree.create(attributes);
    tree.write(file, 0, content);
    tree.set_entry(kRootNode, tree.name_id("folder"), folder);
    tree.set_entry(folder, tree.name_id("file"), file);
    return tree;
  }

  static void expect_same(const FileSystem& expected, const std::filesystem::path& directory) {
    Result<FileSystem> found = read_tree(directory);
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(expected.digest(), found->digest())
        << describe(find_differences(expected, *found, {}));
  }

  static void run(const std::string& script, const std::filesystem::path& directory) {
    ASSERT_EQ(std::system(("cd " + directory.string() + " && { " + script + "; }").c_str()), 0);
  }

  static void become_random_trees(const std::filesystem::path& directory, unsigned seed) {
    TreeOnDisk disk(directory);
    RandomTree random(seed);
    for (int i = 0; i < 150; ++i) {
      for (unsigned j = 0; j < 1 + seed % 5; ++j) random.change();
      Status done = disk.become(random.tree());
      ASSERT_TRUE(done) << done.error().message;
      ASSERT_NO_FATAL_FAILURE(expect_same(random.tree(), directory))
          << "seed " << seed << " step " << i;
      Result<bool> changed = disk.note_changes();
      ASSERT_TRUE(changed) << changed.error().message;
    }
    EXPECT_THAT(disk.notes(), testing::IsEmpty());
  }

  FolderForTest base_;
};

TEST_F(TreeOnDiskTest, becomes_one_random_tree_after_another) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const auto directory = base_ / std::to_string(seed);
    std::filesystem::create_directory(directory);
    ASSERT_NO_FATAL_FAILURE(become_random_trees(directory, seed));
  }
}

TEST_F(TreeOnDiskTest, does_so_for_an_ordinary_user) {
  if (geteuid() != 0) GTEST_SKIP() << "the test before did this already";
  ASSERT_EQ(chown(base_.path().c_str(), kNobody, kNobody), 0);
  const int child = fork();
  if (child == 0) {
    if (setgroups(0, nullptr) != 0 || setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(10);
    for (unsigned seed = 1; seed <= 4; ++seed) {
      const auto directory = base_ / std::to_string(seed);
      std::filesystem::create_directory(directory);
      become_random_trees(directory, seed);
    }
    _exit(HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(TreeOnDiskTest, replaces_what_was_there_before) {
  run("mkdir -p folder/file other/x; touch old; ln old other/link", base_ / "tree");
  TreeOnDisk disk(base_ / "tree");
  ASSERT_TRUE(disk.become(small_tree()));
  expect_same(small_tree(), base_ / "tree");
}

TEST_F(TreeOnDiskTest, sees_no_change_where_there_is_none) {
  TreeOnDisk disk(base_ / "tree");
  ASSERT_TRUE(disk.become(small_tree()));
  Result<bool> changed = disk.note_changes();
  ASSERT_TRUE(changed);
  EXPECT_FALSE(*changed);
}

TEST_F(TreeOnDiskTest, sees_and_repairs_every_kind_of_change) {
  for (const char* script :
       {"printf CONTENT > folder/file", "printf x >> folder/file", ": > folder/file",
        "rm folder/file", "rm -r folder", "mv folder other", "ln folder/file second",
        "chmod 0 folder/file", "chmod 0 folder", "rm -r folder; ln -s /etc folder",
        "mkdir -p a/b/c; touch a/b/c/d; chmod 0 a/b", "mv folder/file x; cp x folder/file",
        "rm folder/file; mkdir folder/file", "chmod 700 ."}) {
    std::filesystem::remove_all(base_ / "tree");
    std::filesystem::create_directory(base_ / "tree");
    TreeOnDisk disk(base_ / "tree");
    ASSERT_TRUE(disk.become(small_tree()));
    ASSERT_NO_FATAL_FAILURE(run(script, base_ / "tree")) << script;
    Result<bool> changed = disk.note_changes();
    ASSERT_TRUE(changed) << script << changed.error().message;
    EXPECT_TRUE(*changed) << script;
    Status done = disk.become(small_tree());
    ASSERT_TRUE(done) << script << done.error().message;
    ASSERT_NO_FATAL_FAILURE(expect_same(small_tree(), base_ / "tree")) << script;
  }
}

TEST_F(TreeOnDiskTest, sees_a_change_that_keeps_size_and_comes_within_a_clock_tick) {
  TreeOnDisk disk(base_ / "tree");
  ASSERT_TRUE(disk.become(small_tree()));
  const int file = open((base_ / "tree/folder/file").c_str(), O_WRONLY);
  ASSERT_EQ(pwrite(file, "X", 1, 0), 1);
  close(file);
  EXPECT_TRUE(*disk.note_changes());
}

TEST_F(TreeOnDiskTest, sees_a_change_through_a_memory_mapping) {
  TreeOnDisk disk(base_ / "tree");
  ASSERT_TRUE(disk.become(small_tree()));
  ASSERT_FALSE(*disk.note_changes());
  const int file = open((base_ / "tree/folder/file").c_str(), O_RDWR);
  void* bytes = mmap(nullptr, 7, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  ASSERT_NE(bytes, MAP_FAILED);
  static_cast<char*>(bytes)[0] = 'X';
  munmap(bytes, 7);
  EXPECT_TRUE(*disk.note_changes());
}

TEST_F(TreeOnDiskTest, comes_back_when_the_directory_itself_was_removed) {
  TreeOnDisk disk(base_ / "tree");
  ASSERT_TRUE(disk.become(small_tree()));
  std::filesystem::remove_all(base_ / "tree");
  EXPECT_TRUE(*disk.note_changes());
  ASSERT_TRUE(disk.become(small_tree()));
  expect_same(small_tree(), base_ / "tree");
}

TEST_F(TreeOnDiskTest, gives_files_recent_times_but_keeps_those_that_were_set) {
  FileSystem tree = small_tree();
  const NodeId file = tree.find("folder/file");
  TreeOnDisk disk(base_ / "tree");
  ASSERT_TRUE(disk.become(tree));
  struct stat info {};
  ASSERT_EQ(stat((base_ / "tree/folder/file").c_str(), &info), 0);
  EXPECT_NEAR(static_cast<double>(info.st_mtime), static_cast<double>(time(nullptr)), 30);
  Attributes attributes = *tree.node(file).attributes;
  attributes.times = format::Times{1000, 1, 2000, 2};
  tree.set_attributes(file, attributes);
  ASSERT_TRUE(disk.become(tree));
  ASSERT_EQ(stat((base_ / "tree/folder/file").c_str(), &info), 0);
  EXPECT_EQ(info.st_mtime, 2000);
  EXPECT_FALSE(*disk.note_changes());
}

TEST_F(TreeOnDiskTest, writes_only_pages_that_differ) {
  FileSystem tree = small_tree(std::string(100 * format::kPageSize, 'x'));
  TreeOnDisk disk(base_ / "tree");
  ASSERT_TRUE(disk.become(tree));
  // A page that the tree believes to be right is not looked at again; only here is it wrong.
  const auto path = base_ / "tree/folder/file";
  struct stat before {};
  stat(path.c_str(), &before);
  const int file = open(path.c_str(), O_WRONLY);
  ASSERT_EQ(pwrite(file, "Y", 1, 0), 1);
  close(file);
  tree.write(tree.find("folder/file"), 50 * 4096, "z");
  ASSERT_TRUE(disk.become(tree));
  std::ifstream read(path);
  EXPECT_EQ(read.get(), 'Y');
  struct stat after {};
  stat(path.c_str(), &after);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST(FindDifferences, names_what_is_missing_extra_and_other) {
  FileSystem expected, found;
  const auto put = [](FileSystem& tree, const char* name, const char* content) {
    Attributes attributes;
    attributes.mode = S_IFREG | 0644;
    const NodeId file = tree.create(attributes);
    tree.write(file, 0, content);
    tree.set_entry(kRootNode, tree.name_id(name), file);
  };
  put(expected, "gone", "12");
  put(expected, "same", "x");
  put(expected, "short", "abc");
  put(expected, "torn", "abcd");
  put(found, "torn", "abXd");
  put(found, "short", "");
  put(found, "same", "x");
  put(found, "temp.1", "123");
  put(found, "log.txt", "1");
  EXPECT_EQ(describe(find_differences(expected, found, {"*.txt"})),
            "gone: missing (a file of 2 bytes expected)\n"
            "short: 3 bytes expected, 0 found\n"
            "temp.1: not expected (a file of 3 bytes)\n"
            "torn: as long as expected, 4 bytes, but different from byte 2 on");
  EXPECT_EQ(describe(find_differences(expected, found, {}), 1),
            "gone: missing (a file of 2 bytes expected)\nand 4 more");
}

}  // namespace
}  // namespace everycrash
