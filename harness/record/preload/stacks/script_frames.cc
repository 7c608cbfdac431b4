#include "harness/record/preload/stacks/script_frames.h"

#include <limits.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "harness/record/preload/core/raw_call.h"
#include "harness/record/preload/stacks/bash_frames.h"
#include "harness/record/preload/stacks/image_symbols.h"
#include "harness/record/preload/stacks/python_frames.h"
#include "harness/trace/checksum.h"

namespace everycrash::preload {

namespace {

using format::ScriptLanguage;

constinit ScriptLanguage language = ScriptLanguage::kNone;
constinit Bash bash;
constinit Python python;
constinit uint64_t python_runtime = 0;  // _PyRuntime

constinit FrameText text;
constinit PythonFrame frames[format::kScriptFramesMax];
constinit size_t frame_count = 0;

// ".../python3.11", "libpython3.11.so.1.0": 11; 0 if it is no such name.
unsigned minor_of(Text path) {
  constexpr Text kName = {"python3.", 8};
  for (size_t at = path.size; at-- > 0 && path.data[at] != '/';) {
    if (!starts_with(Text{path.data + at, path.size - at}, kName)) continue;
    unsigned minor = 0;
    for (size_t i = at + kName.size; i < path.size && minor < 100; ++i) {
      if (path.data[i] < '0' || path.data[i] > '9') break;
      minor = minor * 10 + static_cast<unsigned>(path.data[i] - '0');
    }
    return minor;
  }
  return 0;
}

unsigned python_minor(Text path, const Image& image) {
  unsigned long version = 0;
  const uint64_t at = find_symbol(image, "Py_Version");  // since 3.11: 0x030b02f0
  if (at == 0) return minor_of(path);
  if (!read_live_memory(&version, at, sizeof version) || version >> 24 != 3) return 0;
  return version >> 16 & 0xff;
}

bool find_python(Text path, const Image& image) {
  python_runtime = find_symbol(image, "_PyRuntime");
  python.code_type = find_symbol(image, "PyCode_Type");
  python.unicode_type = find_symbol(image, "PyUnicode_Type");
  if (python_runtime == 0 || python.code_type == 0 || python.unicode_type == 0) return false;
  python.layout = python_layout(python_minor(path, image));
  if (python.layout == nullptr) return false;
  language = ScriptLanguage::kPython;
  return true;
}

bool is_python_library(Text path) {
  size_t start = path.size;
  while (start > 0 && path.data[start - 1] != '/') --start;
  return starts_with(Text{path.data + start, path.size - start}, text_of("libpython3."));
}

bool look_at_image(Text path, const Image& image) {
  const bool is_program = path.size == 0;
  if (!is_program) return is_python_library(path) && find_python(path, image);
  Buffer<512> executable;
  const long size = raw_call(SYS_readlink, to_long("/proc/self/exe"), to_long(executable.data),
                             sizeof executable.data - 1);
  if (size > 0) executable.size = static_cast<size_t>(size);
  if (find_python(executable.text(), image)) return true;
  if (!find_bash(image, bash)) return false;
  language = ScriptLanguage::kShell;
  return true;
}

uint64_t self_id() {
  uint64_t self = 0;
  asm("mov %%fs:0x10, %0" : "=r"(self));
  return self;
}

// The PyThreadState of this thread, or 0: it is kept under a key of the interpreter's own, also
// while the thread has given up the interpreter's lock.
uint64_t python_thread() {
  struct Key {
    int32_t in_use;
    uint32_t key;
  } key = {};
  if (!read_live_memory(&key, python_runtime + python.layout->thread_key, sizeof key)) return 0;
  if (key.in_use != 1 || key.key >= PTHREAD_KEYS_MAX) return 0;
  const auto state = reinterpret_cast<uint64_t>(pthread_getspecific(key.key));
  return is_python_thread(read_live_memory, python, state, self_id()) ? state : 0;
}

uint64_t not_zero(uint64_t hash) {
  return hash == 0 ? 1 : hash;
}

uint64_t python_position() {
  const uint64_t thread = python_thread();
  if (thread == 0) return 0;
  frame_count = walk_python(read_live_memory, python, thread, frames, format::kScriptFramesMax);
  return frame_count == 0 ? 0
                          : not_zero(hash_python(read_live_memory, python, frames, frame_count));
}

uint64_t bash_position() {
  text.clear();
  describe_bash(read_live_memory, bash, text);
  return text.count() == 0 ? 0 : not_zero(XXH3_64bits(text.text().data, text.text().size));
}

}  // namespace

void find_interpreter() {
  visit_images(look_at_image);
}

uint64_t script_position() {
  switch (language) {
    case ScriptLanguage::kPython:
      return python_position();
    case ScriptLanguage::kShell:
      return bash_position();
    default:
      return 0;
  }
}

ScriptFrames script_frames() {
  if (language == ScriptLanguage::kPython) {
    text.clear();
    describe_python(read_live_memory, python, frames, frame_count, text);
  }
  return {language, text.text()};
}

}  // namespace everycrash::preload
