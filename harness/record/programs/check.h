/* What the test programs share: a failed expectation ends the program with a message. */
#ifndef EVERYCRASH_RECORD_PROGRAMS_CHECK_H
#define EVERYCRASH_RECORD_PROGRAMS_CHECK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s (errno: %s)\n", __FILE__, __LINE__, #condition, strerror(errno)); \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#define CHECK_FAILS(call, error) \
  do {                           \
    errno = 0;                   \
    CHECK((call) == -1);         \
    CHECK(errno == (error));     \
  } while (0)

#endif
