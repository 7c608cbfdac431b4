#include "harness/explain/minimise.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/explain/power_clusters.h"
#include "harness/explore/power_states.h"
#include "harness/model/persistence_model.h"
#include "harness/model/tree_text.h"
#include "harness/model/unit.h"
#include "harness/trace/printed_line.h"
#include "harness/trace/workload_text.h"

namespace everycrash {
namespace {

using testing::ElementsAre;

/// Says of a tree, as text, and what was printed, whether it fails.
using Judge = std::function<bool(const std::string& tree, const std::string& printed)>;

/// "lost write t 0+3, kept rename t -> f", with what is torn.
std::string facts_of(const Trace& trace, const UnitHistory& history, const PowerCause& cause) {
  std::string facts = "lost ";
  facts += cause.lost_record() == 0 ? "nothing" : describe(*trace.find(cause.lost_record()));
  if (cause.harm == PowerHarm::kTorn) {
    const std::optional<TornSize> torn = torn_size_of(history, cause);
    if (!torn) return facts + ", torn";
    return facts + fmt::format(", torn: {} bytes without {} from {}", torn->size, torn->lost,
                               torn->first_lost);
  }
  if (cause.kept_record == 0) return facts;
  const Operation& kept = *trace.find(cause.kept_record);
  EXPECT_EQ(cause.harm, kept.kind == Kind::kPrint ? PowerHarm::kPromised : PowerHarm::kReordered);
  if (kept.kind == Kind::kPrint) return facts + ", kept print " + printed_line(trace, kept);
  return facts + ", kept " + describe(kept);
}

class Minimise : public testing::Test {
 protected:
  /// The causes of all failing states, each once, as facts_of() gives them.
  std::vector<std::string> causes(const std::vector<std::string>& lines, const char* model,
                                  const Judge& judge) {
    const Result<Trace> trace = record_text(lines);
    EXPECT_TRUE(trace) << trace.error().message;
    PowerOptions options;
    options.model = *find_model(model);
    Result<PowerExplorer> explorer = PowerExplorer::create(*trace, options);
    const StateFails fails = [&](uint64_t record, const std::vector<UnitId>& lost) -> Result<bool> {
      const Result<FileSystem> tree = build_state(*trace, explorer->history(), record, lost);
      if (!tree) return tl::unexpected(tree.error());
      std::string printed;
      for (const Operation& at : trace->records()) {
        if (at.sequence <= record && at.kind == Kind::kPrint) printed += at.payload;
      }
      return judge(tree_text(*tree), printed);
    };
    std::set<std::string> texts;
    const SiteOf site_of = [this](uint64_t) { return CallSite{.name = "main", .line = line_}; };
    const CauseWords words(*trace, site_of, NameGrain::kSuffix);
    PowerClusters clusters(*trace, explorer->history(), site_of);
    while (const std::optional<PowerState> state = explorer->next()) {
      if (!*fails(state->point.record, state->lost)) continue;
      const Result<PowerCause> cause =
          minimise(*trace, explorer->history(), *state, fails, words, most_checks_);
      EXPECT_TRUE(cause);
      EXPECT_TRUE(*fails(cause->point, cause->lost)) << "the smallest example must fail, too";
      ++failing_;
      EXPECT_TRUE(clusters.add(static_cast<uint32_t>(failing_ - 1), *state, "", fails));
      texts.insert(facts_of(*trace, explorer->history(), *cause));
      keys_.insert(cause->key.substr(std::string_view("power; ").size()));
      checks_ = std::max(checks_, cause->checks);
    }
    const std::vector<size_t> owners = clusters.owners();
    clusters_ = std::set<size_t>(owners.begin(), owners.end()).size();
    clustered_ = 0;
    for (const PowerCluster& cluster : clusters.clusters()) clustered_ += cluster.states.size();
    EXPECT_EQ(clustered_, failing_) << "every failing state belongs to one finding";
    failing_ = 0;
    return {texts.begin(), texts.end()};
  }

