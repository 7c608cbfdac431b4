/* The markers of everycrash.h, and a line written by hand. */
#include <fcntl.h>
#include <unistd.h>

#include "check.h"
#include "everycrash/everycrash.h"

int main(void) {
  EVERYCRASH_STEP("begin");
  int file = open("work", O_WRONLY | O_CREAT, 0644);
  CHECK(file >= 0);
  EVERYCRASH_EFFECT("charge", "order-17");
  CHECK(write(file, "x", 1) == 1);
  EVERYCRASH_STEP("mark_done");
  return 0;
}
