/* Writing through a shared mapping. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

enum { kSize = 5 * 4096 };

int main(void) {
  int file = open("mapped", O_RDWR | O_CREAT, 0644);
  CHECK(ftruncate(file, kSize - 100) == 0);
  char* memory = mmap(NULL, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(memory != MAP_FAILED);
  memcpy(memory + 10, "first", 5);
  CHECK(write(1, "one\n", 4) == 4);
  memcpy(memory + 4096 + 10, "second", 6);
  memcpy(memory + 3 * 4096, "third", 5);
  CHECK(msync(memory, kSize, MS_SYNC) == 0);
  CHECK(pwrite(file, "written", 7, 2 * 4096) == 7);
  CHECK(close(file) == 0);
  memcpy(memory + kSize - 105, "fourth ends behind the file", 27);
  CHECK(write(1, "two\n", 4) == 4);
  CHECK(truncate("mapped", 4096) == 0);
  CHECK(write(1, "three\n", 6) == 6);
  memcpy(memory + 20, "fifth", 5);
  CHECK(munmap(memory, kSize) == 0);

  file = open("later", O_RDWR | O_CREAT, 0644);
  CHECK(ftruncate(file, 4096) == 0);
  memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  CHECK(mprotect(memory, 4096, PROT_READ | PROT_WRITE) == 0);
  memcpy(memory, "sixth", 5);

  file = open("grown", O_RDWR | O_CREAT, 0644);
  CHECK(ftruncate(file, 8192) == 0);
  memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(close(file) == 0);
  memory = mremap(memory, 4096, 8192, MREMAP_MAYMOVE);
  CHECK(memory != MAP_FAILED);
  memcpy(memory + 5000, "seventh", 7);
  return 0;
}
