/* Every call that syncs, on a file, its folder and a mapping: "syncs [own-hook]". All succeed, and
   what is wrong with a call is said as ever. With "own-hook", this program hooks the faults itself:
   every second question about an fdatasync is answered with yes. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

struct query {
  uint16_t kind;
  const char* path;
  size_t size;
  int64_t bytes;
};
struct order {
  uint32_t what;
  int32_t error;
  int64_t value;
  uint32_t fault;
};
struct hook {
  bool (*plan)(const struct query* query, void* state, struct order* order);
  bool (*fires)(uint32_t fault);
};

enum { kDataSync = 15, kFault = 7, kLose = 3 };

static int questions;

static bool plan(const struct query* query, void* state, struct order* order) {
  order->what = kLose;
  order->fault = kFault;
  return state != NULL && query->kind == kDataSync && query->size == 4 &&
         memcmp(query->path, "file", 4) == 0;
}

static bool fires(uint32_t fault) {
  /* A caught call of the hook's own: it must neither hang nor be the end. */
  int file = open("asked", O_CREAT | O_WRONLY, 0600);
  CHECK(file >= 0 && close(file) == 0 && unlink("asked") == 0);
  return fault == kFault && ++questions % 2 == 0;
}

static void hook_faults(const struct hook* hook) {
  void* (*set)(const struct hook*) = NULL;
  *(void**)&set = dlsym(RTLD_DEFAULT, "everycrash_preload_set_fault_hook");
  CHECK(set != NULL);
  set(hook);
}

int main(int count, char** arguments) {
  static const struct hook hook = {plan, fires};
  int file = open("file", O_CREAT | O_RDWR, 0600);
  int folder = open(".", O_RDONLY | O_DIRECTORY);
  CHECK(file >= 0 && folder >= 0);
  CHECK(write(file, "content", 7) == 7);
  if (count > 1 && strcmp(arguments[1], "own-hook") == 0) {
    hook_faults(&hook);
    for (int i = 0; i < 4; ++i) CHECK(fdatasync(file) == 0);
    hook_faults(NULL);
    CHECK(fdatasync(file) == 0);
    CHECK(questions == 4);
    return 0;
  }
  char* bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(bytes != MAP_FAILED);
  bytes[0] = 'C';
  CHECK(msync(bytes, 4096, MS_SYNC) == 0);
  CHECK(fsync(file) == 0);
  CHECK(fdatasync(file) == 0);
  CHECK(sync_file_range(file, 0, 4096, SYNC_FILE_RANGE_WRITE) == 0);
  CHECK(syscall(SYS_fsync, folder) == 0);
  sync();
  CHECK(syncfs(folder) == 0);
  CHECK_FAILS(sync_file_range(file, 0, 4096, 64), EINVAL);
  CHECK_FAILS(sync_file_range(file, -1, 4096, SYNC_FILE_RANGE_WRITE), EINVAL);
  CHECK_FAILS(msync(bytes, 4096, MS_SYNC | MS_ASYNC), EINVAL);
  int path = open("file", O_PATH);
  CHECK_FAILS(fsync(path), EBADF);
  CHECK_FAILS(fsync(-1), EBADF);
  return 0;
}
