#include "harness/check/run/containment.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/mount.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

// Since glibc 2.36 <sys/mount.h> has these too; the calls are made by number so that older ones do.
namespace everycrash {
namespace {

constexpr std::array kTemporaryFolders = {"/tmp", "/var/tmp", "/dev/shm"};

tl::unexpected<Error> unavailable(const std::string& what) {
  return fail(ErrorKind::kUnavailable, fmt::format("{}: {}", what, strerror(errno)));
}

bool write_file(const char* path, const std::string& text) {
  const int descriptor = open(path, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool done = write(descriptor, text.data(), text.size()) == ssize_t(text.size());
  close(descriptor);
  return done;
}

int set_read_only(int descriptor, const char* path, unsigned flags, bool read_only) {
  struct mount_attr attributes {};
  (read_only ? attributes.attr_set : attributes.attr_clr) = MOUNT_ATTR_RDONLY;
  return static_cast<int>(
      syscall(SYS_mount_setattr, descriptor, path, flags, &attributes, sizeof(attributes)));
}

/// True if INNER is OUTER or below it.
bool is_within(const std::filesystem::path& inner, const std::filesystem::path& outer) {
  const std::string text = inner.lexically_normal().string();
  const std::string prefix = outer.lexically_normal().string();
  return text == prefix || text.starts_with(prefix == "/" ? prefix : prefix + "/");
}

}  // namespace

bool make_folders(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return std::filesystem::is_directory(folder, error);
}

Containment::~Containment() {
  for (const int descriptor : {tree_, files_, scratch_}) {
    if (descriptor >= 0) close(descriptor);
  }
}

Status Containment::enter() {
  Status entered = enter_namespaces();
  if (entered) entered = make_all_read_only();
  if (entered) entered = build();
  if (!entered) return entered;
  capabilities_.pid_namespace = places_.own_processes;
  capabilities_.mount_namespace = true;
  capabilities_.writes_contained = true;
  return {};
}

Status Containment::enter_namespaces() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  prctl(PR_SET_DUMPABLE, 1);  // after a setuid() the files below would belong to root
  if (unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return unavailable("unshare");
    if (!write_file("/proc/self/uid_map", fmt::format("{0} {0} 1", user)) ||
        !write_file("/proc/self/setgroups", "deny") ||
        !write_file("/proc/self/gid_map", fmt::format("{0} {0} 1", group))) {
      return unavailable("cannot map the user into a user namespace");
    }
    capabilities_.user_namespace = true;
  }
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return unavailable("cannot make mounts private");
  }
  if (places_.own_network) enter_network();
  return {};
}

/// Without one the others are of use all the same.
void Containment::enter_network() {
  if (unshare(CLONE_NEWNET) != 0) {
    capabilities_.explanation = fmt::format(
        "commands share this machine's network, since no network namespace can be made ({})",
        strerror(errno));
    return;
  }
  ifreq loopback{};
  std::strcpy(loopback.ifr_name, "lo");
  const int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  loopback.ifr_flags = IFF_UP | IFF_RUNNING;
  capabilities_.network_namespace = control >= 0 && ioctl(control, SIOCSIFFLAGS, &loopback) == 0;
  if (!capabilities_.network_namespace) {
    capabilities_.explanation =
        fmt::format("commands have no network, since their loopback cannot be brought up ({})",
                    strerror(errno));
  }
  if (control >= 0) close(control);
}

