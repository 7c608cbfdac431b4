/* System calls made without libc. */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

static long call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
}

int main(void) {
  long file = call(SYS_open, (long)"raw", O_WRONLY | O_CREAT, 0644);
  CHECK(file >= 0);
  CHECK(call(SYS_write, file, (long)"by hand", 7) == 7);
  CHECK(call(SYS_write, -1, (long)"by hand", 7) == -EBADF);
  CHECK(syscall(SYS_fsync, file) == 0);
  return 0;
}
