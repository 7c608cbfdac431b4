/* Everything that changes names. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"

static void make(const char* name) {
  int file = open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);
  CHECK(file >= 0 && write(file, name, strlen(name)) > 0 && close(file) == 0);
}

int main(void) {
  make("one");
  make("two");
  CHECK(renameat2(AT_FDCWD, "one", AT_FDCWD, "two", RENAME_EXCHANGE) == 0);
  CHECK_FAILS(renameat2(AT_FDCWD, "one", AT_FDCWD, "two", RENAME_NOREPLACE), EEXIST);
  CHECK(renameat2(AT_FDCWD, "one", AT_FDCWD, "three", RENAME_NOREPLACE) == 0);
  CHECK(rename("three", "two") == 0);
  CHECK(mkdir("folder", 0755) == 0);
  CHECK(mkdirat(AT_FDCWD, "folder/inner", 0700) == 0);
  int folder = open("folder", O_RDONLY | O_DIRECTORY);
  CHECK(renameat(AT_FDCWD, "two", folder, "moved") == 0);
  CHECK(symlink("folder", "link") == 0);
  make("link/through");
  CHECK(linkat(folder, "moved", folder, "inner/../again", 0) == 0);
  CHECK(unlinkat(folder, "moved", 0) == 0);
  CHECK(unlinkat(folder, "inner", AT_REMOVEDIR) == 0);
  CHECK(mknod("fifo", S_IFIFO | 0600, 0) == 0);
  struct sockaddr_un address = {AF_UNIX, "socket"};
  int socket_file = socket(AF_UNIX, SOCK_STREAM, 0);
  CHECK(bind(socket_file, (struct sockaddr*)&address, sizeof address) == 0);
  CHECK(fsync(folder) == 0);
  CHECK(rename("folder", "renamed") == 0);
  CHECK(unlink("renamed/through") == 0 && unlink("renamed/again") == 0);
  CHECK(rmdir("renamed") == 0 && unlink("link") == 0);
  return 0;
}
