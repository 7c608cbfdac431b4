#include "harness/inject/run_place.h"

#include <fmt/format.h>

#include <utility>

#include "harness/check/run/given_file.h"

namespace everycrash {

Status empty_folder(const std::filesystem::path& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    std::filesystem::remove_all(it->path(), error);
    if (error) break;
  }
  if (error)
    return harness_error(fmt::format("cannot empty {}: {}", folder.string(), error.message()));
  return {};
}

RunPlace::RunPlace(RecordOptions options, std::filesystem::path folder)
    : options_(std::move(options)),
      folder_(std::move(folder)),
      directory_(options_.state_directory) {
  options_.environment["EVERYCRASH_STDOUT"] = (folder_ / "printed").string();
  options_.environment["EVERYCRASH_EFFECTS"] = (folder_ / "effects").string();
}

Result<std::unique_ptr<RunPlace>> RunPlace::create(RecordOptions options,
                                                   std::filesystem::path folder) {
  if (Status ok = empty_folder(options.state_directory); !ok) return tl::unexpected(ok.error());
  std::unique_ptr<RunPlace> place(new RunPlace(std::move(options), std::move(folder)));
  if (Status ok = place->tell("", ""); !ok) return tl::unexpected(ok.error());
  return place;
}

Status RunPlace::become(const FileSystem& tree) {
  if (Result<bool> changed = directory_.note_changes(); !changed)
    return tl::unexpected(changed.error());
  return directory_.become(tree);
}

Status RunPlace::tell(std::string_view printed, std::string_view events) {
  Status done = write_file(folder_ / "printed", printed);
  return done ? write_file(folder_ / "effects", effect_lines(events)) : done;
}

const std::filesystem::path& RunPlace::begin_trace() {
  options_.trace_file = folder_ / fmt::format("{}.trace", ++traces_);
  return options_.trace_file;
}

}  // namespace everycrash
