#include "harness/model/models.h"

#include <fmt/format.h>

#include <array>

namespace everycrash {

std::span<const PersistenceRules> all_models() {
  static const std::array models = {
      kPosixModel, kExt4Model,  kExt4NoAutoDaAllocModel, kExt4NoDelallocModel, kExt4WritebackModel,
      kXfsModel,   kBtrfsModel,
  };
  return models;
}

Result<const PersistenceRules*> find_model(std::string_view name) {
  std::string known;
  for (const PersistenceRules& rules : all_models()) {
    if (rules.name == name) return &rules;
    known += known.empty() ? "" : ", ";
    known += rules.name;
  }
  return fail(ErrorKind::kUsage,
              fmt::format("there is no persistence model '{}'\nChoose among {}.", name, known));
}

}  // namespace everycrash
