#include "harness/explain/call_stacks.h"

#include <filesystem>
#include <utility>

namespace everycrash {
namespace {

/// FILE as an interpreter that began in FOLDER named it.
std::string find_script(std::string_view file, std::string_view folder) {
  const std::filesystem::path path(file);
  if (file.empty() || file.front() == '<' || path.is_absolute()) return std::string(file);
  std::error_code ignored;
  const std::filesystem::path whole = (std::filesystem::path(folder) / path).lexically_normal();
  return std::filesystem::exists(whole, ignored) ? whole.string() : std::string(file);
}

/// True for what a language calls the code of a file outside of all functions.
bool is_top_level(ScriptLanguage language, std::string_view function, bool outermost) {
  return language == ScriptLanguage::kPython ? function == "<module>"
                                             : outermost && function == "main";
}

void add_script(const std::vector<ScriptFrame>& script, ScriptLanguage language,
                std::string_view folder, const std::string& program, std::vector<Frame>& frames) {
  for (const ScriptFrame& from : script) {
    Frame frame;
    if (!is_top_level(language, from.function, &from == &script.back())) {
      frame.function = from.function;
    }
    frame.source_file = find_script(from.file, folder);
    frame.line = from.line;
    frame.language = language;
    frame.program = program;
    frames.push_back(std::move(frame));
  }
}

}  // namespace

CallStacks::CallStacks(const Trace& trace, std::shared_ptr<Symboliser> symboliser)
    : trace_(trace), symboliser_(std::move(symboliser)), programs_(trace) {}

std::vector<Frame> CallStacks::frames(uint64_t sequence) const {
  std::vector<Frame> native = symboliser_->stack(trace_, sequence);
  if (native.empty()) return native;
  const ProgramRun* program = programs_.of_stack(sequence);
  std::vector<Frame> frames;
  add_script(script_of_stack(trace_, sequence), script_language(trace_, sequence),
             program == nullptr ? "" : program->folder, "", frames);
  frames.insert(frames.end(), std::make_move_iterator(native.begin()),
                std::make_move_iterator(native.end()));
  if (program == nullptr) return frames;
  add_script(program->started_by, program->language, program->script_folder, program->name, frames);
  Frame& shown = frames[user_frame(frames)];
  if (shown.source_file.empty()) shown.command = program->command;
  return frames;
}

}  // namespace everycrash
