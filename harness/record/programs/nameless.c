/* O_TMPFILE and the two ways to give such a file a name. */
#include <fcntl.h>
#include <unistd.h>

#include "check.h"

int main(void) {
  int file = open(".", O_TMPFILE | O_WRONLY, 0600);
  CHECK(file >= 0);
  CHECK(write(file, "nameless", 8) == 8);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  CHECK(linkat(AT_FDCWD, path, AT_FDCWD, "by_proc", AT_SYMLINK_FOLLOW) == 0);
  CHECK(link("by_proc", "second") == 0);
  CHECK(unlink("by_proc") == 0);
  CHECK(write(file, "!", 1) == 1);
  return 0;
}
