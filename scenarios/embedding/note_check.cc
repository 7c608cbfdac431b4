// Exit 0 if the notes in this folder can be read, and every note that was said to be saved is
// there.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>

#include "note_store.h"

int main() {
  try {
    const notes::NoteStore store("notes.txt");
    std::ifstream printed(std::getenv("EVERYCRASH_STDOUT"));
    for (std::string word, key; printed >> word >> key;) {
      if (store.notes().count(key) == 1) continue;
      std::printf("%s was said to be saved, and is gone\n", key.c_str());
      return 1;
    }
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  return 0;
}
