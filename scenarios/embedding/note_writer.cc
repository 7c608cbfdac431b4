// Writes some notes and says of each that it is saved.
#include <cstdio>
#include <cstring>

#include "note_store.h"

int main(int count, char** arguments) {
  const bool sync = count < 2 || std::strcmp(arguments[1], "--no-sync") != 0;
  notes::NoteStore store("notes.txt",
                         sync ? notes::Durability::kSynced : notes::Durability::kUnsynced);
  for (const char* const key : {"one", "two", "three"}) {
    store.put(key, "text");
    std::printf("saved %s\n", key);
    std::fflush(stdout);
  }
  return 0;
}
