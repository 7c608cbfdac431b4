/* Reads "state" in every way and prints what came, or the error; reads watch: prints whether a read
   is answered by a signal handler. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "check.h"

static void tell(const char* way, long result) {
  if (result < 0)
    printf("%s: %s\n", way, strerrorname_np(errno));
  else
    printf("%s: %ld\n", way, result);
}

/* A handler that runs on the alternate stack leaves its frame there. */
static void watch(int file) {
  static char stack[1 << 16];
  static char untouched[sizeof stack];
  char byte;
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  CHECK(sigaltstack(&alternate, NULL) == 0);
  memset(stack, 0, sizeof stack);
  CHECK(read(file, &byte, 1) == 1);
  puts(memcmp(stack, untouched, sizeof stack) == 0 ? "not caught" : "caught");
}

int main(int count, char** arguments) {
  char bytes[64];
  char more[64];
  int file = open("state", O_CREAT | O_RDWR, 0600);
  CHECK(write(file, "0123456789", 10) == 10);
  CHECK(lseek(file, 0, SEEK_SET) == 0);
  if (count > 1 && strcmp(arguments[1], "watch") == 0) {
    watch(file);
    return 0;
  }
  tell("read", read(file, bytes, sizeof bytes));
  tell("pread", pread(file, bytes, sizeof bytes, 0));
  struct iovec pieces[] = {{bytes, 8}, {more, sizeof more}};
  CHECK(lseek(file, 0, SEEK_SET) == 0);
  tell("readv", readv(file, pieces, 2));
  tell("preadv", preadv(file, pieces, 2, 0));
  FILE* stream = fopen("state", "r");
  CHECK(stream != NULL);
  tell("fread", ferror(stream) ? -1 : (long)fread(bytes, 1, sizeof bytes, stream));
  CHECK(memcmp(bytes, "0123456789", 4) == 0);
  int other = open("/proc/self/stat", O_RDONLY);
  CHECK(read(other, bytes, sizeof bytes) == sizeof bytes);
  return 0;
}
