#include "harness/explore/power_states.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/model/case_file_for_test.h"
#include "harness/model/legal_states_for_test.h"
#include "harness/model/tree_text.h"
#include "harness/trace/workload_text.h"

namespace everycrash {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

using Lines = std::vector<std::string>;

Trace record(const Lines& lines) {
  Result<Trace> trace = record_text(lines);
  EXPECT_TRUE(trace) << trace.error().message;
  return std::move(*trace);
}

PowerOptions under(std::string_view model) {
  PowerOptions options;
  options.model = *find_model(model);
  return options;
}

PowerExplorer explore(const Trace& trace, const PowerOptions& options) {
  Result<PowerExplorer> explorer = PowerExplorer::create(trace, options);
  EXPECT_TRUE(explorer);
  return std::move(*explorer);
}

/// Every state, as text, in the order in which it is handed out.
std::vector<std::string> states(const Trace& trace, const PowerOptions& options) {
  PowerExplorer explorer = explore(trace, options);
  std::vector<std::string> found;
  while (explorer.next()) found.push_back(tree_text(explorer.tree()));
  return found;
}

/// A write through O_SYNC is like any other while it runs.
std::string while_running(std::string line) {
  for (const std::string_view sync : {"osync-", "dsync-"}) {
    if (line.starts_with(sync)) return line.substr(sync.size());
  }
  return line;
}

/// By the definition: the legal states after each operation, and during it.
std::set<std::string> states_by_definition(const Lines& lines, const PersistenceRules& rules) {
  std::set<std::string> found;
  for (size_t count = 0; count <= lines.size(); ++count) {
    const Trace trace = record(Lines(lines.begin(), lines.begin() + static_cast<long>(count)));
    const bool initial = count < lines.size() && lines[count].starts_with("initial");
    if (initial) continue;
    const Result<std::vector<std::string>> legal = legal_states(trace, rules);
    EXPECT_TRUE(legal);
    found.insert(legal->begin(), legal->end());
    if (count == 0 || while_running(lines[count - 1]) == lines[count - 1]) continue;
    Lines running(lines.begin(), lines.begin() + static_cast<long>(count));
    running.back() = while_running(running.back());
    const Result<std::vector<std::string>> during = legal_states(record(running), rules);
    EXPECT_TRUE(during);
    found.insert(during->begin(), during->end());
  }
  return found;
}

class AgainstDefinition : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(AgainstDefinition, exploration_finds_exactly_the_legal_states) {
  for (const Case& now : read_case_file(GetParam())) {
    const Trace trace = record(now.operations);
    for (const std::string& model : now.models) {
      PowerOptions options = under(model);
      options.bounds.exhaustive_limit = 1'000'000;
      const std::vector<std::string> found = states(trace, options);
      EXPECT_EQ(std::set<std::string>(found.begin(), found.end()),
                states_by_definition(now.operations, *options.model))
          << model << "\n"
          << now.text;
    }
  }
}

std::string file_name(const testing::TestParamInfo<std::filesystem::path>& info) {
  return info.param.stem().string();
}
INSTANTIATE_TEST_SUITE_P(Files, AgainstDefinition, testing::ValuesIn(case_files(TESTDATA)),
                         file_name);

const Lines kSave = {"initial f \"old\"", "create t",    "write t 0 \"new\"", "fsync t",
                     "rename t f",        "print \"s\"", "fsync .",           "print \"d\""};

TEST(PowerExplorer, says_exhaustive_when_it_was) {
  const Trace trace = record(kSave);
  PowerExplorer explorer = explore(trace, under("posix"));
  while (explorer.next()) {
  }
  EXPECT_TRUE(explorer.coverage().exhaustive());
}

TEST(PowerExplorer, checks_a_state_at_the_last_point_at_which_it_is_legal) {
  const Trace trace = record(kSave);
  PowerExplorer explorer = explore(trace, under("posix"));
  uint32_t promises = 0;
  bool found = false;
  while (std::optional<PowerState> state = explorer.next()) {
    if (tree_text(explorer.tree()) != "f=\"old\"") continue;
    EXPECT_FALSE(found) << "handed out twice";
    found = true;
    promises = state->promises;
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(promises, 1u) << "the name is not there, though the first line was printed";
}

TEST(PowerExplorer, effects_tell_equal_trees_apart) {
  const Trace trace = record({"create f", "effect a", "effect b"});
  PowerExplorer explorer = explore(trace, under("posix"));
  std::vector<uint64_t> points;
  while (std::optional<PowerState> state = explorer.next()) {
    if (tree_text(explorer.tree()) == "(empty)") points.push_back(state->point.record);
  }
  EXPECT_THAT(points, ElementsAre(4u, 3u, 2u)) << "after both, before b, before a";
}

TEST(PowerExplorer, a_state_can_be_built_again_from_its_coordinates) {
  const Trace trace = record(kSave);
  PowerExplorer explorer = explore(trace, under("btrfs"));
  while (std::optional<PowerState> state = explorer.next()) {
    const Result<FileSystem> built = explorer.build(*state);
    ASSERT_TRUE(built);
    EXPECT_EQ(built->digest(), state->tree);
    EXPECT_EQ(tree_text(*built), tree_text(explorer.tree()));
  }
}

Lines many_saves(int count) {
  Lines lines;
  for (int i = 0; i < count; ++i) {
    const std::string name = "f" + std::to_string(i % 7);
    lines.insert(lines.end(), {"create t", "write t 0 n*5000", "rename t " + name});
    if (i % 5 == 4) lines.push_back("fsync " + name);
  }
  return lines;
}

TEST(PowerExplorer, says_its_bound_when_there_were_too_many) {
  const Trace trace = record(many_saves(12));
  PowerOptions options = under("posix");
  options.bounds.exhaustive_limit = 100;
  options.bounds.seed = 7;
  PowerExplorer explorer = explore(trace, options);
  while (explorer.next()) {
  }
  EXPECT_FALSE(explorer.coverage().exhaustive());
}

TEST(PowerExplorer, same_seed_same_sequence_other_seed_other_states) {
  const Trace trace = record(many_saves(8));
  PowerOptions options = under("posix");
  options.bounds.exhaustive_limit = 10;
  options.bounds.seed = 1;
  const std::vector<std::string> first = states(trace, options);
  EXPECT_EQ(states(trace, options), first);
  options.bounds.seed = 2;
  EXPECT_NE(states(trace, options), first);
}

TEST(PowerExplorer, shards_split_the_states_and_lose_none) {
  const Trace trace = record(many_saves(6));
  PowerOptions options = under("ext4");
  std::vector<std::string> whole = states(trace, options), joined;
  options.shards = 3;
  for (options.shard = 0; options.shard < 3; ++options.shard) {
    const std::vector<std::string> part = states(trace, options);
    EXPECT_FALSE(part.empty());
    joined.insert(joined.end(), part.begin(), part.end());
  }
  std::sort(whole.begin(), whole.end());
  std::sort(joined.begin(), joined.end());
  EXPECT_EQ(joined, whole);
}

TEST(PowerExplorer, all_points_repeats_a_state_at_every_point) {
  const Trace trace = record(kSave);
  PowerOptions options = under("posix");
  const size_t joined = states(trace, options).size();
  options.all_points = true;
  EXPECT_GT(states(trace, options).size(), joined);
}

TEST(PowerExplorer, a_limit_of_states_is_not_called_exhaustive) {
  const Trace trace = record(kSave);
  PowerOptions options = under("posix");
  options.max_states = 2;
  PowerExplorer explorer = explore(trace, options);
  size_t count = 0;
  while (explorer.next()) ++count;
  EXPECT_EQ(count, 2u);
  EXPECT_FALSE(explorer.coverage().exhaustive());
}

TEST(PowerExplorer, tearing_at_sectors_shows_half_a_page) {
  const Trace trace = record({"initial f o*1024", "write f 0 n*1024"});
  PowerOptions options = under("posix");
  EXPECT_THAT(states(trace, options), Not(Contains("f=[n*512 o*512]")));
  options.tear_bytes = 512;
  EXPECT_THAT(states(trace, options), Contains("f=[n*512 o*512]"));
}

TEST(LostFsync, shows_only_what_an_honest_disk_excludes) {
  const Trace trace = record(kSave);
  PowerOptions options = under("ext4");
  const std::vector<std::string> honest = states(trace, options);
  options.lies = Lies::kAll;
  const std::vector<std::string> lying = states(trace, options);
  EXPECT_THAT(honest, Contains("f=\"new\""));
  EXPECT_THAT(lying, Contains("f=\"old\""));
  PowerExplorer explorer = explore(trace, options);
  while (std::optional<PowerState> state = explorer.next()) EXPECT_EQ(state->promises, 2u);
}

TEST(LostFsync, one_at_a_time_names_the_sync) {
  const Trace trace = record(kSave);
  PowerOptions options = under("posix");
  options.lies = Lies::kEach;
  PowerExplorer explorer = explore(trace, options);
  std::set<uint64_t> lied;
  while (std::optional<PowerState> state = explorer.next()) {
    lied.insert(state->lied);
    if (trace.find(state->lied)->path == "t") {
      EXPECT_THAT(tree_text(explorer.tree()), Not(HasSubstr("t=\"new\"")));
    }
  }
  EXPECT_THAT(lied, UnorderedElementsAre(5u, 8u));
}

TEST(LostFsync, of_one_file) {
  const Trace trace = record({"create a", "fsync a", "create b", "fsync b", "fsync .",
                              "append a \"1\"", "fsync a", "append b \"2\"", "fsync b"});
  PowerOptions options = under("posix");
  options.lies = Lies::kOneFile;
  options.lying_path = "a";
  EXPECT_THAT(states(trace, options),
              UnorderedElementsAre("a=\"\" b=\"\"", "a=[0*1] b=\"\"", "a=\"\" b=\"2\"",
                                   "a=[0*1] b=\"2\"", "a=\"\" b=[0*1]", "a=[0*1] b=[0*1]"));
}

}  // namespace
}  // namespace everycrash
