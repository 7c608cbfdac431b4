// Litmus workloads for the rules of the persistence models (used by litmus.cc alone).
#pragma once

#include <string_view>

namespace everycrash {

/// At least one for each rule that a file of harness/model states.
inline constexpr std::string_view kLitmusOfRules = R"(
# fdatasync takes content and size, not the mode
initial f "1"
chmod f 600
append f "2"
fdatasync f

# fsync takes the mode and extended attributes, too
initial f "1"
chmod f 600
setxattr f user.a 1
fsync f

# Attributes of a file keep their order
initial f "1"
setxattr f user.a 1
setxattr f user.b 2
removexattr f user.a

# sync and syncfs take everything
mkdir d
create d/f
write d/f 0 "1"
sync
create g
syncfs

# msync takes the pages of a mapping
initial f o*8192
map-write f 0 n*4096
map-write f 4096 n*4096
msync f

# Pages of a mapping survive each on its own
initial f o*4100
map-write f 0 n*4100

# O_SYNC takes the write and the size, and on ext4 earlier metadata
initial log "1"
initial f "old"
write f 0 "new"
create g
osync-write log 1 "2"

# O_DSYNC does not take the mode on its own
initial log "1"
chmod log 600
dsync-write log 1 "2"

# A folder's sync takes its names, however it was opened, and a new file's name wi
mkdir d
create d/f
write d/f 0 "1"
fsync d
fsync .

# A folder's own name needs the sync of its parent, by POSIX
mkdir d
create d/f
fsync d

# A second name, then the first one goes
initial a "1"
link a b
unlink a

# The content of a hard-linked file shows under each name that survived
create a
link a b
write b 0 "1"
fsync b

# A file that is written to after it was unlinked shows nothing new, unless the un
initial f "old"
unlink f
write f 0 "new"
fsync f

# O_TMPFILE
tmpfile t
write t 0 "1"
fsync t
link t f

# A rename over an empty folder
initial-dir a
initial-dir b
create a/f
rename a b

# Removing a folder and its file
initial-dir d
initial d/f "1"
unlink d/f
rmdir d

# Truncation and regrowth
initial f o*100
truncate f 10
truncate f 50

# Old data of a file that was cut and written again
initial f "old"
write f 0 "mid"
truncate f 0
write f 0 "new"

# The same, and another file is synced
initial F "x"
initial f o*9
write f 0 m*9
truncate f 0
write f 0 "new"
append F "y"
fsync F

# A hole
create f
write f 4098 "end"

# fallocate grows a file with zeros
initial f "1"
fallocate f grow 0 5
fallocate f keep 5 100

# A punched hole, after what was written there
initial f o*8192
write f 0 n*100
fallocate f punch 0 4096

# Zeroed, collapsed, inserted
initial f a*4096+b*4096+c*4096
fallocate f zero 0 4096
fallocate f collapse 0 4096
fallocate f insert 4096 4096

# EXCHANGE is one step
initial a "a"
initial b "b"
exchange a b

# Two saves by rename in a row
initial f "1"
create t
rename t f
create t
rename t f

# A symbolic link
symlink l target
rename l m

# btrfs: the old folder's sync commits both halves of a rename between folders, an
initial-dir A
initial-dir B
initial A/f "1"
rename A/f B/f
fsync A

# btrfs: without a sync such a rename is one step
initial-dir A
initial-dir B
initial A/f "1"
rename A/f B/f

# btrfs: a synced file is there without an earlier unlink, and a later transaction
initial a "a"
unlink a
create f
write f 0 "1"
fsync f

# Bytes that were synced stay when their page is written again
create f
write f 0 "12345"
fsync f
fsync .
append f "67"

# Times that a program set are lost with the next write only
initial f "1"
chmod f 640
write f 0 "2"

# btrfs: a sync of the folder carries a replacing rename with its content, a new n
initial f "old"
create t
write t 0 "new"
rename t f
create g
write g 0 "1"
fsync .

# btrfs: a rename of a synced file needs a whole commit, which takes the unlink be
initial a "a"
unlink a
create t
write t 0 "1"
fsync t
rename t f

# Row k where the target did not exist
create t
write t 0 "new"
fsync t
rename t f
fsync f

# btrfs log 1: a sync below a renamed folder does not carry its new name
initial-dir D
rename D E
create E/f
fsync E/f

# btrfs log 1: a synced file that is renamed takes its new folder along
create t
fsync t
mkdir P
mkdir D
rename t D/t

# btrfs log 2: the folder of a renamed file is logged as a whole
initial-dir A
initial A/y "y"
mkdir P
create A/x
rename A/y A/z
fsync A/z

# btrfs log 3: a file that is new in a synced folder takes its other names along
initial-dir A
initial-dir B
initial a "a"
link a b
create A/a
rename a B/a
fsync B

# btrfs log 4: a synced file takes along the one whose name it has
initial-dir A
initial a "a"
mkdir D
rename a A/a
create a
fsync a

# btrfs log 4: the same where a synced file replaces one that was moved away
initial f "old"
create t
fsync t
rename f f.bak
rename t f

# btrfs log 6: a new file is renamed out of a synced folder
initial-dir A
initial-dir B
create A/u
fsync A
create A/v
mkdir P
rename A/v B/v

# btrfs log 7: an older file comes back where a synced one goes
initial-dir A
initial A/b "old"
create b
rename b A/b
fsync A/b
unlink A/b

# btrfs log 7: a synced name goes without the rename that replaces it
initial-dir A
initial a "a"
create A/c
fsync A/c
rename a A/c

# btrfs: setting the size that a file has puts it on disk before its bytes
create f
write f 0 p*4096
truncate f 4096

# ext4: a file that is overwritten in place, and renamed over another one, is not flushed
initial f o*6000
initial t c*6000
write t 0 n*6000
close t
rename t f
fsync .

# ext4: the same with space from fallocate
initial f o*6000
create t
fallocate t grow 0 6000
write t 0 n*6000
close t
rename t f
fsync .

# btrfs log 8: a new file that is renamed over another one, with the synced folder
initial f o*6000
create t
write t 0 n*6000
close t
rename t f
fsync .
)";

}  // namespace everycrash
