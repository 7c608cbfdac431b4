// What Python code a thread is executing, read from the interpreter's own structures. Nothing of
// the interpreter is called: it may stand anywhere, and without its lock, which it gives up for the
// very calls that are recorded. That does no harm, because a thread's frames, and the code objects
// that they hold, are changed by the thread itself alone.
//
// Every object is checked for its type before it is used. What does not look as the layout says
// ends the walk, with the frames that were found so far or none.
#pragma once

#include "harness/record/preload/stacks/frame_text.h"
#include "harness/record/preload/stacks/live_memory.h"
#include "harness/record/preload/stacks/python_objects.h"

namespace everycrash::preload {

/// One call of a Python function.
struct PythonFrame {
  uint64_t code = 0;    ///< address of its code object ...
  PythonCode about;     ///< ... and what it says
  uint32_t offset = 0;  ///< of its current instruction, in bytes
};

/// True if STATE is the PyThreadState of the thread that THREAD_ID (pthread_self()) names.
bool is_python_thread(ReadMemory read, const Python& python, uint64_t state, uint64_t thread_id);

/// Fills FRAMES, at most MAX of them, innermost first, and returns how many.
size_t walk_python(ReadMemory read, const Python& python, uint64_t state, PythonFrame* frames,
                   size_t max);

/// A number that two stacks share only if they are the same place of the same program: it covers
/// the texts too, since the memory of a code object can be used for another one later.
uint64_t hash_python(ReadMemory read, const Python& python, const PythonFrame* frames,
                     size_t count);

/// Adds line, function and file of each of them.
void describe_python(ReadMemory read, const Python& python, const PythonFrame* frames, size_t count,
                     FrameText& text);

}  // namespace everycrash::preload
