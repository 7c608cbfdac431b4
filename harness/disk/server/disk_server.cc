// everycrash_diskd MOUNTPOINT BYTES: a disk in memory, as the file MOUNTPOINT/disk, for a loop
// device to stand on. Descriptor 3 is a socket on which everycrash gives commands
// (harness/disk/control.h).
//
// One thread serves both, so that a command sees the disk between two requests. The server ends
// when the socket does, or with the thread that started it, whatever became of that: then the
// kernel answers all requests with errors, and what is mounted on top can be taken down.
#define FUSE_USE_VERSION 312
#include <fcntl.h>
#include <fuse3/fuse_lowlevel.h>
#include <linux/falloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "harness/disk/control.h"
#include "harness/disk/disk_image.h"

namespace everycrash {
namespace {

constexpr int kControl = 3;
constexpr fuse_ino_t kFolder = FUSE_ROOT_ID;
constexpr fuse_ino_t kDisk = 2;
constexpr const char* kDiskName = "disk";
constexpr double kForEver = 1e6;  // seconds that the kernel may believe what it was told

DiskImage& image_of(fuse_req_t request) {
  return *static_cast<DiskImage*>(fuse_req_userdata(request));
}

struct stat describe(const DiskImage& image, fuse_ino_t inode) {
  struct stat info {};
  info.st_ino = inode;
  info.st_nlink = 1;
  info.st_mode = inode == kFolder ? S_IFDIR | 0700 : S_IFREG | 0600;
  if (inode == kDisk) info.st_size = static_cast<off_t>(image.size_bytes());
  return info;
}

void on_lookup(fuse_req_t request, fuse_ino_t parent, const char* name) {
  if (parent != kFolder || std::strcmp(name, kDiskName) != 0) {
    fuse_reply_err(request, ENOENT);
    return;
  }
  fuse_entry_param entry{};
  entry.ino = kDisk;
  entry.attr = describe(image_of(request), kDisk);
  entry.attr_timeout = entry.entry_timeout = kForEver;
  fuse_reply_entry(request, &entry);
}

void on_getattr(fuse_req_t request, fuse_ino_t inode, fuse_file_info*) {
  const struct stat info = describe(image_of(request), inode);
  fuse_reply_attr(request, &info, kForEver);
}

void on_open(fuse_req_t request, fuse_ino_t, fuse_file_info* file) {
  file->direct_io = 1;  // every request of the loop device is to be seen, once
  fuse_reply_open(request, file);
}

void on_read(fuse_req_t request, fuse_ino_t, size_t size, off_t offset, fuse_file_info*) {
  static std::vector<char> buffer;
  const DiskImage& image = image_of(request);
  const auto begin = static_cast<uint64_t>(offset);
  const uint64_t room = begin < image.size_bytes() ? image.size_bytes() - begin : 0;
  buffer.resize(std::min<uint64_t>(size, room));
  image.read(begin, buffer);
  fuse_reply_buf(request, buffer.data(), buffer.size());
}

void on_write(fuse_req_t request, fuse_ino_t, const char* bytes, size_t size, off_t offset,
              fuse_file_info*) {
  image_of(request).write(static_cast<uint64_t>(offset), {bytes, size});
  fuse_reply_write(request, size);
}

void on_fsync(fuse_req_t request, fuse_ino_t, int, fuse_file_info*) {
  image_of(request).flush();
  fuse_reply_err(request, 0);
}

/// Discards and writes of zeros.
void on_fallocate(fuse_req_t request, fuse_ino_t, int mode, off_t offset, off_t length,
                  fuse_file_info*) {
  if ((mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) == 0) {
    fuse_reply_err(request, EOPNOTSUPP);
    return;
  }
  image_of(request).discard(static_cast<uint64_t>(offset), static_cast<uint64_t>(length));
  fuse_reply_err(request, 0);
}

int load(DiskImage& image, const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  image.discard(0, image.size_bytes());
  std::vector<char> bytes(64 * DiskImage::kPageBytes);
  off_t at = 0;
  int error = 0;
  while ((at = lseek(file, at, SEEK_DATA)) >= 0 && error == 0) {
    const ssize_t got = pread(file, bytes.data(), bytes.size(), at);
    if (got < 0) error = errno;
    if (got <= 0) break;
    image.write(static_cast<uint64_t>(at), {bytes.data(), static_cast<size_t>(got)});
    at += got;
  }
  close(file);
  image.make_fresh();
  return error;
}

int write_pages(const DiskImage& image, int file) {
  if (ftruncate(file, static_cast<off_t>(image.size_bytes())) != 0) return errno;
  std::vector<char> bytes(DiskImage::kPageBytes);
  for (const uint64_t page : image.used_pages()) {
    image.read(page * DiskImage::kPageBytes, bytes);
    const ssize_t put =
        pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(page * DiskImage::kPageBytes));
    if (put != static_cast<ssize_t>(bytes.size())) return put < 0 ? errno : ENOSPC;
  }
  return 0;
}

/// The file has no name until it is whole, where the file system has such files: a killed run
/// leaves nothing then.
int save(const DiskImage& image, const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  int file = open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
  const bool nameless = file >= 0;
  if (!nameless) file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  int error = write_pages(image, file);
  if (error == 0 && nameless) {
    unlink(path.c_str());
    const std::string self = "/proc/self/fd/" + std::to_string(file);
    if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      error = errno;
    }
  }
  if (close(file) != 0 && error == 0) error = errno;
  return error;
}

