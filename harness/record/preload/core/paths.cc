#include "harness/record/preload/core/paths.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "harness/record/preload/core/raw_call.h"
#include "harness/record/preload/core/session.h"

namespace everycrash::preload {

namespace {

constexpr int kLinksMax = 40;  // as the kernel's own limit

bool read_link(int directory, const char* name, Path& target) {
  long size = raw_call(SYS_readlinkat, directory, to_long(name), to_long(target.data),
                       sizeof target.data - 1);
  if (size < 0) return false;
  target.size = static_cast<size_t>(size);
  target.data[size] = 0;
  return true;
}

bool working_directory(Path& absolute) {
  long size = raw_call(SYS_getcwd, to_long(absolute.data), sizeof absolute.data);
  if (size <= 0 || absolute.data[0] != '/') return false;
  absolute.size = static_cast<size_t>(size) - 1;
  return true;
}

bool path_of_base(int directory, Path& absolute) {
  return directory == AT_FDCWD ? working_directory(absolute)
                               : path_of_descriptor(directory, absolute);
}

// The folder PARENT seen from DIRECTORY, by the kernel's own lookup.
bool canonical_folder(int directory, const char* parent, Path& absolute) {
  long folder = raw_call(SYS_openat, directory, to_long(parent), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  bool found = path_of_descriptor(static_cast<int>(folder), absolute);
  raw_call(SYS_close, folder);
  return found;
}

void drop_last_component(Path& path) {
  while (path.size > 0 && path.data[path.size - 1] != '/') --path.size;
  if (path.size > 0) --path.size;
  path.data[path.size] = 0;
}

// Joins as text: for calls that fail because a folder is missing, or when no descriptor is left.
bool join_as_text(int directory, Text name, Path& absolute) {
  absolute.clear();
  if (name.size > 0 && name.data[0] != '/' && !path_of_base(directory, absolute)) return false;
  for (size_t at = 0; at < name.size;) {
    size_t end = at;
    while (end < name.size && name.data[end] != '/') ++end;
    Text part = {name.data + at, end - at};
    if (equal(part, text_of(".."))) {
      drop_last_component(absolute);
    } else if (part.size > 0 && !equal(part, text_of("."))) {
      absolute.add("/");
      absolute.add(part);
    }
    at = end + 1;
  }
  return true;
}

bool is_dots(Text name) {
  return equal(name, text_of(".")) || equal(name, text_of(".."));
}

// Splits off the last component: where NAME's folder is, and where the component begins.
bool locate_folder(int directory, Path& name, size_t start, Path& absolute) {
  if (start == 0) return path_of_base(directory, absolute);
  if (start == 1) {
    absolute.clear();
    return true;  // the root folder; "/" + component is added by the caller
  }
  char first = name.data[start];
  name.data[start] = 0;
  bool found = canonical_folder(directory, name.data, absolute);
  name.data[start] = first;
  return found;
}

}  // namespace

bool path_of_descriptor(int descriptor, Path& absolute) {
  Buffer<64> link;
  link.add("/proc/self/fd/");
  link.add_number(static_cast<unsigned>(descriptor));
  if (!read_link(AT_FDCWD, link.data, absolute) || absolute.data[0] != '/') return false;
  Text deleted = text_of(" (deleted)");
  if (ends_with(absolute.text(), deleted)) {
    struct stat status;
    if (raw_call(SYS_newfstatat, AT_FDCWD, to_long(absolute.data), to_long(&status),
                 AT_SYMLINK_NOFOLLOW) != 0) {
      absolute.size -= deleted.size;
      absolute.data[absolute.size] = 0;
    }
  }
  return true;
}

bool relative_to_root(Text absolute, Path& relative) {
  Text root = {session.header->root, session.header->root_size};
  relative.clear();
  if (!starts_with(absolute, root)) return false;
  if (absolute.size == root.size) return true;
  if (absolute.data[root.size] != '/') return false;
  relative.add(Text{absolute.data + root.size + 1, absolute.size - root.size - 1});
  return true;
}

bool locate(int directory, Path& name, bool follow, Path& absolute, Found& found) {
  for (int links = 0; links <= kLinksMax; ++links) {
    while (name.size > 1 && name.data[name.size - 1] == '/') name.data[--name.size] = 0;
    size_t start = name.size;
    while (start > 0 && name.data[start - 1] != '/') --start;
    Text last = {name.data + start, name.size - start};
    found.exists = raw_call(SYS_newfstatat, directory, to_long(name.data), to_long(&found.status),
                            AT_SYMLINK_NOFOLLOW) == 0;
    if (last.size == 0 || is_dots(last)) {
      return canonical_folder(directory, name.data, absolute) ||
             join_as_text(directory, name.text(), absolute);
    }
    if (!locate_folder(directory, name, start, absolute)) {
      return join_as_text(directory, name.text(), absolute);
    }
    size_t folder_size = absolute.size;
    if (absolute.size != 1) absolute.add("/");
    absolute.add(last);
    if (!follow || !found.exists || !S_ISLNK(found.status.st_mode)) return true;

    Path target;
    if (!read_link(directory, name.data, target)) return true;
    found.through_link = true;
    if (starts_with(absolute.text(), text_of("/proc/"))) {
      // A magic link: its text is a description, and only the kernel can follow it.
      found.exists =
          raw_call(SYS_newfstatat, directory, to_long(name.data), to_long(&found.status), 0) == 0;
      absolute = target;
      return absolute.data[0] == '/';
    }
    name.clear();
    if (target.data[0] != '/') {
      name.add(Text{absolute.data, folder_size});
      name.add("/");
    }
    name.add(target.text());
    directory = AT_FDCWD;
  }
  return true;
}

}  // namespace everycrash::preload
