/* Handlers that write, on a small alternate stack, inside sigsuspend, with everything blocked; and
   SIGSYS believes to be the program's own. */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/select.h>
#include <unistd.h>

#include "check.h"

static int file;
static sigjmp_buf back;

static void on_signal(int number) {
  char digit = (char)('0' + number % 10);
  CHECK(write(file, &digit, 1) == 1);
}

static void jump_out(int number) {
  on_signal(number);
  siglongjmp(back, 1);
}

static void handle(int number, void (*handler)(int)) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK;
  sigfillset(&action.sa_mask);
  CHECK(sigaction(number, &action, NULL) == 0);
}

int main(void) {
  size_t size = getauxval(AT_MINSIGSTKSZ) * 2 + 2048;
  stack_t stack = {0};
  stack.ss_sp = malloc(size);
  stack.ss_size = size;
  CHECK(sigaltstack(&stack, NULL) == 0);
  file = open("signals", O_WRONLY | O_CREAT | O_APPEND, 0644);
  handle(SIGUSR1, on_signal);
  handle(SIGUSR2, jump_out);
  CHECK(raise(SIGUSR1) == 0);

  sigset_t all;
  sigset_t before;
  sigset_t now;
  sigfillset(&all);
  CHECK(sigprocmask(SIG_SETMASK, &all, &before) == 0);
  CHECK(write(file, "blocked", 7) == 7);
  CHECK(sigprocmask(SIG_BLOCK, NULL, &now) == 0);
  CHECK(sigismember(&now, SIGUSR1) && sigismember(&now, SIGTERM));
  CHECK(raise(SIGUSR1) == 0);
  sigset_t only = all;
  sigdelset(&only, SIGUSR1);
  CHECK_FAILS(sigsuspend(&only), EINTR);
  CHECK(raise(SIGUSR1) == 0);
  CHECK_FAILS(ppoll(NULL, 0, NULL, &only), EINTR);
  CHECK(raise(SIGUSR1) == 0);
  CHECK_FAILS(pselect(0, NULL, NULL, NULL, NULL, &only), EINTR);
  CHECK(sigprocmask(SIG_SETMASK, &before, NULL) == 0);

  volatile int jumps = 0;
  sigsetjmp(back, 1);
  if (jumps++ < 20) raise(SIGUSR2);
  CHECK(write(file, "end", 3) == 3);
  CHECK(lseek(file, 0, SEEK_END) == 7 + 4 + 20 + 3);

  struct sigaction action = {0};
  struct sigaction old;
  action.sa_handler = on_signal;
  CHECK(sigaction(SIGSYS, &action, &old) == 0 && old.sa_handler == SIG_DFL);
  CHECK(sigaction(SIGSYS, NULL, &old) == 0 && old.sa_handler == on_signal);
  CHECK(kill(getpid(), SIGSYS) == 0);
  CHECK(lseek(file, 0, SEEK_END) == 7 + 4 + 20 + 3 + 1);
  return 0;
}
