/* A thread that the program has made without libc, as Go does: what libc keeps for a thread is not
 * where %fs leads in it. It opens "file" and prints whether it could. */
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { kStack = 1 << 20 };

long start_thread(unsigned long flags, void* stack, void* storage);
/* Nothing here may touch what libc keeps for a thread. */
__asm__(
    ".text\n"
    ".globl start_thread\n"
    ".type start_thread, @function\n"
    "start_thread:\n"
    "  mov %rdx, %r8\n"
    "  xor %edx, %edx\n"
    "  xor %r10d, %r10d\n"
    "  mov $56, %eax\n" /* clone */
    "  syscall\n"
    "  test %eax, %eax\n"
    "  jz 1f\n"
    "  ret\n"
    "1:\n"
    "  lea name(%rip), %rdi\n"
    "  mov $0x241, %esi\n" /* O_WRONLY | O_CREAT | O_TRUNC */
    "  mov $0644, %edx\n"
    "  mov $2, %eax\n" /* open */
    "  syscall\n"
    "  lea opened(%rip), %rsi\n"
    "  test %rax, %rax\n"
    "  jns 2f\n"
    "  lea failed(%rip), %rsi\n"
    "2:\n"
    "  mov $7, %edx\n"
    "  mov $1, %edi\n"
    "  mov $1, %eax\n" /* write */
    "  syscall\n"
    "  xor %edi, %edi\n"
    "  mov $231, %eax\n" /* exit_group */
    "  syscall\n"
    ".size start_thread, .-start_thread\n"
    ".section .rodata\n"
    "name: .asciz \"file\"\n"
    "opened: .ascii \"opened\\n\"\n"
    "failed: .ascii \"failed\\n\"\n"
    ".text\n");

int main(void) {
  static char storage[4096] __attribute__((aligned(64)));
  char* stack = mmap(NULL, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(stack != MAP_FAILED);
  const unsigned long flags =
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS;
  CHECK(start_thread(flags, stack + kStack, storage + 2048) > 0);
  for (;;) pause();
}
