// What is guessed from the shape of a name, where one recorded run tells no better. All such
// guesses of everycrash are here, each with what rests on it and what would replace it. Two stand
// elsewhere: random letters and numbers, since the preload library knows them too (path_pattern.h;
// chance_names.h asks the run for evidence first), and programs that run scripts, which are no
// names of a state (check/run/script_argument.h).
//
// What would replace most of them is a second undisturbed run, recorded as the first: a name that
// has no counterpart at the same operation of the other run is chance, and what both share is its
// pattern. What it shows would have to be kept in the trace, since a trace, a seed and bounds say
// all of a result; and it can only be had where the workload may be run twice.
//
// All functions are pure; paths are relative to the state directory.
#pragma once

#include <string>
#include <string_view>

namespace everycrash {

/// The name that PATH is a spare copy of: f of f~, f.~3~, f.bak, f.old, f-old and f.orig; "" if it
/// is none. A spare copy that is gone for a moment, half written, or behind, harms nobody as long
/// as the file itself is whole: dpkg unlinks status-old before it links the next one, editors write
/// f~ first.
///
/// Rests on it: that half file and acknowledged forgive so. Would replace it: an undisturbed run on
/// a state without the copy; where it ends in the same tree, nobody had needed it.
[[nodiscard]] std::string original_of(std::string_view path);

/// True if NAME, of a file beside PATH, is made from its name: f.tmp, f.json.new, .f.swp from
/// f.json.
///
/// Rests on it: no verdict, only where a message says that the content of a file still lies. Which
/// names hold that content is looked at; the name keeps out files that hold the same by chance.
/// Would replace it: the renames and links of the run, but a copy is made by neither.
[[nodiscard]] bool is_named_after(std::string_view name, std::string_view path);

/// True for names that people and libraries give to files that should not stay.
///
/// Rests on it: no verdict, only the note that a run leaves a temporary file. Would replace it: a
/// second run on what the first one left, which would not use the file.
[[nodiscard]] bool looks_temporary(std::string_view path);

/// True for a name that a lock may have.
///
/// Rests on it: which files that a run makes without O_EXCL, and takes away again, are tried as
/// locks of a killed runner. Would replace it: the look whether it is there, which a runner takes
/// before; a recording does not hold calls that only read.
[[nodiscard]] bool looks_like_lock(std::string_view path);

/// PATH with '#' for what names a file by a hash of its content: a long run of hexadecimal digits,
/// with the folders of two digits before it that sort by its beginning ("objects/3f/a0c1...").
///
/// Rests on it: tables that show many files in one row, and the keys of causes where no source line
/// tells the place (explain/cause_words.h). Would replace it: a second run where the content
/// differs; where it is the same, so is its hash.
[[nodiscard]] std::string without_hashes(std::string_view path);

/// TEXT with '#' for folders of two hexadecimal digits at its end, each followed by a '/'. As
/// above: what is in such folders will be named by a hash.
[[nodiscard]] std::string without_hash_folders(std::string text);

}  // namespace everycrash
