/* fork while another thread writes, vfork with exec, popen, system. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static volatile int stop;

static void* write_on(void* argument) {
  int file = open("busy", O_WRONLY | O_CREAT, 0644);
  (void)argument;
  while (!stop) CHECK(pwrite(file, "busy", 4, 0) == 4);
  close(file);
  return NULL;
}

static int status_of(pid_t child) {
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  return status;
}

int main(void) {
  pthread_t writer;
  CHECK(pthread_create(&writer, NULL, write_on, NULL) == 0);
  for (int i = 0; i < 50; ++i) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      char name[16];
      snprintf(name, sizeof name, "child%d", i);
      int file = open(name, O_WRONLY | O_CREAT, 0644);
      _exit(file >= 0 && write(file, "x", 1) == 1 ? 7 : 1);
    }
    int status = status_of(child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  }
  stop = 1;
  CHECK(pthread_join(writer, NULL) == 0);

  pid_t child = vfork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "echo vfork > by_vfork", (char*)NULL);
    _exit(1);
  }
  CHECK(status_of(child) == 0);
  CHECK(system("echo system > by_system; exit 3") == 3 << 8);
  FILE* pipe = popen("cat > by_popen", "w");
  CHECK(pipe != NULL && fputs("popen\n", pipe) >= 0);
  CHECK(pclose(pipe) == 0);
  return 0;
}
