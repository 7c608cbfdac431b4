/* loop COUNT [sync]: writes 64 bytes COUNT times, with fdatasync after each if asked, and prints
   the nanoseconds that one round took to standard error. */
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int argument_count, char** arguments) {
  CHECK(argument_count >= 2);
  long count = atol(arguments[1]);
  int file = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  char line[64] = {0};
  CHECK(file >= 0);
  double start = now_ns();
  for (long i = 0; i < count; ++i) {
    CHECK(write(file, line, sizeof line) == sizeof line);
    if (argument_count > 2) CHECK(fdatasync(file) == 0);
  }
  fprintf(stderr, "%.0f\n", (now_ns() - start) / (double)count);
  return 0;
}
