// Memory that tests fill with the structures of an interpreter, and damage.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace everycrash::preload {

/// Objects by their address; everything else cannot be read. One at a time, for the reader that it
/// gives is a plain function.
class FakeMemory {
 public:
  FakeMemory() { current() = this; }
  ~FakeMemory() { current() = nullptr; }
  FakeMemory(const FakeMemory&) = delete;
  FakeMemory& operator=(const FakeMemory&) = delete;

  static bool read(void* to, uint64_t from, size_t size) {
    FakeMemory& self = *current();
    ++self.reads_;
    auto object = self.objects_.upper_bound(from);
    if (object == self.objects_.begin()) return false;
    --object;
    const uint64_t offset = from - object->first;
    const std::string& bytes = object->second;
    if (offset > bytes.size() || size > bytes.size() - offset) return false;
    memcpy(to, bytes.data() + offset, size);
    return true;
  }

  /// A new object of SIZE zero bytes.
  uint64_t make(size_t size) {
    const uint64_t address = next_;
    next_ += (size + 0x1000) & ~uint64_t{0xfff};
    objects_[address].assign(size, '\0');
    return address;
  }
  /// Makes an object of these bytes.
  uint64_t make(const std::string& bytes) {
    const uint64_t address = make(bytes.size());
    objects_[address] = bytes;
    return address;
  }
  template <typename T>
  void set(uint64_t object, size_t offset, T value) {
    memcpy(objects_.at(object).data() + offset, &value, sizeof value);
  }
  void set_bytes(uint64_t object, size_t offset, const std::string& bytes) {
    objects_.at(object).replace(offset, bytes.size(), bytes);
  }
  void remove(uint64_t object) { objects_.erase(object); }
  std::string& bytes(uint64_t object) { return objects_.at(object); }
  [[nodiscard]] std::vector<uint64_t> addresses() const {
    std::vector<uint64_t> all;
    for (const auto& [address, bytes] : objects_) all.push_back(address);
    return all;
  }
  [[nodiscard]] uint64_t reads() const { return reads_; }

 private:
  static FakeMemory*& current() {
    static FakeMemory* memory = nullptr;
    return memory;
  }

  std::map<uint64_t, std::string> objects_;
  uint64_t next_ = 0x100000;
  uint64_t reads_ = 0;
};

/// Has LOOK see what FILL makes of a FAKE with memory(), once without each of its objects.
template <typename Fake, typename Fill, typename Look>
void without_each_object(const Fill& fill, const Look& look) {
  std::vector<uint64_t> addresses;
  {
    Fake whole;
    fill(whole);
    addresses = whole.memory().addresses();
  }
  for (const uint64_t gone : addresses) {
    Fake fake;
    fill(fake);
    fake.memory().remove(gone);
    look(fake);
  }
}

/// The same with each of its words damaged, in each of some ways.
template <typename Fake, typename Fill, typename Look>
void with_each_damaged_word(const Fill& fill, const Look& look) {
  for (const uint64_t value : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}, uint64_t{1} << 40}) {
    Fake fake;
    fill(fake);
    for (const uint64_t object : fake.memory().addresses()) {
      for (size_t offset = 0; offset + 8 <= fake.memory().bytes(object).size(); offset += 8) {
        const std::string before = fake.memory().bytes(object);
        fake.memory().set(object, offset, value);
        look(fake);
        fake.memory().bytes(object) = before;
      }
    }
  }
}

/// "9 save app.py", one for each frame of TEXT.
inline std::vector<std::string> frames_in(const char* text, size_t size) {
  std::vector<std::string> frames;
  std::string fields[3];
  size_t field = 0;
  for (size_t i = 0; i < size; ++i) {
    if (text[i] != 0) {
      fields[field] += text[i];
      continue;
    }
    if (++field < 3) continue;
    frames.push_back(fields[0] + " " + fields[1] + " " + fields[2]);
    for (std::string& used : fields) used.clear();
    field = 0;
  }
  return frames;
}

}  // namespace everycrash::preload
