// The models, one a file; look them up with find_model().
#pragma once

#include "harness/model/persistence_model.h"

namespace everycrash {

extern const PersistenceRules kPosixModel;
extern const PersistenceRules kExt4Model;
extern const PersistenceRules kExt4NoAutoDaAllocModel;
extern const PersistenceRules kExt4NoDelallocModel;
extern const PersistenceRules kExt4WritebackModel;
extern const PersistenceRules kXfsModel;
extern const PersistenceRules kBtrfsModel;

}  // namespace everycrash
