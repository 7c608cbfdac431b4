/* System calls made without libc. */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "raw_call.h"

int main(void) {
  long file = call(SYS_open, (long)"raw", O_WRONLY | O_CREAT, 0644);
  CHECK(file >= 0);
  CHECK(call(SYS_write, file, (long)"by hand", 7) == 7);
  CHECK(call(SYS_write, -1, (long)"by hand", 7) == -EBADF);
  CHECK(syscall(SYS_fsync, file) == 0);
  return 0;
}
