#include "harness/explain/kill_clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "harness/base/digest.h"
#include "harness/explain/cause_words.h"
#include "harness/explore/kill_states.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

/// Failing in the same way: complaints of one judge about one file.
struct Way {
  Judge judge;
  std::string path;
  friend auto operator<=>(const Way&, const Way&) = default;
};

std::vector<Way> ways_of(const std::vector<Complaint>& complaints) {
  std::vector<Way> ways;
  for (const Complaint& complaint : complaints) {
    if (!is_violation(complaint)) continue;
    Way way{complaint.judge, complaint.path};
    if (std::find(ways.begin(), ways.end(), way) == ways.end()) ways.push_back(std::move(way));
  }
  return ways;
}

/// Of the first violation that is one of WAY.
EffectFault fault_of(const std::vector<Complaint>& complaints, const Way& way) {
  for (const Complaint& complaint : complaints) {
    const bool of_way = complaint.judge == way.judge && complaint.path == way.path;
    if (of_way && is_violation(complaint)) return effect_fault_of(complaint);
  }
  return EffectFault::kNone;
}

/// Who says what of which kind of file, and what opened the window.
std::string cause_key(const Trace& trace, const CauseWords& words, uint64_t opener,
                      const Way& way) {
  const Operation* operation = trace.find(opener);
  const std::string subject = words.subject_of({.judge = way.judge, .path = way.path});
  return fmt::format("kill; {}{}{}; {}", name_of(way.judge), subject.empty() ? "" : " of ", subject,
                     operation == nullptr ? "from the start" : words.call_of(*operation));
}

/// How each state fails at each of its points. It is judged at the last of them, where most had
/// been promised; what is held against it there need not hold at the others.
class Failures {
 public:
  Failures(const KillStates& kills, const std::vector<std::vector<Complaint>>& complaints,
           const FirstFailing& first_failing)
      : points_(kills.points()), first_failing_(first_failing), innocent_(points_.size()) {
    for (const std::vector<Complaint>& of_state : complaints) ways_.push_back(ways_of(of_state));
    find_innocent();
  }

  /// At the point numbered INDEX.
  std::vector<Way> at(size_t index) {
    if (innocent_[index]) return {};
    const KillStates::Point& at = points_[index];
    std::vector<Way> ways = ways_[at.state];
    const auto by_checker = [](const Way& way) { return way.judge == Judge::kChecker; };
    if (first_failing_ == nullptr || std::none_of(ways.begin(), ways.end(), by_checker))
      return ways;
    const auto [since, fresh] = since_.try_emplace(at.state, 0);
    if (fresh) since->second = first_failing_(at.state);
    if (at.point.record < since->second) std::erase_if(ways, by_checker);
    return ways;
  }

 private:
  /// What can be told without asking: of a point whose run of failing points does not reach the
  /// last point of its state, and that is at the beginning, before the program had done or promised
  /// anything, or fails by a promise alone.
  void find_innocent() {
    std::vector<size_t> last(ways_.size());
    for (size_t i = 0; i < points_.size(); ++i) last[points_[i].state] = i;
    for (size_t begin = 0; begin < points_.size();) {
      size_t end = begin;
      while (end < points_.size() && !ways_[points_[end].state].empty()) ++end;
      for (size_t i = begin; i < end; ++i) {
        const std::vector<Way>& ways = ways_[points_[i].state];
        const bool promise_alone = std::all_of(ways.begin(), ways.end(), [](const Way& way) {
          return way.judge == Judge::kAcknowledged;
        });
        innocent_[i] = last[points_[i].state] >= end && (begin == 0 || promise_alone);
      }
      begin = end + 1;
    }
  }

  const std::vector<KillStates::Point>& points_;
  const FirstFailing& first_failing_;
  std::vector<std::vector<Way>> ways_;  // by state
  std::vector<bool> innocent_;          // by point
  std::unordered_map<uint32_t, uint64_t> since_;
};

/// Takes the points in the order of the trace.
class ClusterBuilder {
 public:
  ClusterBuilder(const Trace& trace, const SiteOf& site_of)
      : trace_(trace), words_(trace, site_of) {}

  /// At the point AT, its state fails in WAYS (none: it does not); COMPLAINTS are against it.
  void add(const KillStates::Point& at, const std::vector<Way>& ways,
           const std::vector<Complaint>& complaints) {
    follow(at.point.record, ways);
    if (ways.empty()) return;
    // A state is counted once, under its first complaint; the others come from the same crash.
    const Way& first = ways.front();
    const uint64_t opener = open_.at(first);
    const auto [it, fresh] =
        by_key_.try_emplace(cause_key(trace_, words_, opener, first), clusters_.size());
    if (fresh) {
      clusters_.push_back({.key = it->first,
                           .opener = opener,
                           .judge = first.judge,
                           .path = first.path,
                           .effect_fault = fault_of(complaints, first),
                           .example = at.state});
    }
    KillCluster& cluster = clusters_[it->second];
    if (counted_.emplace(it->second, at.state).second) cluster.states.push_back(at.state);
    // The example is judged at the last point that has its state; the cause told is the one there.
    if (at.state == cluster.example) cluster.opener = opener;
    cluster.points.push_back(at.point);
  }

  std::vector<KillCluster> finish() {
    for (KillCluster& cluster : clusters_) {
      const auto end = closed_.find({{cluster.judge, cluster.path}, cluster.opener});
      if (end != closed_.end()) cluster.closer = end->second;
      cluster.window = window_between(trace_, {.opener = cluster.opener,
                                               .closer = cluster.closer,
                                               .cut = !cluster.points.front().whole(),
                                               .judge = cluster.judge,
                                               .path = cluster.path,
                                               .effect_fault = cluster.effect_fault});
    }
    return std::move(clusters_);
  }

 private:
  /// Closes the windows of what does not fail any more after RECORD, and opens those of WAYS.
  void follow(uint64_t record, const std::vector<Way>& ways) {
    std::erase_if(open_, [&](const auto& entry) {
      if (std::find(ways.begin(), ways.end(), entry.first) != ways.end()) return false;
      closed_.emplace(entry, record);
      return true;
    });
    for (const Way& way : ways) open_.try_emplace(way, record);
  }

  const Trace& trace_;
  const CauseWords words_;
  std::vector<KillCluster> clusters_;
  std::map<std::string, size_t> by_key_;
  std::set<std::pair<size_t, uint32_t>> counted_;  // cluster and state
  std::map<Way, uint64_t> open_;  // way of failing -> record that began it, while it goes on
  std::map<std::pair<Way, uint64_t>, uint64_t> closed_;  // and the record that ended it
};

}  // namespace

std::string KillCluster::id() const {
  return short_id_of(key);
}

std::vector<KillCluster> cluster_kill_states(const Trace& trace, const KillStates& kills,
                                             const std::vector<std::vector<Complaint>>& complaints,
                                             const SiteOf& site_of,
                                             const FirstFailing& first_failing) {
  Failures failures(kills, complaints, first_failing);
  ClusterBuilder clusters(trace, site_of);
  for (size_t i = 0; i < kills.points().size(); ++i) {
    const KillStates::Point& at = kills.points()[i];
    clusters.add(at, failures.at(i), complaints[at.state]);
  }
  return clusters.finish();
}

}  // namespace everycrash
