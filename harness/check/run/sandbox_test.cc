#include "harness/check/run/sandbox.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <fstream>
#include <thread>

#include "harness/base/folder_for_test.h"

namespace everycrash {
namespace {

using testing::HasSubstr;
using How = Ending::How;

constexpr int kLimitMs = 10'000;
constexpr uid_t kNobody = 65534;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// How the tests run: with all that the machine allows, or plain.
class SandboxTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { std::filesystem::create_directory(recorded_); }

  SandboxOptions options() { return {recorded_, base_ / "worker", GetParam()}; }

  void start() {
    Result<std::unique_ptr<Sandbox>> started = Sandbox::start(options());
    ASSERT_TRUE(started) << started.error().message;
    sandbox_ = std::move(*started);
  }

  CommandRun shell(const std::string& script, int limit_ms = kLimitMs,
                   const std::string& program = "/bin/sh") {
    if (!sandbox_) start();
    Result<CommandRun> run = sandbox_->run(make_command({program, "-c", script}, "/"), limit_ms);
    EXPECT_TRUE(run) << run.error().message;
    return run ? *run : CommandRun{};
  }

  bool contained() {
    if (!sandbox_) start();
    return sandbox_->capabilities().pid_namespace;
  }

  FolderForTest base_;
  std::filesystem::path recorded_ = base_ / "recorded";
  std::unique_ptr<Sandbox> sandbox_;
};

INSTANTIATE_TEST_SUITE_P(, SandboxTest, testing::Values(false, true),
                         [](const auto& each) { return each.param ? "plain" : "contained"; });

TEST_P(SandboxTest, HasANetworkOfItsOwnWithOneListener) {
  SandboxOptions wanted = options();
  wanted.listen_port = 8025;
  Result<std::unique_ptr<Sandbox>> started = Sandbox::start(wanted);
  ASSERT_TRUE(started) << started.error().message;
  sandbox_ = std::move(*started);
  const int listener = sandbox_->take_listener();
  if (!sandbox_->capabilities().network_namespace) {
    EXPECT_EQ(listener, -1);
    return;
  }
  EXPECT_GE(listener, 0);
  const CommandRun connects = shell("exec 3<>/dev/tcp/127.0.0.1/8025", kLimitMs, "/bin/bash");
  EXPECT_TRUE(connects.ending.succeeded()) << connects.output;
  const CommandRun elsewhere = shell("exec 3<>/dev/tcp/127.0.0.1/8026", kLimitMs, "/bin/bash");
  EXPECT_FALSE(elsewhere.ending.succeeded());
  close(listener);
}

TEST_P(SandboxTest, passes_on_exit_status_and_output) {
  const CommandRun run = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(run.ending.how, How::kExited);
  EXPECT_EQ(run.ending.value, 3);
  EXPECT_EQ(run.output, "out\nerr\n");
}

TEST_P(SandboxTest, runs_in_the_tree_and_changes_it) {
  const CommandRun run = shell("pwd; echo hello > new");
  EXPECT_EQ(run.output, sandbox_->directory().string() + "\n");
  EXPECT_EQ(read_file(sandbox_->tree() / "new"), "hello\n");
}

TEST_P(SandboxTest, puts_the_tree_at_the_recorded_path_where_it_can) {
  start();
  EXPECT_EQ(sandbox_->capabilities().recorded_path, sandbox_->directory() == recorded_);
  shell("echo hello > new");
  EXPECT_FALSE(std::filesystem::exists(recorded_ / "new"));
  EXPECT_EQ(sandbox_->capabilities().explanation.empty(), sandbox_->capabilities().recorded_path);
}

TEST_P(SandboxTest, tells_an_abort_and_a_kill_of_itself) {
  EXPECT_EQ(shell("kill -ABRT $$").ending.value, SIGABRT);
  const CommandRun run = shell("kill -KILL $$");
  EXPECT_EQ(run.ending.how, How::kSignaled);
  EXPECT_EQ(run.ending.value, SIGKILL);
}

TEST_P(SandboxTest, starts_commands_with_default_signal_handling) {
  signal(SIGPIPE, SIG_IGN);
  const CommandRun run = shell("grep -E 'Sig(Blk|Ign)' /proc/self/status | cut -f 2");
  signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(run.output, "0000000000000000\n0000000000000000\n");
}

TEST_P(SandboxTest, ends_what_runs_too_long) {
  const auto before = std::chrono::steady_clock::now();
  const CommandRun run = shell("trap '' TERM; echo started; while :; do sleep 1; done", 300);
  EXPECT_EQ(run.ending.how, How::kTimedOut);
  EXPECT_EQ(run.output, "started\n");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
}

TEST_P(SandboxTest, names_why_a_command_cannot_start) {
  start();
  Result<CommandRun> run = sandbox_->run(make_command({"/missing"}, "/"), kLimitMs);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->ending.how, How::kNotStarted);
  EXPECT_EQ(run->ending.value, ENOENT);
  run = sandbox_->run(make_command({"/etc/passwd"}, "/"), kLimitMs);
  EXPECT_EQ(run->ending.value, EACCES);
  EXPECT_EQ(shell("exit 0").ending.value, 0) << "the sandbox goes on";
}

