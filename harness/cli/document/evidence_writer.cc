#include "harness/cli/document/evidence_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/document/evidence_trees.h"

namespace everycrash::cli {
namespace {

std::string words_for_left_out(const EvidenceFacts& facts) {
  using LeftOut = EvidenceFacts::LeftOut;
  switch (facts.left_out) {
    case LeftOut::kTrees:
      return "the trees and the file's content: building them for so many findings takes too long; "
             "replay this one to see them";
    case LeftOut::kAftermath:
      return "what comes after the crash: it is run for the first findings only, and only "
             "while it ends in time";
    case LeftOut::kEndless:
      return fmt::format("the tree afterwards: {} did not end", facts.after_what);
    case LeftOut::kNothing:
    case LeftOut::kInterrupted:  // what is known so far is told
      return "";
  }
  return "";
}

}  // namespace

reports::Evidence EvidenceWriter::write(const EvidenceFacts& facts) {
  reports::Evidence evidence;
  for (const LostPartFacts& part : facts.lost) {
    evidence.lost.push_back({part.sequence, part.units_lost, part.units, part.what});
  }
  evidence.left_out = words_for_left_out(facts);
  evidence.printed = facts.printed;
  if (!facts.before) return evidence;
  evidence.before_sequence = facts.before->sequence;
  if (facts.after) evidence.after_what = facts.after_what;
  if (facts.left_out != EvidenceFacts::LeftOut::kInterrupted) {
    rows_left_ -= add_tree_rows(
        evidence, {&facts.before->tree, &*facts.crash, facts.after ? &*facts.after : nullptr},
        std::min<size_t>(rows_left_, kTreeRowsMax));
  }
  if (!facts.old_file) return evidence;
  reports::FileVersions file = file_versions(
      facts.broken_file,
      {&facts.old_file->tree, facts.new_file ? &facts.new_file->tree : nullptr, &*facts.crash},
      static_cast<int64_t>(bytes_left_));
  file.old_sequence = facts.old_file->sequence;
  file.new_sequence = facts.new_file ? facts.new_file->sequence : 0;
  for (const auto* bytes : {&file.old_content, &file.new_content, &file.found}) {
    if (*bytes) bytes_left_ -= std::min<uint64_t>(bytes_left_, (*bytes)->base64.size() / 4 * 3);
  }
  evidence.file = std::move(file);
  return evidence;
}

}  // namespace everycrash::cli
