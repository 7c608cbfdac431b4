#include "harness/inject/fault_text.h"

#include <fmt/format.h>

#include "harness/inject/fault_pipes.h"
#include "harness/inject/faults/text.h"

namespace everycrash {
namespace {

// What the recorder keeps through an exec that drops the environment.
constexpr size_t kPlanMax = 4096;

}  // namespace

Result<faults::Fault> read_fault(const std::string& text) {
  faults::Fault fault;
  if (const char* wrong = faults::parse_fault(text.c_str(), fault); wrong != nullptr) {
    return fail(ErrorKind::kUsage,
                fmt::format("the fault '{}' is not understood: {}\n"
                            "Write CALL(GLOB) ACTION [when=FIRST[..LAST][+STEP]] [chance=N%], as "
                            "in 'write(state.json*) ENOSPC when=3'.",
                            text, wrong));
  }
  return fault;
}

std::string text_of(const faults::Fault& fault) {
  char text[kPlanMax];
  return {text, faults::write_fault(fault, text, sizeof text)};
}

std::string escaped_glob(const std::string& glob) {
  std::string escaped(3 * glob.size() + 1, '\0');
  faults::Writer writer{escaped.data(), escaped.size()};
  writer.add_escaped(glob.c_str());
  escaped.resize(writer.finish());
  return escaped;
}

std::string lost_syncs_of(const std::string& glob) {
  return fmt::format("syncs({}) lost", escaped_glob(glob));
}

Result<std::string> plan_of(const std::vector<std::string>& faults, uint64_t seed) {
  if (faults.empty()) return "";
  if (faults.size() > faults::Plan::kFaultsMax) {
    return fail(ErrorKind::kUsage, fmt::format("{} faults are more than the {} that a run can meet",
                                               faults.size(), faults::Plan::kFaultsMax));
  }
  faults::Plan plan;
  plan.seed = seed;
  for (const std::string& text : faults) {
    const Result<faults::Fault> fault = read_fault(text);
    if (!fault) return tl::unexpected(fault.error());
    plan.faults[plan.count++] = *fault;
  }
  const std::string fifo = fault_pipes_prefix();
  if (fifo.size() >= sizeof plan.fifo) {
    return fail(ErrorKind::kUsage, "EVERYCRASH_FIU_FIFO is too long");
  }
  fifo.copy(plan.fifo, fifo.size());
  char text[kPlanMax];
  const size_t size = faults::write_plan(plan, text, sizeof text);
  if (size == 0) return fail(ErrorKind::kUsage, "the faults of this run are too long together");
  return std::string(text, size);
}

}  // namespace everycrash
