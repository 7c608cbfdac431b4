#include "harness/explain/kill_clusters.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/explore/kill_states.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

CallSite same_site(uint64_t) {
  return {.name = "save in app"};
}

/// Complaints against every state whose crash point lies in a record from FIRST to LAST.
std::vector<std::vector<Complaint>> rejected(const KillStates& kills, uint64_t first, uint64_t last,
                                             const std::string& path = "f",
                                             Judge judge = Judge::kHalfFile) {
  std::vector<std::vector<Complaint>> complaints(kills.states().size());
  for (size_t i = 0; i < complaints.size(); ++i) {
    const uint64_t record = kills.states()[i].point.record;
    if (record >= first && record <= last) {
      complaints[i].push_back({.judge = judge, .path = path, .message = "half"});
    }
  }
  return complaints;
}

TEST(Clusters, a_window_is_one_finding_named_by_what_opened_it) {
  Recording recording;
  recording.create("f", 1)
      .write("f", 1, 0, "old")
      .empty("f", 1)
      .write("f", 1, 0, std::string(9000, 'n'));
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  // Emptied (record 3) and cut inside the write (record 4).
  auto complaints = rejected(kills, 3, 4);
  complaints.back().clear();  // the whole write is good again
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, complaints, same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].opener, 3u);
  EXPECT_THAT(clusters[0].states, SizeIs(3));
  EXPECT_EQ(clusters[0].window, KillWindow::kEmptied);
}

TEST(Clusters, a_name_that_is_there_for_the_whole_window_is_what_is_not_survived) {
  Recording recording;
  recording.create("lock", 1).create("f", 2).write("f", 2, 0, "x").unlink("lock", 1);
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  auto complaints = rejected(kills, 1, 3, "");
  for (auto& of_state : complaints) {
    for (Complaint& complaint : of_state) complaint.judge = Judge::kChecker;
  }
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, complaints, same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].window, KillWindow::kExists);
}

TEST(Clusters, what_stays_behind_is_called_so) {
  Recording recording;
  recording.create("f.tmp", 1).write("f.tmp", 1, 0, "x").rename("f.tmp", "f", 1);
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  auto complaints = rejected(kills, 1, 2, "f.tmp");
  for (auto& of_state : complaints) {
    for (Complaint& complaint : of_state) complaint.judge = Judge::kNoLeftovers;
  }
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, complaints, same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].window, KillWindow::kStaysBehind);
}

TEST(Clusters, a_file_that_does_harm_until_it_is_removed_is_not_called_half_written) {
  Recording recording;
  recording.create("lock", 1).write("lock", 1, 0, "17").create("f", 2).unlink("lock", 1);
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  auto complaints = rejected(kills, 2, 3, "");
  for (auto& of_state : complaints) {
    for (Complaint& complaint : of_state) complaint.judge = Judge::kChecker;
  }
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, complaints, same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].window, KillWindow::kUntilRemoved);
}

TEST(Clusters, a_whole_write_is_not_called_half_written_where_another_file_ends_the_harm) {
  Recording recording;
  recording.create("a", 1).write("a", 1, 0, "x").create("b", 2);
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  auto complaints = rejected(kills, 2, 2, "");
  for (auto& of_state : complaints) {
    for (Complaint& complaint : of_state) complaint.judge = Judge::kChecker;
  }
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, complaints, same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].window, KillWindow::kBetween);
}

/// WRONG with an effect, in every state whose crash point lies in a record from FIRST to LAST.
std::vector<std::vector<Complaint>> effect_faults(const KillStates& kills, uint64_t first,
                                                  uint64_t last, Wrong wrong) {
  auto complaints = rejected(kills, first, last, "charge 17");
  for (auto& of_state : complaints) {
    for (Complaint& complaint : of_state) {
      complaint.judge = Judge::kExactlyOnce;
      complaint.wrong = wrong;
    }
  }
  return complaints;
}

