/* Bytes that the kernel moves: sendfile, copy_file_range, splice (also from a pipe that is empty at
   first, whose writer is recorded too). */
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

int main(void) {
  int source = open("source", O_RDWR | O_CREAT, 0644);
  CHECK(write(source, "0123456789", 10) == 10);
  int target = open("target", O_RDWR | O_CREAT, 0644);
  off_t from = 2;
  CHECK(sendfile(target, source, &from, 5) == 5);
  loff_t in = 0;
  loff_t out = 20;
  CHECK(copy_file_range(source, &in, target, &out, 10, 0) == 10);
  int pipes[2];
  CHECK(pipe(pipes) == 0);
  pid_t child = fork();
  if (child == 0) {
    usleep(50000);
    int own = open("child", O_WRONLY | O_CREAT, 0644);
    CHECK(write(own, "x", 1) == 1 && write(pipes[1], "spliced", 7) == 7);
    _exit(0);
  }
  CHECK(splice(pipes[0], NULL, target, NULL, 7, 0) == 7);
  CHECK(waitpid(child, NULL, 0) == child);
  CHECK(lseek(source, 0, SEEK_SET) == 0);
  CHECK(sendfile(1, source, NULL, 10) == 10);
  CHECK(ftruncate(target, 100) == 0 && truncate("source", 3) == 0);
  CHECK(fallocate(target, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) == 0);
  CHECK(sync_file_range(target, 0, 10, SYNC_FILE_RANGE_WRITE) == 0);
  CHECK(fdatasync(target) == 0 && fsync(target) == 0 && syncfs(target) == 0);
  return 0;
}
