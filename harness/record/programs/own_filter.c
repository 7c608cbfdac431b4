// A program with a system call filter and a handler of SIGSYS of its own, as a sandbox has: the
// calls that its filter traps are its handler's affair, all others go on as ever.
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { kAnswer = 4711, kTag = 7 };

static volatile int calls;

static void answer(int signal, siginfo_t* info, void* context) {
  (void)signal;
  if (info->si_errno == kTag && info->si_syscall == SYS_getpriority) ++calls;
  ((ucontext_t*)context)->uc_mcontext.gregs[REG_RAX] = kAnswer;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO};
  if (sigaction(SIGSYS, &action, NULL) != 0) return 1;
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpriority, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP | kTag),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 2;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) return 3;
  if (syscall(SYS_getpriority, 0, 0) != kAnswer || calls != 1) return 4;
  const int file = open("own_filter", O_WRONLY | O_CREAT, 0644);
  if (file < 0 || write(file, "kept", 4) != 4) return 5;
  return calls == 1 ? 0 : 6;
}
