/* close(2) by its number, as libuv makes it. */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

int main(void) {
  int file = open("closed", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  CHECK(file >= 0);
  CHECK(write(file, "all", 3) == 3);
  CHECK(syscall(SYS_close, file) == 0);
  CHECK(syscall(SYS_close, file) == -1);
  return 0;
}