TEST(Clusters, the_window_of_a_duplicate_goes_from_the_effect_to_what_records_it) {
  Recording recording;
  recording.create("f.tmp", 1).event("effect charge 17").rename("f.tmp", "f", 1);
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  const std::vector<KillCluster> clusters = cluster_kill_states(
      trace, kills, effect_faults(kills, 2, 2, Wrong::kDuplicateEffect), same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].opener, 2u);
  EXPECT_EQ(clusters[0].closer, 3u);
  EXPECT_EQ(clusters[0].window, KillWindow::kEffectBeforeRecord);
}

TEST(Clusters, the_window_of_a_loss_goes_from_what_records_the_effect_to_it) {
  Recording recording;
  recording.create("f.tmp", 1).rename("f.tmp", "f", 1).event("effect charge 17");
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, effect_faults(kills, 2, 2, Wrong::kLostEffect), same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].opener, 2u);
  EXPECT_EQ(clusters[0].closer, 3u);
  EXPECT_EQ(clusters[0].window, KillWindow::kRecordBeforeEffect);
}

TEST(Clusters, a_loop_has_one_cause_not_many) {
  Recording recording;
  for (uint64_t i = 1; i <= 3; ++i) {
    const std::string name = "out/step-" + std::to_string(i);
    if (i == 1) recording.add(Kind::kMakeDirectory, "out", "", 99, "");
    recording.create(name, i).write(name, i, 0, "content " + std::to_string(i));
  }
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  std::vector<std::vector<Complaint>> complaints(kills.states().size());
  for (size_t i = 0; i < complaints.size(); ++i) {
    const Operation* record = trace.find(kills.states()[i].point.record);
    if (record == nullptr || record->kind != Kind::kOpen) continue;
    complaints[i].push_back({.judge = Judge::kHalfFile, .path = std::string(record->path)});
  }
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, complaints, same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_THAT(clusters[0].states, SizeIs(3));
  EXPECT_THAT(clusters[0].key, HasSubstr("out/step-#"));
}

TEST(Clusters, a_promise_that_comes_before_its_write_is_the_cause) {
  Recording recording;
  recording.create("log", 1)
      .print("saved ")
      .print("1\n")
      .print("saved 2\n")
      .write("log", 1, 0, "1");
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {});
  const auto complaints = rejected(kills, 4, 4, "", Judge::kChecker);  // the empty log
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, complaints, same_site, [](uint32_t) { return 3; });
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].opener, 3u) << "nothing was wrong before the first line was whole";
  EXPECT_EQ(clusters[0].window, KillWindow::kPromiseBeforeRecord);
}

TEST(Clusters, a_whole_write_is_not_called_partly_written) {
  Recording recording;
  recording.create("key", 1).write("key", 1, 0, "secret").add(Kind::kChangeMode, "key", "", 1, "");
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, rejected(kills, 2, 2, "", Judge::kChecker), same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].window, KillWindow::kBetween);
}

TEST(Clusters, a_new_file_whose_mode_alone_is_missing_is_not_said_to_lack_content) {
  Recording recording;
  recording.create("f", 1).add(Kind::kChangeMode, "f", "", 1, "");
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, rejected(kills, 1, 1, "", Judge::kChecker), same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].window, KillWindow::kBetween);
}

TEST(Clusters, a_complaint_about_another_file_is_not_told_as_lost_content) {
  Recording recording;
  recording.create("log", 1).write("log", 1, 0, "old").empty("log", 1).create("other", 2);
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, rejected(kills, 3, 3, "log.1.gz"), same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].window, KillWindow::kBetween);
}

TEST(Clusters, a_log_is_not_called_partly_written) {
  Recording recording;
  recording.open("log", 1, O_WRONLY | O_APPEND | O_CREAT, format::kCreated)
      .write("log", 1, 0, std::string(9000, 'n'));
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  auto complaints = rejected(kills, 2, 2, "", Judge::kChecker);
  complaints.back().clear();
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, complaints, same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].window, KillWindow::kWithinAppend);
}

