#include "harness/record/preload/stacks/python_frames.h"

#include "harness/trace/checksum.h"

namespace everycrash::preload {

namespace {

constexpr size_t kStepsMax = 256;   // frames that are looked at, shown or not
constexpr size_t kFrameSize = 128;  // of a frame, up to all that is read of it
constexpr size_t kTableMax = 64 * 1024;
constexpr uint64_t kOffsetMax = uint64_t{1} << 28;

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 29;
}

template <typename T>
T field(const unsigned char* bytes, size_t offset) {
  T value;
  memcpy(&value, bytes + offset, sizeof value);
  return value;
}

// Reads the frame at ADDRESS and the address of the one that called it. False if it cannot be read.
// IS_SHOWN tells whether it is a call of a Python function.
bool read_frame(ReadMemory read, const Python& python, uint64_t address, PythonFrame& frame,
                uint64_t& previous, bool& is_shown) {
  const PythonLayout& layout = *python.layout;
  unsigned char bytes[kFrameSize];
  if (!read(bytes, address, layout.instruction + sizeof(uint64_t) * 2)) return false;
  previous = field<uint64_t>(bytes, layout.previous);
  frame.code = field<uint64_t>(bytes, layout.code);
  is_shown = (layout.owner == 0 || bytes[layout.owner] != kOwnedByInterpreter) &&
             read_python_code(read, python, frame.code, frame.about);
  if (!is_shown) return true;
  if (layout.by_index) {
    const auto index = field<int32_t>(bytes, layout.instruction);
    frame.offset = index < 0 ? 0 : static_cast<uint32_t>(index) * layout.index_unit;
    return true;
  }
  const uint64_t offset =
      field<uint64_t>(bytes, layout.instruction) - (frame.code + layout.bytecode);
  // One instruction before its first is where a frame stands that has not begun.
  frame.offset = offset < kOffsetMax ? static_cast<uint32_t>(offset) : 0;
  return true;
}

uint64_t innermost_frame(ReadMemory read, const Python& python, uint64_t state) {
  const PythonLayout& layout = *python.layout;
  uint64_t frame = 0;
  if (!read_object(read, state + layout.frame, frame)) return 0;
  if (!layout.through_c) return frame;
  const uint64_t c_frame = frame;
  return c_frame != 0 && read_object(read, c_frame + layout.c_frame, frame) ? frame : 0;
}

// Line tables are read here: a long one has no place on the stack.
uint8_t table_bytes[kTableMax];

uint32_t line_of(ReadMemory read, const Python& python, const PythonCode& code, uint32_t offset) {
  uint64_t size = 0;
  if (!read_python_bytes(read, code.lines, table_bytes, sizeof table_bytes, size)) return 0;
  const LineTable table = {table_bytes, size < sizeof table_bytes ? size : sizeof table_bytes,
                           code.first_line};
  return python.layout->line_of(table, offset);
}

}  // namespace

bool is_python_thread(ReadMemory read, const Python& python, uint64_t state, uint64_t thread_id) {
  uint64_t found = 0;
  return state != 0 && read_object(read, state + python.layout->thread_id, found) &&
         found == thread_id;
}

size_t walk_python(ReadMemory read, const Python& python, uint64_t state, PythonFrame* frames,
                   size_t max) {
  size_t count = 0;
  uint64_t at = innermost_frame(read, python, state);
  for (size_t steps = 0; at != 0 && count < max && steps < kStepsMax; ++steps) {
    bool is_shown = false;
    if (!read_frame(read, python, at, frames[count], at, is_shown)) break;
    if (is_shown) ++count;
  }
  return count;
}

uint64_t hash_python(ReadMemory read, const Python& python, const PythonFrame* frames,
                     size_t count) {
  uint64_t hash = count;
  for (size_t i = 0; i < count; ++i) {
    const PythonCode& code = frames[i].about;
    hash = mix(mix(hash, frames[i].code), frames[i].offset);
    hash = mix(mix(hash, code.lines), code.first_line);
    hash = mix(hash, identity_of_python_text(read, python, code.file));
    hash = mix(hash, identity_of_python_text(read, python, code.name));
    hash = mix(hash, identity_of_python_bytes(read, code.lines));
  }
  return hash;
}

void describe_python(ReadMemory read, const Python& python, const PythonFrame* frames, size_t count,
                     FrameText& text) {
  for (size_t i = 0; i < count && !text.full(); ++i) {
    const PythonCode& code = frames[i].about;
    PythonText raw;
    char file[FrameText::kFileMax];
    char function[FrameText::kFunctionMax];
    if (!read_python_text(read, python, code.file, raw)) continue;
    const size_t file_size = to_utf8(raw, file, sizeof file);
    if (!read_python_text(read, python, code.name, raw)) continue;
    const size_t function_size = to_utf8(raw, function, sizeof function);
    text.add(line_of(read, python, code, frames[i].offset), Text{function, function_size},
             Text{file, file_size});
  }
}

}  // namespace everycrash::preload