TEST_P(SandboxTest, looks_programs_up_in_the_path) {
  start();
  Result<CommandRun> run = sandbox_->run(make_command({"true"}, "/"), kLimitMs);
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->ending.succeeded());
}

TEST_P(SandboxTest, kills_daemons_that_a_command_leaves) {
  const CommandRun run = shell(
      "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do"
      " setsid sh -c 'while :; do touch alive; sleep 0.02; done' & done; exit 0");
  EXPECT_TRUE(run.ending.succeeded());
  EXPECT_TRUE(run.left_processes);
  std::filesystem::remove(sandbox_->tree() / "alive");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(std::filesystem::exists(sandbox_->tree() / "alive"));
}

TEST_P(SandboxTest, does_not_blame_a_child_that_ends_soon_after) {
  EXPECT_FALSE(shell("sleep 0.02 & exit 0").left_processes);
}

TEST_P(SandboxTest, keeps_both_ends_of_much_output) {
  const CommandRun run = shell("echo first; yes | head -c 1000000; echo last");
  EXPECT_TRUE(run.ending.succeeded());
  EXPECT_THAT(run.output, testing::StartsWith("first\n"));
  EXPECT_THAT(run.output, testing::EndsWith("last\n"));
  EXPECT_LT(run.output.size(), 70'000u);
}

TEST_P(SandboxTest, forbids_writing_beside_the_tree_and_in_the_system) {
  start();
  if (!sandbox_->capabilities().writes_contained) GTEST_SKIP() << "not on this machine";
  // Not the one below /dev/shm only: its throw-away layer takes writes there, and forgets them.
  const std::filesystem::path home = std::filesystem::current_path() / "everycrash-outside";
  shell("echo x > " + home.string() + "; echo x > /etc/everycrash-outside; echo x > " +
        (base_ / "outside").string());
  EXPECT_FALSE(std::filesystem::exists(home));
  EXPECT_FALSE(std::filesystem::exists("/etc/everycrash-outside"));
  EXPECT_FALSE(std::filesystem::exists(base_ / "outside"));
  EXPECT_EQ(shell("echo x > inside").ending.value, 0);
}

TEST_P(SandboxTest, gives_each_command_an_empty_place_for_temporary_files) {
  const std::string write = "f=$(mktemp) && echo x > $f && ls ${TMPDIR:-/tmp} | grep -c tmp";
  const CommandRun run = shell(write + "; echo y > ${TMPDIR:-/tmp}/everycrash-left");
  EXPECT_TRUE(run.ending.succeeded()) << run.output;
  EXPECT_TRUE(run.left_files);
  EXPECT_FALSE(std::filesystem::exists("/tmp/everycrash-left"));
  const CommandRun second = shell("test ! -e ${TMPDIR:-/tmp}/everycrash-left; echo z > again");
  EXPECT_TRUE(second.ending.succeeded()) << second.output;
  EXPECT_FALSE(second.left_files);
  EXPECT_EQ(read_file(sandbox_->tree() / "again"), "z\n") << "the tree is still in place";
}

TEST_P(SandboxTest, shows_files_of_everycrash_at_their_own_path) {
  start();
  std::ofstream(sandbox_->files() / "stdout") << "printed";
  EXPECT_EQ(shell("cat " + (sandbox_->files() / "stdout").string()).output, "printed");
  std::ofstream(sandbox_->files() / "stdout") << "more printed";
  EXPECT_EQ(shell("cat " + (sandbox_->files() / "stdout").string()).output, "more printed");
}

TEST_P(SandboxTest, gives_a_command_the_same_pids_each_time_and_a_true_proc) {
  if (!contained()) GTEST_SKIP() << "needs a PID namespace";
  Command command = make_command({"/bin/sh", "-c", "echo $$; ls /proc | grep -c '^[0-9]'"}, "/");
  command.own_proc = true;
  for (int i = 0; i < 2; ++i) {
    Result<CommandRun> run = sandbox_->run(command, kLimitMs);
    ASSERT_TRUE(run);
    EXPECT_THAT(run->output, testing::AnyOf("2\n4\n", "2\n3\n"));
  }
}

TEST_P(SandboxTest, gives_the_same_pids_whatever_became_of_the_command_before) {
  if (!contained()) GTEST_SKIP() << "needs a PID namespace";
  const std::string pids = "echo $$; sh -c 'echo $$; true'; sh -c 'echo $$; true' & wait";
  const std::string before[] = {"true",
                                "for i in 1 2 3; do /bin/true; done",
                                "kill -9 1; kill -STOP 1",
                                "sleep 30 &",
                                "kill -9 $$",
                                "sleep 30"};
  for (const std::string& command : before) {
    ASSERT_TRUE(sandbox_->run(make_command({"/bin/sh", "-c", command}, "/"), 300)) << command;
    EXPECT_EQ(shell(pids).output, "2\n3\n4\n") << command;
  }
}

TEST_P(SandboxTest, takes_an_own_proc_away_from_a_command_that_is_ended) {
  if (!contained()) GTEST_SKIP() << "needs a PID namespace";
  Command command = make_command({"/bin/sleep", "10"}, "/");
  command.own_proc = true;
  ASSERT_TRUE(sandbox_->run(command, 50));
  EXPECT_EQ(shell("test -r /proc/self/status").ending.value, 0);
}

TEST_P(SandboxTest, interrupts_what_runs) {
  start();
  std::thread interrupter([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    sandbox_->cancel();
  });
  Result<CommandRun> run = sandbox_->run(make_command({"/bin/sleep", "30"}, "/"), 60'000);
  interrupter.join();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::kInterrupted);
}

TEST_P(SandboxTest, leaves_nothing_when_everycrash_itself_is_killed) {
  const std::filesystem::path alive = base_ / "worker/tree/alive";
  const int child = fork();
  if (child == 0) {
    Result<std::unique_ptr<Sandbox>> started = Sandbox::start(options());
    if (!started) _exit(1);
    (void)(*started)->run(
        make_command({"/bin/sh", "-c", "while :; do touch alive; sleep 0.02; done"}, "/"), 60'000);
    _exit(1);
  }
  for (int i = 0; i < 500 && !std::filesystem::exists(alive); ++i) usleep(10'000);
  ASSERT_TRUE(std::filesystem::exists(alive));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::filesystem::remove(alive);
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  EXPECT_FALSE(std::filesystem::exists(alive));
}

TEST_P(SandboxTest, works_for_an_ordinary_user) {
  if (geteuid() != 0) GTEST_SKIP() << "the other tests did this already";
  std::filesystem::create_directory(base_ / "worker");
  for (const auto& path : {base_.path(), recorded_, base_ / "worker"}) {
    ASSERT_EQ(chown(path.c_str(), kNobody, kNobody), 0);
  }
  const int child = fork();
  if (child == 0) {
    if (setgroups(0, nullptr) != 0 || setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(10);
    start();
    if (!sandbox_) _exit(11);
    const CommandRun run =
        shell("mkdir d; echo x > d/f; chmod 000 d; cat d/f 2>/dev/null && exit 9; id -u");
    if (run.output != "65534\n") _exit(12);
    if (!GetParam() && !sandbox_->capabilities().recorded_path) _exit(13);
    sandbox_.reset();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  chmod((base_ / "worker/tree/d").c_str(), 0700);
}

/// Refuses from now on what the usual seccomp profile of containers refuses to a process without
/// capabilities: new namespaces and mounts.
bool refuse_namespaces() {
  constexpr auto kCall = static_cast<uint32_t>(offsetof(struct seccomp_data, nr));
  constexpr auto kFlags = static_cast<uint32_t>(offsetof(struct seccomp_data, args));
  constexpr uint32_t kNewNamespaces = CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID;
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kCall),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 5, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mount, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kFlags),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kNewNamespaces, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
  };
  const struct sock_fprog filter = {std::size(program), program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST_P(SandboxTest, does_without_namespaces_where_a_container_refuses_them) {
  const int child = fork();
  if (child == 0) {
    if (!refuse_namespaces()) _exit(10);
    start();
    if (!sandbox_) _exit(11);
    const Capabilities& can = sandbox_->capabilities();
    if (can.mount_namespace || can.pid_namespace || can.recorded_path) _exit(12);
    if (can.explanation.find(GetParam() ? "as asked" : "Operation not permitted") ==
        std::string::npos) {
      _exit(13);
    }
    const CommandRun run = shell("setsid sleep 60 & echo x > f; pwd");
    if (!run.left_processes || run.output != sandbox_->tree().string() + "\n") _exit(14);
    sandbox_.reset();
    _exit(HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_P(SandboxTest, gets_along_without_a_folder_at_the_recorded_path) {
  recorded_ = "/everycrash-missing/state";
  const CommandRun run = shell("echo hello > new; pwd");
  EXPECT_EQ(run.output, sandbox_->tree().string() + "\n");
  EXPECT_FALSE(sandbox_->capabilities().recorded_path);
  EXPECT_THAT(sandbox_->capabilities().explanation, HasSubstr(sandbox_->tree().string()));
  EXPECT_EQ(read_file(sandbox_->tree() / "new"), "hello\n");
  EXPECT_FALSE(std::filesystem::exists("/everycrash-missing"));
}

TEST_P(SandboxTest, makes_a_missing_recorded_path_below_the_throw_away_layers) {
  recorded_ = "/tmp/everycrash-missing/state";
  start();
  if (!sandbox_->capabilities().temporary_layer) GTEST_SKIP() << "needs overlays";
  EXPECT_EQ(sandbox_->directory(), recorded_);
  EXPECT_TRUE(shell("echo hello > new").ending.succeeded());
  EXPECT_EQ(read_file(sandbox_->tree() / "new"), "hello\n");
  EXPECT_FALSE(std::filesystem::exists("/tmp/everycrash-missing"));
}

TEST_P(SandboxTest, survives_a_fork_bomb) {
  const CommandRun run = shell(
      "bomb() { for i in 1 2 3; do (sleep 0.01; test $1 -gt 2 || bomb $(($1 + 1))) & done; }; "
      "bomb 0; sleep 60",
      400);
  EXPECT_EQ(run.ending.how, How::kTimedOut);
  EXPECT_TRUE(shell("exit 0").ending.succeeded());
}

}  // namespace
}  // namespace everycrash