TEST(Clusters, two_places_in_the_program_are_two_causes) {
  Recording recording;
  recording.create("f", 1).write("f", 1, 0, "x").create("g", 2).write("g", 2, 0, "y");
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  auto complaints = rejected(kills, 1, 1);
  for (size_t i = 0; i < complaints.size(); ++i) {
    if (kills.states()[i].point.record == 3) {
      complaints[i].push_back({.judge = Judge::kHalfFile, .path = "g"});
    }
  }
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, complaints, same_site);
  ASSERT_THAT(clusters, SizeIs(2));
  EXPECT_NE(clusters[0].id(), clusters[1].id());
}

TEST(Clusters, files_that_one_line_makes_have_one_cause_whatever_their_names) {
  Recording recording;
  recording.create("3fa0c1", 1).write("3fa0c1", 1, 0, "x");
  recording.create("ab00c1", 2).write("ab00c1", 2, 0, "y");
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  std::vector<std::vector<Complaint>> complaints(kills.states().size());
  for (size_t i = 0; i < complaints.size(); ++i) {
    const Operation* record = trace.find(kills.states()[i].point.record);
    if (record == nullptr || record->kind != Kind::kOpen) continue;
    complaints[i].push_back({.judge = Judge::kHalfFile, .path = std::string(record->path)});
  }
  const auto in_one_line = [](uint64_t) { return CallSite{.name = "put", .line = "open(name)"}; };
  EXPECT_THAT(cluster_kill_states(trace, kills, complaints, in_one_line), SizeIs(1));
  EXPECT_THAT(cluster_kill_states(trace, kills, complaints, same_site), SizeIs(2))
      << "where no line is known, names tell places apart";
}

TEST(Clusters, who_complains_of_what_kind_of_file_tells_causes_apart) {
  Recording recording;
  recording.create("f.tmp", 1).create("g.tmp", 2).rename("f.tmp", "f", 1).rename("g.tmp", "g", 2);
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {.all_points = true});
  const auto in_one_line = [](uint64_t) { return CallSite{.name = "put", .line = "open(name)"}; };
  std::vector<std::vector<Complaint>> complaints(kills.states().size());
  for (size_t i = 0; i < complaints.size(); ++i) {
    const uint64_t record = kills.states()[i].point.record;
    if (record == 1) complaints[i].push_back({.judge = Judge::kNoLeftovers, .path = "f.tmp"});
    if (record == 2) complaints[i].push_back({.judge = Judge::kHalfFile, .path = "f"});
  }
  EXPECT_THAT(cluster_kill_states(trace, kills, complaints, in_one_line), SizeIs(2));
}

TEST(Clusters, what_was_only_not_measured_is_no_finding) {
  Recording recording;
  recording.create("f", 1);
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {});
  std::vector<std::vector<Complaint>> complaints(kills.states().size());
  complaints[0].push_back({.verdict = Verdict::kNotMeasured});
  EXPECT_THAT(cluster_kill_states(trace, kills, complaints, same_site), SizeIs(0));
}

TEST(Clusters, the_beginning_is_not_blamed_for_equal_files_at_a_later_point) {
  // After the file is gone again the files are those of the beginning, but more was promised.
  Recording recording;
  recording.create("f", 1).write("f", 1, 0, "x").unlink("f", 1).print("done\n");
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {});
  std::vector<std::vector<Complaint>> complaints(kills.states().size());
  complaints[kills.points().front().state].push_back({.judge = Judge::kChecker, .message = "lost"});
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, complaints, same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].opener, 3u);
  EXPECT_EQ(clusters[0].window, KillWindow::kRemoved);
}

TEST(Clusters, the_beginning_is_blamed_where_it_is_the_only_point_that_fails) {
  Recording recording;
  recording.create("f", 1).write("f", 1, 0, "x");
  const Trace trace = recording.finish();
  const KillStates kills = *KillStates::enumerate(trace, {});
  std::vector<std::vector<Complaint>> complaints(kills.states().size());
  complaints[kills.points().front().state].push_back({.judge = Judge::kChecker, .message = "no f"});
  const std::vector<KillCluster> clusters =
      cluster_kill_states(trace, kills, complaints, same_site);
  ASSERT_THAT(clusters, SizeIs(1));
  EXPECT_EQ(clusters[0].window, KillWindow::kFromTheStart);
}

}  // namespace
}  // namespace everycrash
