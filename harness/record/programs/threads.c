/* Threads that write at the same time, to files of their own and to one that all append to. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"

enum { kThreads = 8, kWrites = 100 };
static int shared;

static void* work(void* argument) {
  char name[16];
  snprintf(name, sizeof name, "own%d", (int)(long)argument);
  int own = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  CHECK(own >= 0);
  for (int i = 0; i < kWrites; ++i) {
    CHECK(write(own, name, 4) == 4);
    CHECK(write(shared, name, 4) == 4);
  }
  CHECK(close(own) == 0);
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  shared = open("shared", O_WRONLY | O_CREAT | O_APPEND, 0644);
  CHECK(shared >= 0);
  for (long i = 0; i < kThreads; ++i) {
    CHECK(pthread_create(&threads[i], NULL, work, (void*)i) == 0);
  }
  for (int i = 0; i < kThreads; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
  return 0;
}
