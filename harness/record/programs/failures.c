/* Calls that fail must fail in the same way. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "check.h"

int main(void) {
  char* volatile bad = (char*)16;  // volatile: the compiler must not know where it points
  char longest[5000];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  CHECK(mkdir("folder", 0755) == 0);
  int file = open("file", O_RDWR | O_CREAT, 0644);
  int reader = open("file", O_RDONLY);
  CHECK_FAILS(write(-1, "x", 1), EBADF);
  CHECK_FAILS(write(99, "x", 1), EBADF);
  CHECK_FAILS(write(reader, "x", 1), EBADF);
  CHECK_FAILS(write(file, bad, 10), EFAULT);
  CHECK_FAILS(syscall(SYS_writev, file, bad, 2), EFAULT);
  CHECK_FAILS(pwrite(file, "x", 1, -1), EINVAL);
  CHECK_FAILS(open("missing/file", O_WRONLY | O_CREAT, 0644), ENOENT);
  CHECK_FAILS(open("file/below", O_WRONLY | O_CREAT, 0644), ENOTDIR);
  CHECK_FAILS(open("folder", O_WRONLY), EISDIR);
  CHECK_FAILS(open("file", O_WRONLY | O_CREAT | O_EXCL, 0644), EEXIST);
  CHECK_FAILS(open(bad, O_WRONLY | O_CREAT, 0644), EFAULT);
  CHECK_FAILS(open("", O_WRONLY | O_CREAT, 0644), ENOENT);
  CHECK_FAILS(open(longest, O_WRONLY | O_CREAT, 0644), ENAMETOOLONG);
  CHECK_FAILS(rename("missing", "other"), ENOENT);
  CHECK_FAILS(rename("file", "folder"), EISDIR);
  CHECK_FAILS(unlink("folder"), EISDIR);
  CHECK_FAILS(unlink(bad), EFAULT);
  CHECK_FAILS(rmdir("file"), ENOTDIR);
  CHECK_FAILS(rmdir("folder/."), EINVAL);
  CHECK_FAILS(mkdir("folder", 0755), EEXIST);
  CHECK_FAILS(symlink("x", "file"), EEXIST);
  CHECK_FAILS(link("missing", "x"), ENOENT);
  CHECK_FAILS(ftruncate(reader, 0), EINVAL);
  CHECK_FAILS(truncate("folder", 0), EISDIR);
  CHECK_FAILS(chmod("missing", 0600), ENOENT);
  CHECK_FAILS(fsync(-1), EBADF);
  CHECK_FAILS(close(99), EBADF);
  CHECK_FAILS(dup2(99, 98), EBADF);
  CHECK_FAILS(sigprocmask(77, (sigset_t*)&longest, NULL), EINVAL);
  struct sigaction action = {0};
  CHECK_FAILS(sigaction(SIGKILL, &action, NULL), EINVAL);
  CHECK_FAILS(syscall(SYS_execve, bad, NULL, NULL), EFAULT);
  CHECK(dup(file) == 5); /* no descriptor was left behind */
  return 0;
}
