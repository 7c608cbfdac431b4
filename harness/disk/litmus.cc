#include "harness/disk/litmus.h"

#include <sstream>
#include <string_view>

#include "harness/disk/litmus_texts.h"

namespace everycrash {
namespace {

// The rows of litmus runs on Linux 6.18, then Ferrite's tests and ALICE's tables. "F" is the file
// of another program.
constexpr std::string_view kPublished = R"(
# Row a: replace via rename without fsync, then an unrelated file F is synced
initial F "x"
initial f o*5000
create t
write t 0 n*5000
close t
rename t f
append F "y"
fsync F

# Row b: the same where the target did not exist
initial F "x"
create t
write t 0 n*5000
close t
rename t f
append F "y"
fsync F

# Row c: replace via truncate
initial F "x"
initial f o*5000
empty f
write f 0 n*5000
close f
append F "y"
fsync F

# Row d: an append
initial F "x"
initial f o*5000
append f n*5000
append F "y"
fsync F

# Row e: fsync of a new file, none of its folder
create f
write f 0 "new"
fsync f

# Row f: the synced temporary file is renamed over, and nothing more
initial f "old"
create t
write t 0 "new"
fsync t
rename t f

# Row g: a file is made, another one in another folder is made and synced
initial-dir A
initial-dir B
create A/x
write A/x 0 c*10
create B/y
write B/y 0 "y"
fsync B/y

# Row h: an unlink, then another file is synced
initial F "x"
initial d1 "d"
unlink d1
append F "y"
fsync F

# Row i: an overwrite in place, a rename, then another file is synced
initial F "x"
initial d1 "d"
initial f "old"
write f 0 "new"
rename d1 d2
append F "y"
fsync F

# Row j: fsync of a file after it got a second name
initial f "f"
link f l
fsync f

# Row k: fsync again, after the rename
initial f "old"
create t
write t 0 "new"
fsync t
rename t f
fsync f

# Row l: a rename between folders, then the new folder is synced
initial-dir A
initial-dir B
initial A/ex "e"
rename A/ex B/ex
fsync B

# Row m: a plain creation, then another file is synced
initial F "x"
create f
write f 0 "new"
append F "y"
fsync F

# Row p: two overwrites, the second is synced
initial f "f-old"
initial g "g-old"
write g 0 "g-new"
write f 0 "f-new"
fsync f

# Row q: unlink, the same name again, the file is synced
initial f "old"
unlink f
create f
write f 0 "new"
fsync f

# Ferrite, prefix-append (PA): content must be a prefix of a's and b's
create f
write f 0 a*2500
fsync f
append f b*2500

# Ferrite, atomic replace via rename (ARVR): old or new
initial f "old"
create t
write t 0 n*4097
rename t f

# Ferrite, atomic create via rename (ACVR): absent or whole
create t
write t 0 "new"
rename t f

# Ferrite, ordered overwrites of two files: violated on most file systems
initial a "1"
initial b "1"
write a 0 "2"
write b 0 "2"

# Ferrite, ordered overwrites of two blocks of one file:
initial f o*8192
write f 0 n*4096
write f 4096 n*4096

# Ferrite, implied directory fsync: create, write, fsync of the file, and the entr
mkdir d
create d/f
write d/f 0 "new"
fsync d/f

# Ferrite, ext4 axiom 2: writes to the same block keep their order
initial f "1"
write f 0 "2"
write f 0 "3"

# Ferrite, ext4 axiom 3: updates of one folder keep their order where there is a j
initial a "a"
link a b
unlink a

# ALICE: the size and the bytes of an append are apart on ext4 (zeros), not on xfs
create f
fsync f
fsync .
append f "new"

# ALICE: an append of two pages, page by page
create f
fsync f
fsync .
append f n*5000

# ALICE: directory operations are in order on journals
initial a "a"
unlink a
create b

# ALICE, safe file flush: fsync of a file in new folders persists the folders, too
mkdir p
mkdir p/q
create p/q/f
fsync p/q/f

# ALICE, rename atomicity: never both names lost, never neither
initial f "f"
rename f g

# ALICE, log then truncate (HSQLDB): a truncation before the synced data is there
initial log "record"
initial data "old"
write data 0 "new"
truncate log 0
)";

void add_all(std::string_view text, std::vector<Litmus>& found) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line.starts_with("# ")) {
      found.push_back({line.substr(2), {}});
    } else {
      found.back().script.push_back(line);
    }
  }
}

}  // namespace

const std::vector<Litmus>& litmus_workloads() {
  static const std::vector<Litmus> all = [] {
    std::vector<Litmus> found;
    add_all(kPublished, found);
    add_all(kLitmusOfRules, found);
    return found;
  }();
  return all;
}

}  // namespace everycrash