bool send_reply(ControlReply reply, const void* bytes = nullptr, size_t size = 0) {
  reply.length = static_cast<uint32_t>(size);
  return send_all(kControl, &reply, sizeof reply) && (size == 0 || send_all(kControl, bytes, size));
}

/// Answers one command; false when there is nobody to answer to.
bool serve_command(DiskImage& image) {
  ControlRequest request;
  if (!receive_all(kControl, &request, sizeof request)) return false;
  std::string payload(request.length, '\0');
  if (!receive_all(kControl, payload.data(), payload.size())) return false;
  ControlReply reply;
  switch (request.command) {
    case DiskCommand::kHello:
      break;
    case DiskCommand::kMakeFresh:
      image.make_fresh();
      break;
    case DiskCommand::kReset:
      image.reset();
      break;
    case DiskCommand::kStartLog:
      image.start_log();
      break;
    case DiskCommand::kPosition:
      reply.value = image.log().size();
      break;
    case DiskCommand::kLog:
      return send_reply(reply, image.log().data(), image.log().size() * sizeof(DiskRequest));
    case DiskCommand::kBecome:
      reply.digest =
          image.become({reinterpret_cast<const uint8_t*>(payload.data()), payload.size()});
      break;
    case DiskCommand::kLoad:
      reply.error = load(image, payload);
      break;
    case DiskCommand::kSave:
      reply.error = save(image, payload);
      break;
  }
  return send_reply(reply);
}

/// False when the disk is not mounted any more.
bool serve_request(fuse_session* session, fuse_buf& buffer) {
  const int got = fuse_session_receive_buf(session, &buffer);
  if (got == -EINTR || got == -EAGAIN) return true;
  if (got <= 0) return false;
  fuse_session_process_buf(session, &buffer);
  return fuse_session_exited(session) == 0;
}

void serve(fuse_session* session, DiskImage& image) {
  fuse_buf buffer{};
  pollfd wanted[] = {{fuse_session_fd(session), POLLIN, 0}, {kControl, POLLIN, 0}};
  while (poll(wanted, 2, -1) > 0 || errno == EINTR) {
    if (wanted[0].revents != 0 && !serve_request(session, buffer)) break;
    if (wanted[1].revents != 0 && !serve_command(image)) break;
  }
  std::free(buffer.mem);
}

int serve_disk(const char* program, const char* folder, uint64_t size_bytes) {
  DiskImage image(size_bytes);
  fuse_lowlevel_ops operations{};
  operations.lookup = on_lookup;
  operations.getattr = on_getattr;
  operations.open = on_open;
  operations.read = on_read;
  operations.write = on_write;
  operations.fsync = on_fsync;
  operations.fallocate = on_fallocate;
  std::string name(program), option("-o"), settings("fsname=everycrash,subtype=everycrash");
  char* arguments[] = {name.data(), option.data(), settings.data()};
  fuse_args args = FUSE_ARGS_INIT(3, arguments);
  fuse_session* session = fuse_session_new(&args, &operations, sizeof operations, &image);
  if (session == nullptr || fuse_session_mount(session, folder) != 0) return 1;
  serve(session, image);
  fuse_session_unmount(session);
  fuse_session_destroy(session);
  return 0;
}

}  // namespace
}  // namespace everycrash

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: everycrash_diskd MOUNTPOINT BYTES (started by everycrash)\n");
    return 2;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return everycrash::serve_disk(arguments[0], arguments[1],
                                std::strtoull(arguments[2], nullptr, 10));
}
