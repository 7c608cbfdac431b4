/* posix_spawn: its child shares our memory, blocks all signals and resets all handlers. */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

extern char** environ;

int main(void) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t all;
  sigfillset(&all);
  CHECK(posix_spawn_file_actions_init(&actions) == 0);
  CHECK(posix_spawn_file_actions_addopen(&actions, 5, "spawned", O_WRONLY | O_CREAT, 0600) == 0);
  CHECK(posix_spawn_file_actions_adddup2(&actions, 5, 1) == 0);
  CHECK(posix_spawn_file_actions_addclose(&actions, 5) == 0);
  CHECK(posix_spawnattr_init(&attributes) == 0);
  CHECK(posix_spawnattr_setsigdefault(&attributes, &all) == 0);
  CHECK(posix_spawnattr_setsigmask(&attributes, &all) == 0);
  CHECK(posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) == 0);
  char* arguments[] = {"sh", "-c", "echo from the child", NULL};
  pid_t child = 0;
  CHECK(posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ) == 0);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  char text[32];
  int file = open("spawned", O_RDONLY);
  CHECK(read(file, text, sizeof text) == 15);
  CHECK(posix_spawn(&child, "/no/such/program", NULL, NULL, arguments, environ) == ENOENT);
  return 0;
}
