/* exec with an empty environment, and with LD_PRELOAD of the program's own. */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void run(char** environment, const char* script) {
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    char* arguments[] = {"sh", "-c", (char*)script, NULL};
    execve("/bin/sh", arguments, environment);
    _exit(1);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main(void) {
  char* nothing[] = {NULL};
  char* own[] = {"A=1", "LD_PRELOAD=libm.so.6", NULL};
  run(nothing, "echo empty > empty");
  run(NULL, "echo null > null");
  run(own, "case $LD_PRELOAD in *libm.so.6) echo own > own;; esac");
  CHECK(access("own", F_OK) == 0);
  CHECK_FAILS(execve("/no/such/program", nothing, nothing), ENOENT);
  CHECK_FAILS(execve("/etc/passwd", nothing, nothing), EACCES);
  return 0;
}
