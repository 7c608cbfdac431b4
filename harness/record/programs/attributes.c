/* Modes, owners, times and extended attributes. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "check.h"

int main(void) {
  int file = open("file", O_RDWR | O_CREAT, 0644);
  CHECK(symlink("file", "link") == 0);
  CHECK(chmod("link", 0600) == 0 && fchmod(file, 0640) == 0);
  CHECK(fchmodat(AT_FDCWD, "file", 0644, 0) == 0);
  CHECK(chown("file", (uid_t)-1, getgid()) == 0 && fchown(file, getuid(), (gid_t)-1) == 0);
  CHECK(lchown("link", getuid(), getgid()) == 0);
  struct timespec times[2] = {{1000, 5}, {2000, 7}};
  CHECK(utimensat(AT_FDCWD, "file", times, 0) == 0 && futimens(file, times) == 0);
  CHECK(utimensat(AT_FDCWD, "link", times, AT_SYMLINK_NOFOLLOW) == 0);
  struct utimbuf both = {3, 4};
  CHECK(utime("file", &both) == 0);
  if (setxattr("file", "user.colour", "red", 3, 0) != 0) {
    CHECK(errno == ENOTSUP || errno == EPERM);
    puts("no attributes here");
    return 0;
  }
  CHECK(fsetxattr(file, "user.size", "big", 3, 0) == 0);
  CHECK(removexattr("file", "user.colour") == 0);
  return 0;
}
