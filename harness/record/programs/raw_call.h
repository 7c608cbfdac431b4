/* A system call made without libc. Returns what the kernel does: -errno if it fails. */
#ifndef EVERYCRASH_RECORD_PROGRAMS_RAW_CALL_H
#define EVERYCRASH_RECORD_PROGRAMS_RAW_CALL_H

static long call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
}

#endif
