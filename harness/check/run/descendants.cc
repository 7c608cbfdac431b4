#include "harness/check/run/descendants.h"

#include <dirent.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace everycrash {
namespace {

/// Parent of PROCESS from /proc, 0 if it is gone.
int parent_of(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const size_t name_end = text.rfind(')');  // the name may hold anything, this too
  if (name_end == std::string::npos || name_end + 4 >= text.size()) return 0;
  return std::atoi(text.c_str() + name_end + 4);
}

std::vector<int> descendants() {
  std::multimap<int, int> children;
  DIR* proc = opendir("/proc");
  if (proc == nullptr) return {};
  while (const dirent* entry = readdir(proc)) {
    const int process = std::atoi(entry->d_name);
    if (process > 0) children.emplace(parent_of(process), process);
  }
  closedir(proc);
  std::vector<int> found{getpid()};
  for (size_t at = 0; at < found.size(); ++at) {
    const auto [begin, end] = children.equal_range(found[at]);
    for (auto child = begin; child != end; ++child) found.push_back(child->second);
  }
  found.erase(found.begin());
  return found;
}

}  // namespace

bool adopt_orphans() {
  return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

bool children_left() {
  pid_t reaped;
  do {
    reaped = waitpid(-1, nullptr, WNOHANG | __WALL);
  } while (reaped > 0);
  return reaped == 0;
}

Status kill_descendants() {
  constexpr int kRounds = 1000;
  constexpr int kPauseUs = 5000;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<int> processes = descendants();
    // Stopped first: a process that forks faster than it is killed would escape otherwise.
    for (const int process : processes) kill(process, SIGSTOP);
    for (const int process : processes) kill(process, SIGKILL);
    if (!children_left()) return {};
    usleep(kPauseUs);
  }
  return harness_error(
      "processes that a command left behind cannot be killed; look for them by ps");
}

}  // namespace everycrash
