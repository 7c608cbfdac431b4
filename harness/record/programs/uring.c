/* io_uring is answered as by a kernel without it. */
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

int main(void) {
  char parameters[256] = {0};
  CHECK_FAILS(syscall(SYS_io_uring_setup, 8, parameters), ENOSYS);
  return 0;
}
