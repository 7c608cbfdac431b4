/* Linked statically: cannot be recorded, and must be named. */
#include <unistd.h>

int main(void) {
  return write(1, "static\n", 7) == 7 ? 0 : 1;
}
