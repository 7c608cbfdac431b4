/* Markers for a workload that wants to name its own crash points and effects.
 *
 *   EVERYCRASH_STEP("mark_done");            a step that crash points can be named after
 *   EVERYCRASH_EFFECT("charge", order_key);  a side effect outside the state directory
 *
 * Each appends one line, with one write, to the file that $EVERYCRASH_EVENTS names: "step
 * mark_done" or "effect charge order-17". Outside everycrash the variable is not set, and they do
 * nothing but look at it. A name, kind or key must not contain a line break; a line is cut after
 * 1000 bytes. Thread-safe; errno is left as it was. For C99 and C++, with nothing to link.
 */
#ifndef EVERYCRASH_EVERYCRASH_H
#define EVERYCRASH_EVERYCRASH_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define EVERYCRASH_STEP(name) everycrash_append_event("step", (name), "")
#define EVERYCRASH_EFFECT(kind, key) everycrash_append_event("effect", (kind), (key))

static inline void everycrash_append_event(const char* what, const char* name, const char* key) {
  const char* file_name = getenv("EVERYCRASH_EVENTS");
  char line[1001];
  int size;
  int file;
  int error = errno;
  if (file_name == NULL || *file_name == '\0') return;
  size = snprintf(line, sizeof line - 1, "%s %s%s%s", what, name, *key != '\0' ? " " : "", key);
  if (size < 0) return;
  if (size > (int)sizeof line - 2) size = (int)sizeof line - 2;
  line[size++] = '\n';
  file = open(file_name, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file >= 0) {
    /* Nobody could do anything about a failure here: the workload's own result counts. */
    ssize_t written = write(file, line, (size_t)size);
    (void)written;
    close(file);
  }
  errno = error;
}

#endif /* EVERYCRASH_EVERYCRASH_H */
