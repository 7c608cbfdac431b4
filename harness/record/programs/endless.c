/* Writes numbers until it is killed. */
#include <fcntl.h>
#include <unistd.h>

#include "check.h"

int main(void) {
  int file = open("numbers", O_WRONLY | O_CREAT | O_APPEND, 0644);
  for (long i = 0;; ++i) {
    char text[32];
    int size = snprintf(text, sizeof text, "%ld\n", i);
    CHECK(write(file, text, (size_t)size) == size);
  }
}
