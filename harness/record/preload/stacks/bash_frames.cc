#include "harness/record/preload/stacks/bash_frames.h"

namespace everycrash::preload {

namespace {

// variables.h, hashlib.h and array.h of bash 4.4 to 5.2.
struct VariableContext {
  uint64_t name;
  int32_t scope, flags;
  uint64_t up, down, table;
};
struct HashTable {
  uint64_t buckets;
  int32_t bucket_count, entry_count;
};
struct Bucket {
  uint64_t next, key, data;
};
struct Variable {
  uint64_t name, value;
};
struct Element {
  int64_t index;
  uint64_t value, next, previous;
};

constexpr int kChainMax = 64;
constexpr int32_t kBucketsMax = 1 << 20;
constexpr size_t kNameMax = 16;
constexpr int64_t kHeadIndex = -1;

bool read_string(ReadMemory read, uint64_t from, char* to, size_t capacity, size_t& size) {
  size = 0;
  if (from == 0) return false;
  for (; size < capacity; ++size) {
    if (!read(to + size, from + size, 1)) return false;
    if (to[size] == 0) return true;
  }
  return true;  // cut
}

bool is_string(ReadMemory read, uint64_t from, const char* wanted) {
  char text[kNameMax];
  size_t size = 0;
  return read_string(read, from, text, sizeof text, size) &&
         equal(Text{text, size}, text_of(wanted));
}

uint32_t bash_hash(const char* name) {
  uint32_t hash = 2166136261;
  for (; *name != 0; ++name) hash = (hash * 16777619) ^ static_cast<uint8_t>(*name);
  return hash;
}

// Address of the value of the global variable NAME, or 0.
uint64_t find_variable(ReadMemory read, const Bash& bash, const char* name) {
  uint64_t context_at = 0;
  VariableContext context;
  HashTable table;
  if (!read_object(read, bash.global_variables, context_at) || context_at == 0 ||
      !read_object(read, context_at, context) || context.table == 0 ||
      !read_object(read, context.table, table)) {
    return 0;
  }
  const int32_t count = table.bucket_count;
  if (count <= 0 || count > kBucketsMax || (count & (count - 1)) != 0) return 0;
  uint64_t at = 0;
  const uint64_t index = bash_hash(name) & static_cast<uint32_t>(count - 1);
  if (!read_object(read, table.buckets + index * sizeof at, at)) return 0;
  for (int i = 0; at != 0 && i < kChainMax; ++i) {
    Bucket bucket;
    Variable variable;
    if (!read_object(read, at, bucket)) return 0;
    if (is_string(read, bucket.key, name)) {
      return read_object(read, bucket.data, variable) ? variable.value : 0;
    }
    at = bucket.next;
  }
  return 0;
}

// The elements of an indexed array, from the lowest index.
class Elements {
 public:
  Elements(ReadMemory read, uint64_t array) : read_(read) {
    // max_index, count, head; before 5.2 a type stood in front.
    uint64_t words[4] = {};
    if (array == 0 || !read_(words, array, sizeof words)) return;
    if (!begin_at(words[2])) begin_at(words[3]);
  }
  // Address of the next value, or 0.
  uint64_t next() {
    Element element;
    if (at_ == head_ || !read_object(read_, at_, element)) return 0;
    at_ = element.next;
    return element.value;
  }

 private:
  bool begin_at(uint64_t head) {
    Element element;
    Element first;
    if (head == 0 || !read_object(read_, head, element) || element.index != kHeadIndex) {
      return false;
    }
    if (!read_object(read_, element.next, first) || first.previous != head) return false;
    head_ = head;
    at_ = element.next;
    return true;
  }

  ReadMemory read_;
  uint64_t head_ = 0;
  uint64_t at_ = 0;
};

uint32_t number_of(Text text) {
  uint64_t value = 0;
  for (size_t i = 0; i < text.size && value <= INT32_MAX; ++i) {
    if (text.data[i] < '0' || text.data[i] > '9') return 0;
    value = value * 10 + static_cast<uint64_t>(text.data[i] - '0');
  }
  return value <= INT32_MAX ? static_cast<uint32_t>(value) : 0;
}

// The line alone, with what bash was started with: nothing calls anything.
void describe_top(ReadMemory read, const Bash& bash, uint32_t line, FrameText& text) {
  uint64_t command = 0;
  uint64_t name = 0;
  char file[FrameText::kFileMax];
  size_t size = 0;
  if (read_object(read, bash.command_string, command) && command != 0) {
    text.add(line, text_of("main"), text_of("<bash -c>"));
  } else if (read_object(read, bash.dollar_vars, name) &&
             read_string(read, name, file, sizeof file, size)) {
    text.add(line, text_of("main"), Text{file, size});
  }
}

}  // namespace

bool find_bash(const Image& image, Bash& bash) {
  bash.line_number = find_symbol(image, "line_number");
  bash.dollar_vars = find_symbol(image, "dollar_vars");
  bash.command_string = find_symbol(image, "command_execution_string");
  bash.global_variables = find_symbol(image, "global_variables");
  return bash.line_number != 0 && bash.dollar_vars != 0 && bash.command_string != 0 &&
         bash.global_variables != 0;
}

void describe_bash(ReadMemory read, const Bash& bash, FrameText& text) {
  int32_t number = 0;
  if (!read_object(read, bash.line_number, number) || number <= 0) return;
  auto line = static_cast<uint32_t>(number);
  Elements functions(read, find_variable(read, bash, "FUNCNAME"));
  Elements files(read, find_variable(read, bash, "BASH_SOURCE"));
  Elements callers(read, find_variable(read, bash, "BASH_LINENO"));
  while (!text.full()) {
    char function[FrameText::kFunctionMax];
    char file[FrameText::kFileMax];
    char caller[kNameMax];
    size_t function_size = 0;
    size_t file_size = 0;
    size_t caller_size = 0;
    if (!read_string(read, functions.next(), function, sizeof function, function_size) ||
        !read_string(read, files.next(), file, sizeof file, file_size) ||
        !read_string(read, callers.next(), caller, sizeof caller, caller_size)) {
      break;
    }
    text.add(line, Text{function, function_size}, Text{file, file_size});
    line = number_of(Text{caller, caller_size});
  }
  if (text.count() == 0) describe_top(read, bash, line, text);
}

}  // namespace everycrash::preload
