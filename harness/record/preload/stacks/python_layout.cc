#include "harness/record/preload/stacks/python_layout.h"

namespace everycrash::preload {

namespace {

constexpr PythonLayout kPython38 = {.thread_key = 1392,
                                    .thread_id = 176,
                                    .frame = 24,
                                    .through_c = false,
                                    .c_frame = 0,
                                    .code = 32,
                                    .previous = 24,
                                    .instruction = 104,
                                    .by_index = true,
                                    .index_unit = 1,
                                    .owner = 0,
                                    .first_line = 40,
                                    .file = 104,
                                    .name = 112,
                                    .lines = 120,
                                    .bytecode = 0,
                                    .ascii_text = 48,
                                    .other_text = 72,
                                    .line_of = line_by_steps};

constexpr PythonLayout kPython39 = [] {
  PythonLayout layout = kPython38;
  layout.thread_key = 584;
  return layout;
}();

constexpr PythonLayout kPython310 = [] {
  PythonLayout layout = kPython39;
  layout.instruction = 96;
  layout.index_unit = 2;
  layout.line_of = line_by_ranges;
  return layout;
}();

constexpr PythonLayout kPython311 = {.thread_key = 592,
                                     .thread_id = 152,
                                     .frame = 56,
                                     .through_c = true,
                                     .c_frame = 8,
                                     .code = 32,
                                     .previous = 48,
                                     .instruction = 56,
                                     .by_index = false,
                                     .index_unit = 1,
                                     .owner = 69,
                                     .first_line = 72,
                                     .file = 112,
                                     .name = 128,
                                     .lines = 136,
                                     .bytecode = 184,
                                     .ascii_text = 48,
                                     .other_text = 72,
                                     .line_of = line_by_locations};

constexpr PythonLayout kPython312 = {.thread_key = 1544,
                                     .thread_id = 136,
                                     .frame = 56,
                                     .through_c = true,
                                     .c_frame = 0,
                                     .code = 0,
                                     .previous = 8,
                                     .instruction = 56,
                                     .by_index = false,
                                     .index_unit = 1,
                                     .owner = 70,
                                     .first_line = 68,
                                     .file = 112,
                                     .name = 128,
                                     .lines = 136,
                                     .bytecode = 192,
                                     .ascii_text = 40,
                                     .other_text = 56,
                                     .line_of = line_by_locations};

constexpr PythonLayout kPython313 = [] {
  PythonLayout layout = kPython312;
  layout.thread_key = 2160;
  layout.thread_id = 152;
  layout.frame = 72;
  layout.through_c = false;
  layout.bytecode = 200;
  return layout;
}();

}  // namespace

const PythonLayout* python_layout(unsigned minor) {
  switch (minor) {
    case 8:
      return &kPython38;
    case 9:
      return &kPython39;
    case 10:
      return &kPython310;
    case 11:
      return &kPython311;
    case 12:
      return &kPython312;
    case 13:
      return &kPython313;
    default:
      return nullptr;
  }
}

}  // namespace everycrash::preload
