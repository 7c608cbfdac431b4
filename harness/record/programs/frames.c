/* Functions that no unwinder finds its way through, but by their frame pointers. They make their
 * system calls themselves. */
#include <fcntl.h>
#include <sys/syscall.h>

#include "check.h"
#include "raw_call.h"

static void save(const char* name) {
  long file = call(SYS_open, (long)name, O_WRONLY | O_CREAT, 0644);
  CHECK(file >= 0);
  CHECK(call(SYS_write, file, (long)name, 3) == 3);
  CHECK(call(SYS_close, file, 0, 0) == 0);
}

static void first(void) {
  save("one");
}

static void second(void) {
  save("two");
}

int main(void) {
  first();
  second();
  return 0;
}
