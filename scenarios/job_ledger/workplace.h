// The state directory: which folders and files the job has, and their names.
#pragma once

#include <string>

#include "scenarios/common/file_io.h"

namespace scenarios::job_ledger {

inline constexpr char kGenerated[] = "01_generate";
inline constexpr char kWritten[] = "02_write";
inline constexpr char kPublished[] = "03_publish";
inline constexpr char kDraftName[] = "draft.txt";
inline constexpr char kPostName[] = "post.md";

/// "2026-01-01.md"
[[nodiscard]] inline std::string entry_name(const std::string& day) {
  return day + ".md";
}

/// The open folders of a state directory.
struct Workplace {
  FileDescriptor top;
  FileDescriptor locks;   ///< publish.lock, takeover.lock
  FileDescriptor stages;  ///< a file for each stage; it names the day for which that is finished
  FileDescriptor work;    ///< draft and post of the day at work
  FileDescriptor done;    ///< the ledger: an entry for each published day

  /// Opens them, and makes those that do not exist, durably.
  [[nodiscard]] static Expected<Workplace> prepare(const std::string& path);
  /// Opens them; those that do not exist are not valid.
  [[nodiscard]] static Expected<Workplace> look_at(const std::string& path);
};

}  // namespace scenarios::job_ledger
