/* Names that move between the state directory and a folder beside it, given as the argument. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static void make(const char* name, const char* text) {
  int file = open(name, O_WRONLY | O_CREAT, 0640);
  CHECK(file >= 0 && write(file, text, strlen(text)) > 0 && close(file) == 0);
}

int main(int argument_count, char** arguments) {
  char outside[4096];
  CHECK(argument_count == 2);
  snprintf(outside, sizeof outside, "%s/moving", arguments[1]);
  make(outside, "from outside");
  make("replaced", "old");
  CHECK(rename(outside, "replaced") == 0);
  make(outside, "linked");
  CHECK(link(outside, "linked") == 0);
  CHECK(rename("linked", outside) == 0); /* the same file: nothing happens */
  CHECK(unlink(outside) == 0);
  CHECK(rename("replaced", outside) == 0);
  CHECK(unlink(outside) == 0);
  return 0;
}