Status Containment::make_all_read_only() {
  tree_ = open(places_.tree.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  files_ = open(places_.files.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (tree_ < 0 || files_ < 0) return unavailable("cannot open the worker's folders");
  if (set_read_only(AT_FDCWD, "/", AT_RECURSIVE, true) != 0) {
    return unavailable("cannot make the file system read-only for commands");
  }
  // Programs write to their own files below /proc/self.
  set_read_only(AT_FDCWD, "/proc", 0, false);
  return {};
}

Status Containment::build() {
  if (mount("everycrash", places_.scratch.c_str(), "tmpfs", MS_NOSUID | MS_NODEV,
            "mode=0755,size=2g") != 0) {
    return unavailable("cannot mount a tmpfs");
  }
  mounted_.push_back(places_.scratch.string());
  scratch_ = open(places_.scratch.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  capabilities_.temporary_layer = true;
  int number = 0;
  for (const char* folder : kTemporaryFolders) {
    if (is_within(folder, places_.recorded)) continue;
    if (!add_layer({folder, std::to_string(number++)})) capabilities_.temporary_layer = false;
  }
  Status attached = attach(files_, places_.files);
  if (!attached) return attached;
  put_tree_in_place();
  if (directory_ == places_.tree) {
    attached = attach(tree_, places_.tree);
    if (!attached) return attached;
  }
  if (!capabilities_.temporary_layer && capabilities_.explanation.empty()) {
    capabilities_.explanation = fmt::format(
        "commands cannot write to /tmp, since this kernel allows no overlay there; TMPDIR is {}",
        (places_.files / "tmp").string());
  }
  clean_ = usage();
  return {};
}

Status Containment::add_layer(const Layer& layer) {
  struct stat info {};
  if (lstat(layer.directory.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return {};
  const std::string base = fmt::format("/proc/self/fd/{}/{}", scratch_, layer.name);
  const std::string upper = base + ".upper";
  const std::string work = base + ".work";
  if (mkdir(upper.c_str(), 0755) != 0 || mkdir(work.c_str(), 0755) != 0 ||
      chmod(upper.c_str(), info.st_mode & 07777) != 0) {
    return unavailable("cannot make a throw-away layer");
  }
  const std::string options =
      fmt::format("lowerdir={},upperdir={},workdir={}{}", layer.directory, upper, work,
                  capabilities_.user_namespace ? ",userxattr" : "");
  if (mount("everycrash", layer.directory.c_str(), "overlay", MS_NOSUID | MS_NODEV,
            options.c_str()) != 0) {
    return unavailable(fmt::format("cannot put a throw-away layer over {}", layer.directory));
  }
  mounted_.push_back(layer.directory);
  return {};
}

Status Containment::attach(int source, const std::filesystem::path& target) {
  const int copy = static_cast<int>(
      syscall(SYS_open_tree, source, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
  if (copy < 0) return unavailable("cannot clone a mount");
  const bool done =
      set_read_only(copy, "", AT_EMPTY_PATH, false) == 0 &&
      syscall(SYS_move_mount, copy, "", AT_FDCWD, target.c_str(), MOVE_MOUNT_F_EMPTY_PATH) == 0;
  const int error = errno;
  close(copy);
  errno = error;
  if (!done) return unavailable(fmt::format("cannot mount on {}", target.string()));
  mounted_.push_back(target.string());
  return {};
}

void Containment::put_tree_in_place() {
  const bool usable = places_.recorded.is_absolute() && places_.recorded != "/" &&
                      !is_within(places_.tree, places_.recorded) &&
                      !is_within(places_.recorded, places_.tree);
  Status done = usable && make_folders(places_.recorded)
                    ? attach(tree_, places_.recorded)
                    : fail(ErrorKind::kUnavailable, "it does not exist here");
  capabilities_.recorded_path = done.has_value();
  if (done) {
    directory_ = places_.recorded;
  } else {
    capabilities_.explanation = fmt::format(
        "commands see the state directory as {} instead of {} ({}); create the latter as an "
        "empty folder if paths inside the files matter",
        places_.tree.string(), places_.recorded.string(), done.error().message);
  }
}

Containment::Usage Containment::usage() const {
  struct statfs info {};
  if (scratch_ < 0 || fstatfs(scratch_, &info) != 0) return {};
  return {info.f_bfree, info.f_ffree};
}

bool Containment::dirty() const {
  return capabilities_.mount_namespace && usage() != clean_;
}

Status Containment::renew() {
  for (auto mount = mounted_.rbegin(); mount != mounted_.rend(); ++mount) {
    if (umount2(mount->c_str(), MNT_DETACH) != 0) {
      return unavailable(fmt::format("cannot unmount {}", *mount));
    }
  }
  mounted_.clear();
  close(scratch_);
  scratch_ = -1;
  return build();
}

}  // namespace everycrash
