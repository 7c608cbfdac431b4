#include "harness/record/preload/python_frames.h"

#include "harness/record/preload/python_objects.h"
#include "harness/trace/checksum.h"

namespace everycrash::preload {

namespace {

constexpr size_t kStepsMax = 256;     // frames that are looked at, shown or not
constexpr size_t kTableHashed = 256;  // bytes of a line table that tell code objects apart
constexpr size_t kTableMax = 64 * 1024;
constexpr uint64_t kOffsetMax = uint64_t{1} << 28;

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 29;
}

uint64_t mix_text(ReadMemory read, const Python& python, uint64_t hash, uint64_t address) {
  PythonText text;
  if (!read_python_text(read, python, address, text)) return hash;
  hash = mix(hash, text.length);
  return mix(hash, XXH3_64bits(text.bytes, text.count * text.char_size));
}

// Where the code of FRAME stands. False if FRAME is none, or not one to show.
bool read_frame(ReadMemory read, const Python& python, uint64_t address, PythonFrame& frame) {
  const PythonLayout& layout = *python.layout;
  uint8_t owner = 0;
  if (layout.owner != 0 && !read_object(read, address + layout.owner, owner)) return false;
  PythonCode code;
  if (owner == kOwnedByInterpreter || !read_object(read, address + layout.code, frame.code) ||
      !read_python_code(read, python, frame.code, code)) {
    return false;
  }
  if (layout.by_index) {
    int32_t index = 0;
    if (!read_object(read, address + layout.instruction, index)) return false;
    frame.offset = index < 0 ? 0 : static_cast<uint32_t>(index) * layout.index_unit;
    return true;
  }
  uint64_t instruction = 0;
  if (!read_object(read, address + layout.instruction, instruction)) return false;
  const uint64_t offset = instruction - (frame.code + layout.bytecode);
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
    if (read_frame(read, python, at, frames[count])) ++count;
    if (!read_object(read, at + python.layout->previous, at)) break;
  }
  return count;
}

uint64_t hash_python(ReadMemory read, const Python& python, const PythonFrame* frames,
                     size_t count) {
  uint64_t hash = count;
  for (size_t i = 0; i < count; ++i) {
    PythonCode code;
    hash = mix(mix(hash, frames[i].code), frames[i].offset);
    if (!read_python_code(read, python, frames[i].code, code)) continue;
    hash = mix(mix(hash, code.lines), code.first_line);
    hash = mix_text(read, python, hash, code.file);
    hash = mix_text(read, python, hash, code.name);
    uint64_t size = 0;
    unsigned char bytes[kTableHashed];
    if (!read_python_bytes(read, code.lines, bytes, sizeof bytes, size)) continue;
    hash = mix(mix(hash, size), XXH3_64bits(bytes, size < sizeof bytes ? size : sizeof bytes));
  }
  return hash;
}

void describe_python(ReadMemory read, const Python& python, const PythonFrame* frames, size_t count,
                     FrameText& text) {
  for (size_t i = 0; i < count && !text.full(); ++i) {
    PythonCode code;
    PythonText raw;
    char file[FrameText::kFileMax];
    char function[FrameText::kFunctionMax];
    if (!read_python_code(read, python, frames[i].code, code)) continue;
    if (!read_python_text(read, python, code.file, raw)) continue;
    const size_t file_size = to_utf8(raw, file, sizeof file);
    if (!read_python_text(read, python, code.name, raw)) continue;
    const size_t function_size = to_utf8(raw, function, sizeof function);
    text.add(line_of(read, python, code, frames[i].offset), Text{function, function_size},
             Text{file, file_size});
  }
}

}  // namespace everycrash::preload