  std::string line_;  // of all calls
  std::set<std::string> keys_;
  uint64_t most_checks_ = 200;
  uint64_t checks_ = 0;
  size_t clusters_ = 0, clustered_ = 0, failing_ = 0;
};

bool half_file(const std::string& tree, const std::string& /*printed*/) {
  return tree.find("f=\"old\"") == std::string::npos && tree.find("f=\"new\"") == std::string::npos;
}

TEST_F(Minimise, names_the_rename_that_was_kept_and_the_bytes_that_were_lost) {
  EXPECT_THAT(causes({"initial f \"old\"", "create t", "write t 0 \"new\"", "rename t f",
                      "create other", "append other x*9000"},
                     "xfs", half_file),
              ElementsAre("lost write t 0+3, kept rename t -> f"));
  EXPECT_THAT(keys_, ElementsAre("content of t; before rename f at main"));
}

TEST_F(Minimise, blames_no_print_where_checks_are_few) {
  most_checks_ = 12;
  const auto found = causes({"initial f \"old\"", "create t", "write t 0 \"new\"", "rename t f",
                             "create a", "append a x*30000", "print \"done\""},
                            "xfs", half_file);
  for (const std::string& text : found) {
    EXPECT_THAT(text, testing::EndsWith("kept rename t -> f"));
  }
  EXPECT_THAT(found, testing::Not(testing::IsEmpty()));
}

TEST_F(Minimise, tells_a_size_without_its_data) {
  EXPECT_THAT(causes({"create f", "write f 0 \"new\""}, "posix",
                     [](const std::string& tree, const std::string& /*printed*/) {
                       return tree.find("f=") != std::string::npos &&
                              tree.find("f=\"\"") == std::string::npos &&
                              tree.find("f=\"new\"") == std::string::npos;
                     }),
              testing::Contains("lost write f 0+3, torn: 3 bytes without 3 from 0"));
}

TEST_F(Minimise, tells_a_size_without_what_was_appended) {
  EXPECT_THAT(causes({"initial f \"old\"", "write f 3 \"new\""}, "posix",
                     [](const std::string& tree, const std::string& /*printed*/) {
                       return tree.find("f=\"old\"") == std::string::npos &&
                              tree.find("f=\"oldnew\"") == std::string::npos;
                     }),
              testing::Contains("lost write f 3+3, torn: 6 bytes without 3 from 3"));
}

TEST_F(Minimise, takes_no_half_of_a_line_for_what_was_printed) {
  EXPECT_THAT(causes({"create f", "write f 0 \"new\"", "print \"saved:\"", "print \"2\""}, "posix",
                     [](const std::string& tree, const std::string& printed) {
                       return printed.find("saved") != std::string::npos &&
                              tree.find("f=\"new\"") == std::string::npos;
                     }),
              testing::Contains("lost write f 0+3, kept print saved:2"));
}

TEST_F(Minimise, gives_one_missing_fsync_one_name_under_all_models) {
  const std::vector<std::string> lines = {"initial f \"old\"", "create t", "write t 0 \"new\"",
                                          "rename t f"};
  for (const char* model : {"posix", "ext4-noauto_da_alloc", "xfs"})
    causes(lines, model, half_file);
  EXPECT_THAT(keys_, ElementsAre("content of t; before rename f at main"));
}

TEST_F(Minimise, names_the_truncation_before_the_lost_bytes) {
  EXPECT_THAT(
      causes({"initial f \"old\"", "empty f", "write f 0 \"new\"", "close f"}, "xfs", half_file),
      ElementsAre("lost write f 0+3, kept open f (emptied)"));
}

TEST_F(Minimise, names_the_promise) {
  const Judge kept_promise = [](const std::string& tree, const std::string& printed) {
    return printed == "saved" && tree.find("f=\"new\"") == std::string::npos;
  };
  EXPECT_THAT(causes({"initial f \"old\"", "create t", "write t 0 \"new\"", "fsync t", "rename t f",
                      "print \"saved\""},
                     "ext4", kept_promise),
              ElementsAre("lost rename t -> f, kept print saved"));
  EXPECT_THAT(keys_, ElementsAre("name of f; before print at main"));
}

TEST_F(Minimise, ends_the_example_where_the_harm_is_done) {
  // A journal that is not synced before what it protects is written, and removed at the end.
  const Judge torn = [](const std::string& tree, const std::string& /*printed*/) {
    const bool changed = tree.find("db=\"new\"") != std::string::npos;
    const bool journal = tree.find("j=") != std::string::npos;
    return changed && journal && tree.find("j=\"old\"") == std::string::npos;
  };
  EXPECT_THAT(causes({"initial db \"old\"", "create j", "write j 0 \"old\"", "write db 0 \"new\"",
                      "fdatasync db", "unlink j"},
                     "ext4", torn),
              ElementsAre("lost write j 0+3, kept write db 0+3"));
}

TEST_F(Minimise, names_the_whole_line_of_a_promise_that_was_printed_in_pieces) {
  const Judge kept_promise = [](const std::string& tree, const std::string& printed) {
    return printed == "saved:2" && tree.find("f=\"new\"") == std::string::npos;
  };
  EXPECT_THAT(causes({"initial f \"old\"", "create t", "write t 0 \"new\"", "fsync t", "rename t f",
                      "print \"saved:\"", "print \"2\""},
                     "ext4", kept_promise),
              ElementsAre("lost rename t -> f, kept print saved:2"));
}

TEST_F(Minimise, names_what_is_missing_behind_what_a_sync_made_durable) {
  const Judge refers = [](const std::string& tree, const std::string& /*printed*/) {
    return tree.find("db=\"f\"") != std::string::npos &&
           tree.find("f=\"new\"") == std::string::npos;
  };
  EXPECT_THAT(
      causes({"initial db \"-\"", "create f", "write f 0 \"new\"", "write db 0 \"f\"", "fsync db"},
             "ext4", refers),
      ElementsAre("lost write f 0+3, kept write db 0+1"));
}

TEST_F(Minimise, files_with_one_suffix_saved_by_one_function_have_one_cause) {
  const Judge whole = [](const std::string& tree, const std::string& /*printed*/) {
    return tree.find(".conf=\"\"") != std::string::npos;
  };
  causes({"initial a.conf \"old\"", "initial b.conf \"old\"", "create a.conf.tmp",
          "write a.conf.tmp 0 \"new\"", "rename a.conf.tmp a.conf", "create b.conf.tmp",
          "write b.conf.tmp 0 \"new\"", "rename b.conf.tmp b.conf"},
         "xfs", whole);
  EXPECT_THAT(keys_, ElementsAre("content of *.tmp; before rename *.conf at main"));
}

TEST_F(Minimise, files_that_one_line_makes_have_one_cause_whatever_their_names) {
  line_ = "save(name)";
  const Judge whole = [](const std::string& tree, const std::string& /*printed*/) {
    return tree.find("3f=\"\"") != std::string::npos || tree.find("xy=\"\"") != std::string::npos;
  };
  causes({"create new", "write new 0 \"a\"", "rename new 3f", "create t.tmp", "write t.tmp 0 \"b\"",
          "rename t.tmp xy"},
         "xfs", whole);
  EXPECT_THAT(keys_, ElementsAre("content of temporary made by `save(name)` in main; "
                                 "before rename state made by `save(name)` in main at main"));
}

TEST_F(Minimise, pairs_a_lost_write_with_the_removal_of_its_own_file) {
  const Judge neither = [](const std::string& tree, const std::string& /*printed*/) {
    const auto whole = [&](const std::string& name) {
      return tree.find(name + "=\"old\"") != std::string::npos ||
             tree.find(name + "=\"new\"") != std::string::npos;
    };
    return whole("a") && !whole("b");
  };
  EXPECT_THAT(causes({"initial a \"old\"", "initial b \"old\"", "unlink a", "create a",
                      "write a 0 \"new\"", "unlink b", "create b", "write b 0 \"new\""},
                     "xfs", neither),
              testing::Contains("lost write b 0+3, kept unlink b"));
}

TEST_F(Minimise, names_what_has_not_been_done_yet_where_nothing_was_lost) {
  const Judge unstored = [](const std::string& tree, const std::string& /*printed*/) {
    return tree.find("offset=\"6\"") != std::string::npos &&
           tree.find("part=\"rows\"") == std::string::npos;
  };
  EXPECT_THAT(causes({"initial offset \"0\"", "write offset 0 \"6\"", "fsync offset", "create tmp",
                      "write tmp 0 \"rows\"", "fsync tmp", "rename tmp part", "print \"done\""},
                     "ext4", unstored),
              ElementsAre("lost rename tmp -> part, kept write offset 0+1"));
  EXPECT_THAT(keys_, ElementsAre("name of part; before write offset at main"));
}

TEST_F(Minimise, a_cause_takes_in_those_that_have_lost_the_same_and_more) {
  // Without a1 all is lost; without a2 only if b is gone as well.
  const Judge fails = [](const std::string& tree, const std::string& /*printed*/) {
    const auto lacks = [&](const char* what) { return tree.find(what) == std::string::npos; };
    if (lacks("mark=\"set\"")) return false;
    return lacks("a1=\"1\"") || (lacks("a2=\"1\"") && lacks("b=\"1\""));
  };
  causes({"create a1", "write a1 0 \"1\"", "create a2", "write a2 0 \"1\"", "create b",
          "write b 0 \"1\"", "create mark", "write mark 0 \"set\""},
         "xfs", fails);
  EXPECT_THAT(keys_, ElementsAre("content of a#; before write mark at main",
                                 "content of a#; content of b; before write mark at main"));
  EXPECT_EQ(clusters_, 1u);
}

TEST_F(Minimise, many_files_of_one_kind_have_one_cause) {
  std::vector<std::string> lines;
  for (int i = 100; i < 112; ++i) {
    const std::string name = "out" + std::to_string(i);
    lines.insert(lines.end(), {"create t" + name, "write t" + name + " 0 \"new\"",
                               "rename t" + name + " " + name});
  }
  const Judge no_empty_file = [](const std::string& tree, const std::string& /*printed*/) {
    return tree.starts_with("out") && tree.find("out100=\"\"") != std::string::npos;
  };
  causes(lines, "xfs", no_empty_file);
  EXPECT_THAT(keys_, ElementsAre("content of tout#; before rename out# at main"));
  EXPECT_EQ(clusters_, 1u);
  EXPECT_GT(clustered_, 10u);
  EXPECT_LE(checks_, 40u) << "units are put back many at once";
}

}  // namespace
}  // namespace everycrash
