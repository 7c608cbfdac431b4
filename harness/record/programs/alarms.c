/* A storm of timer signals: calls that wait are interrupted as ever, the others are not disturbed.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "check.h"

static volatile int alarms;
static int log_file;

static void on_alarm(int number) {
  (void)number;
  ++alarms;
  CHECK(write(log_file, ".", 1) == 1);
}

static void handle_alarms(int flags) {
  struct sigaction action = {0};
  action.sa_handler = on_alarm;
  action.sa_flags = flags;
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);
}

int main(void) {
  struct itimerval often = {{0, 500}, {0, 500}};
  struct itimerval never = {{0, 0}, {0, 0}};
  int pipes[2];
  char byte = 0;
  CHECK(pipe(pipes) == 0);
  log_file = open("alarms", O_WRONLY | O_CREAT | O_APPEND, 0644);
  int file = open("data", O_WRONLY | O_CREAT, 0644);
  handle_alarms(SA_RESTART);
  CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
  for (int i = 0; i < 20000; ++i) CHECK(write(file, "data", 4) == 4);
  handle_alarms(0);
  CHECK_FAILS(read(pipes[0], &byte, 1), EINTR);
  char block[65536] = {0};
  CHECK(write(pipes[1], block, sizeof block) == sizeof block);
  CHECK_FAILS(write(pipes[1], block, 1), EINTR);
  CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
  CHECK(lseek(file, 0, SEEK_CUR) == 80000);
  CHECK(lseek(log_file, 0, SEEK_END) == alarms && alarms > 5);
  return 0;
}
