// Units of content: writes, sizes, truncation, fallocate, attributes, and the flush at close.
#include <linux/falloc.h>
#include <sys/syscall.h>

#include <algorithm>

#include "harness/model/unit_expander.h"
#include "harness/trace/trace.h"

namespace everycrash {

void UnitExpander::remember(NodeId node, UnitId unit) {
  NodeMemory& memory = builder_.memory(node);
  memory.cuttable.push_back(unit);
  memory.unflushed.push_back(unit);
  memory.droppable.push_back(unit);
}

/// The last unit that changed the piece of the file at OFFSET.
UnitId UnitExpander::before_page(NodeId node, int64_t offset) {
  const NodeMemory& memory = builder_.memory(node);
  const auto found = memory.pages.find(offset / options_.tear_bytes);
  return found == memory.pages.end() ? memory.last_content : found->second;
}

void UnitExpander::on_page(NodeId node, int64_t offset, UnitId unit) {
  builder_.memory(node).pages[offset / options_.tear_bytes] = unit;
}

/// Bytes go to disk page by page, in any order, and each page after what it held before.
void UnitExpander::wrote(const Operation& operation, NodeId node, int64_t size_before) {
  std::string_view bytes = operation.payload;
  int64_t offset = operation.offset;
  reserve(node, offset, offset + static_cast<int64_t>(bytes.size()));
  int64_t size = size_before;
  const bool copies = operation.call == SYS_copy_file_range || operation.call == SYS_ioctl;
  const bool shared = builder_.rules().shares_copies && copies;
  while (!bytes.empty()) {
    const int64_t room = options_.tear_bytes - offset % options_.tear_bytes;
    const std::string_view piece = bytes.substr(0, static_cast<size_t>(room));
    const auto length = static_cast<int64_t>(piece.size());
    write_piece(node, {offset, piece, shared}, size);
    offset += length;
    size = std::max(size, offset);
    bytes.remove_prefix(piece.size());
  }
}

void UnitExpander::write_piece(NodeId node, const Piece& piece, int64_t size_before) {
  const PersistenceRules& rules = builder_.rules();
  const int64_t end = piece.offset + static_cast<int64_t>(piece.bytes.size());
  if (end <= size_before) {
    overwrite(node, piece, kNoUnit);
    return;
  }
  // A page that was there is written where it is: what it held changes with or without the size.
  constexpr auto kPage = static_cast<int64_t>(format::kPageSize);
  const bool in_place = piece.offset / kPage * kPage < size_before && !rules.copies_on_write;
  if (rules.growth == Growth::kSizeFirst) {
    const UnitId size = grow(node, end, std::max(piece.offset, size_before));
    overwrite(node, piece, in_place ? kNoUnit : size);
    return;
  }
  if (in_place && piece.offset < size_before) {
    const auto old = static_cast<size_t>(size_before - piece.offset);
    overwrite(node, {piece.offset, piece.bytes.substr(0, old), piece.shared}, kNoUnit);
  }
  const auto page = builder_.memory(node).pages.find(piece.offset / options_.tear_bytes);
  const bool known = page != builder_.memory(node).pages.end();
  const UnitId before = known ? page->second : kNoUnit;
  const bool places_at_once = rules.growth == Growth::kAtOnce || piece.shared;
  append(node, piece, places_at_once ? MetadataOrder::kWithin : MetadataOrder::kBehind);
  // Later writes to such a page come after what it held, not after the new size.
  if (!in_place) return;
  if (known) {
    on_page(node, piece.offset, before);
  } else {
    builder_.memory(node).pages.erase(piece.offset / options_.tear_bytes);
  }
}

/// A step of the size alone; where the model shows old blocks, also those. Returns the last of
/// them.
UnitId UnitExpander::grow(NodeId node, int64_t size, int64_t from) {
  NodeMemory& memory = builder_.memory(node);
  Draft draft;
  draft.unit.kind = UnitKind::kSize;
  draft.unit.node = node;
  draft.unit.offset = size;
  draft.unit.for_reading = true;
  draft.before = {memory.last_size, builder_.needed_name(node)};
  draft.changes.push_back(builder_.size_change(node, size));
  const UnitId id = builder_.add(std::move(draft), MetadataOrder::kBehind);
  if (memory.last_size != kNoUnit && builder_.unit(memory.last_size).kind == UnitKind::kSize) {
    builder_.hide(memory.last_size, id);
  }
  memory.last_size = id;
  remember(node, id);
  if (!builder_.rules().stale_blocks) return id;

  Draft stale;
  stale.unit.kind = UnitKind::kStale;
  stale.unit.node = node;
  stale.unit.offset = from;
  stale.unit.length = size - from;
  stale.unit.for_reading = true;
  stale.before = {id, before_page(node, from)};
  UnitChange garbage;
  garbage.what = UnitChange::What::kGarbage;
  garbage.node = node;
  garbage.offset = from;
  garbage.length = size - from;
  stale.changes.push_back(garbage);
  const UnitId stale_id = builder_.add(std::move(stale), MetadataOrder::kApart);
  on_page(node, from, stale_id);
  builder_.memory(node).cuttable.push_back(stale_id);
  builder_.memory(node).droppable.push_back(stale_id);
  return stale_id;
}

UnitId UnitExpander::overwrite(NodeId node, const Piece& piece, UnitId after) {
  const PersistenceRules& rules = builder_.rules();
  const int64_t offset = piece.offset;
  const auto length = static_cast<int64_t>(piece.bytes.size());
  const UnitId previous = before_page(node, offset);
  Draft draft;
  draft.unit.kind = UnitKind::kData;
  draft.unit.node = node;
  draft.unit.offset = offset;
  draft.unit.length = length;
  draft.unit.for_reading = true;
  draft.before = {previous, after, builder_.needed_name(node)};
  UnitChange change;
  change.node = node;
  change.offset = offset;
  change.bytes = piece.bytes;
  draft.changes.push_back(change);
  const auto page = static_cast<uint64_t>(offset) / format::kPageSize;
  // Without delayed allocation, space for a hole is given in the call itself.
  const bool fills_hole = rules.growth == Growth::kAtOnce && previous == kNoUnit &&
                          stage_.node(node).pages.count(page) == 0;
  const MetadataOrder order = fills_hole || piece.shared ? MetadataOrder::kWithin
                              : rules.copies_on_write    ? MetadataOrder::kBehind
                                                         : MetadataOrder::kApart;
  const UnitId id = builder_.add(std::move(draft), order);
  if (previous != kNoUnit) {
    const Unit& old = builder_.unit(previous);
    const bool covered = old.kind == UnitKind::kData || old.kind == UnitKind::kStale;
    if (covered && old.offset >= offset && old.offset + old.length <= offset + length) {
      builder_.hide(previous, id);
    }
  }
  on_page(node, offset, id);
  remember(node, id);
  return id;
}

/// The size and the bytes up to it, as one.
void UnitExpander::append(NodeId node, const Piece& piece, MetadataOrder order) {
  NodeMemory& memory = builder_.memory(node);
  const int64_t offset = piece.offset;
  const int64_t end = offset + static_cast<int64_t>(piece.bytes.size());
  Draft draft;
  draft.unit.kind = UnitKind::kAppend;
  draft.unit.node = node;
  draft.unit.offset = offset;
  draft.unit.length = end - offset;
  draft.unit.for_reading = true;
  draft.before = {memory.last_size, before_page(node, offset), builder_.needed_name(node)};
  UnitChange content;
  content.node = node;
  content.offset = offset;
  content.bytes = piece.bytes;
  draft.changes = {builder_.size_change(node, end), content};
  const UnitId id = builder_.add(std::move(draft), order);
  memory.last_size = id;
  on_page(node, offset, id);
  remember(node, id);
}

/// Cutting a file within a page zeroes the rest of that page in place: a write like any other,
/// which can be on disk while the size is not. The size is, where it is, there after it: were the
/// file to grow again, its old bytes would come back. Returns the units.
std::vector<UnitId> UnitExpander::zero_tail(NodeId node, int64_t size, int64_t size_before) {
  constexpr auto kPage = static_cast<int64_t>(format::kPageSize);
  std::vector<UnitId> zeroed;
  if (builder_.rules().copies_on_write) return zeroed;
  const int64_t end = std::min(size_before, (size + kPage - 1) / kPage * kPage);
  for (int64_t offset = size; offset < end;) {
    const int64_t length =
        std::min(end - offset, options_.tear_bytes - offset % options_.tear_bytes);
    Draft draft;
    draft.unit.kind = UnitKind::kData;
    draft.unit.node = node;
    draft.unit.offset = offset;
    draft.unit.length = length;
    draft.unit.for_reading = true;
    draft.before = {before_page(node, offset), builder_.needed_name(node)};
    UnitChange change;
    change.what = UnitChange::What::kZero;
    change.node = node;
    change.offset = offset;
    change.length = length;
    draft.changes.push_back(change);
    zeroed.push_back(builder_.add(std::move(draft), MetadataOrder::kApart));
    on_page(node, offset, zeroed.back());
    builder_.memory(node).droppable.push_back(zeroed.back());
    offset += length;
  }
  return zeroed;
}

/// A truncation. What it cuts off is hidden by it; what stays in front of it has come before it.
void UnitExpander::resized(NodeId node, int64_t size, int64_t size_before) {
  const std::vector<UnitId> zeroed = zero_tail(node, size, size_before);
  NodeMemory& memory = builder_.memory(node);
  const CloseFlush at_close = builder_.rules().at_close;
  const bool cut = size < size_before;
  if (cut) release(node, size, INT64_MAX);
  if (at_close == CloseFlush::kAfterAnyCut ? cut : size == 0 && cut) memory.cut = true;
  // btrfs puts the size of the moment into the transaction, whatever waits to be written, also
  // where that is no change (btrfs.cc).
  const bool sizes_apart = builder_.rules().truncation_settles_size;
  const bool waits =
      memory.last_size != kNoUnit && builder_.unit(memory.last_size).kind == UnitKind::kAppend;
  if (size == size_before && !(sizes_apart && waits)) return;

  Draft draft;
  draft.unit.kind = UnitKind::kTruncate;
  draft.unit.node = node;
  draft.unit.offset = size;
  draft.unit.for_reading = true;
  draft.before = {sizes_apart && waits ? kNoUnit : memory.last_size, memory.last_content,
                  builder_.needed_name(node)};
  const auto beyond =
      memory.pages.lower_bound((size + options_.tear_bytes - 1) / options_.tear_bytes);
  // Data that waits for its place, or is written in place, does not hold up a cut in a journal.
  // (What was appended does where the size comes with it, as the last size.) btrfs writes the page
  // that is cut before it cuts.
  auto held_up = beyond;
  if (!builder_.rules().metadata_in_order) held_up = memory.pages.begin();
  if (sizes_apart) {
    constexpr auto kPage = static_cast<int64_t>(format::kPageSize);
    held_up = memory.pages.lower_bound(size / kPage * kPage / options_.tear_bytes);
  }
  if (cut) {
    for (auto page = held_up; page != beyond; ++page) draft.before.push_back(page->second);
  }
  draft.changes.push_back(builder_.size_change(node, size));
  const UnitId id = builder_.add(std::move(draft), MetadataOrder::kWithin);
  memory.last_size = id;
  if (builder_.rules().copies_on_write) memory.last_content = id;
  memory.droppable.push_back(id);
  if (!cut) return;
  for (const UnitId unit : zeroed) builder_.hide(unit, id);
  for (const UnitId unit : memory.cuttable) builder_.cut(unit, id, size);
  memory.pages.erase(beyond, memory.pages.end());
  std::erase_if(memory.cuttable, [&](UnitId unit) {
    const Unit& old = builder_.unit(unit);
    const bool gone = old.kind == UnitKind::kSize ? old.offset > size : old.offset >= size;
    if (gone) builder_.hide(unit, id);
    return gone;
  });
  std::erase_if(memory.unflushed, [&](UnitId unit) { return builder_.unit(unit).hidden_by == id; });
}

void UnitExpander::allocated(const Operation& operation, NodeId node, int64_t size_before) {
  if ((operation.mode & FALLOC_FL_COLLAPSE_RANGE) != 0) {
    changed_range(operation, node, UnitChange::What::kCollapse);
  } else if ((operation.mode & FALLOC_FL_INSERT_RANGE) != 0) {
    changed_range(operation, node, UnitChange::What::kInsert);
  } else {
    const int64_t size = stage_.node(node).size;
    if (size > size_before) resized(node, size, size_before);
    const int64_t end = operation.offset + operation.length;
    if ((operation.mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) != 0) {
      changed_range(operation, node, UnitChange::What::kZero);
      release(node, operation.offset, end);
    }
    if ((operation.mode & FALLOC_FL_PUNCH_HOLE) == 0) allocate(node, operation.offset, end);
  }
}

/// Holes, zeros and moved content: one step, behind all that was written to the file before. (The
/// kernel writes the range back, or drops it, before it changes the extents.)
void UnitExpander::changed_range(const Operation& operation, NodeId node, UnitChange::What what) {
  NodeMemory& memory = builder_.memory(node);
  Draft draft;
  draft.unit.kind = UnitKind::kAllocate;
  draft.unit.node = node;
  draft.unit.offset = operation.offset;
  draft.unit.length = operation.length;
  draft.unit.for_reading = true;
  draft.before = {memory.last_size, memory.last_content, builder_.needed_name(node)};
  for (const auto& [page, unit] : memory.pages) draft.before.push_back(unit);
  UnitChange change;
  change.what = what;
  change.node = node;
  change.offset = operation.offset;
  change.length = operation.length;
  draft.changes.push_back(change);
  const UnitId id = builder_.add(std::move(draft), MetadataOrder::kWithin);
  memory.last_content = id;
  if (what != UnitChange::What::kZero) memory.last_size = id;
  memory.pages.clear();
  memory.cuttable.clear();
  memory.droppable.push_back(id);
}

void UnitExpander::changed_attributes(NodeId node) {
  if (log_) log_->changed_attributes(node);
  NodeMemory& memory = builder_.memory(node);
  Draft draft;
  draft.unit.kind = UnitKind::kAttributes;
  draft.unit.node = node;
  draft.before = {memory.last_attributes, builder_.needed_name(node)};
  UnitChange change;
  change.what = UnitChange::What::kAttributes;
  change.node = node;
  change.cell = builder_.attribute_cell(node);
  change.attributes = stage_.node(node).attributes;
  draft.changes.push_back(change);
  const UnitId id = builder_.add(std::move(draft), MetadataOrder::kWithin);
  if (memory.last_attributes != kNoUnit) builder_.hide(memory.last_attributes, id);
  memory.last_attributes = id;
  memory.droppable.push_back(id);
}

/// The last close of a descriptor: no guarantee, but a file that had been truncated is sent to
/// disk.
void UnitExpander::closed(NodeId node) {
  NodeMemory& memory = builder_.memory(node);
  if (!memory.cut || builder_.rules().at_close == CloseFlush::kNever) return;
  memory.cut = false;
  if (!is_flushed_early(node)) return;
  std::vector<UnitId> started;
  for (const UnitId unit : memory.unflushed) {
    const bool size = builder_.unit(unit).kind == UnitKind::kSize;
    if (builder_.rules().close_flushes == Flush::kData || size) started.push_back(unit);
  }
  memory.unflushed.clear();
  builder_.start_flush(started);
}

}  // namespace everycrash
