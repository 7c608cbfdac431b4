#include "harness/check/run/given_state.h"

#include "harness/check/run/command.h"

namespace everycrash {

GivenStates::GivenStates(const Sandbox& sandbox)
    : sandbox_(sandbox),
      disk_(sandbox.tree()),
      stdout_(sandbox.files() / "stdout"),
      effects_(sandbox.files() / "effects") {}

void GivenStates::add_to(std::vector<std::string>& environment) const {
  const auto set = [&environment](std::string_view name, const std::filesystem::path& value) {
    set_variable(environment, name, value.string());
  };
  set("EVERYCRASH_DIR", sandbox_.directory());
  set("EVERYCRASH_STDOUT", sandbox_.files() / "stdout");
  set("EVERYCRASH_EFFECTS", sandbox_.files() / "effects");
  set("PWD", sandbox_.directory());
}

Status GivenStates::put(const GivenState& state) {
  Status done = disk_.become(*state.tree);
  if (done) done = stdout_.hold(state.printed);
  if (!done) return done;
  std::string lines;
  if (state.events == events_) {
    lines = effects_.text();
  } else {
    lines = effect_lines(state.events);
    events_ = state.events;
  }
  return effects_.hold(lines);
}

}  // namespace everycrash
