#include "harness/disk/disk_image.h"

#include <algorithm>
#include <cstring>

#include "harness/base/error.h"

namespace everycrash {

DiskImage::DiskImage(uint64_t size_bytes) : size_bytes_(size_bytes) {
  EVERYCRASH_ASSERT(size_bytes % kPageBytes == 0);
  pages_.emplace_back();
  for (Layer& layer : layers_) layer.table.assign(size_bytes / kPageBytes, 0);
}

DiskImage::PageIndex DiskImage::below(size_t layer, uint64_t page) const {
  return layer == kFresh ? 0 : layers_[layer - 1].table[page];
}

DiskImage::PageIndex DiskImage::take_page() {
  if (free_.empty()) {
    pages_.emplace_back();
    return static_cast<PageIndex>(pages_.size() - 1);
  }
  const PageIndex index = free_.back();
  free_.pop_back();
  return index;
}

/// The bytes of a page of the present, which from now on is its own.
char* DiskImage::writable(uint64_t page) {
  Layer& present = layers_[kPresent];
  const PageIndex shared = below(kPresent, page);
  if (present.table[page] == shared) {
    const PageIndex own = take_page();
    pages_[own] = pages_[shared];
    present.table[page] = own;
    present.changed.push_back(page);
  }
  return pages_[present.table[page]].data();
}

bool DiskImage::clip(uint64_t offset, uint64_t& length) const {
  if (offset >= size_bytes_) return false;
  length = std::min(length, size_bytes_ - offset);
  return true;
}

void DiskImage::read(uint64_t offset, std::span<char> into) const {
  uint64_t length = into.size();
  if (!clip(offset, length)) return;
  for (uint64_t done = 0; done < length;) {
    const uint64_t at = (offset + done) % kPageBytes;
    const uint64_t piece = std::min(kPageBytes - at, length - done);
    const Page& page = pages_[layers_[kPresent].table[(offset + done) / kPageBytes]];
    std::memcpy(into.data() + done, page.data() + at, piece);
    done += piece;
  }
}

void DiskImage::put(uint64_t offset, const char* bytes, uint64_t length) {
  for (uint64_t done = 0; done < length;) {
    const uint64_t at = (offset + done) % kPageBytes;
    const uint64_t piece = std::min(kPageBytes - at, length - done);
    const uint64_t page = (offset + done) / kPageBytes;
    if (bytes != nullptr) {
      std::memcpy(writable(page) + at, bytes + done, piece);
    } else if (layers_[kPresent].table[page] != 0) {
      std::memset(writable(page) + at, 0, piece);
    }
    done += piece;
  }
}

void DiskImage::note(DiskRequest::Kind kind, uint64_t offset, std::string_view bytes,
                     uint64_t length) {
  if (!logging_) return;
  log_.push_back({kind, offset, length});
  log_data_.emplace_back(bytes);
}

void DiskImage::write(uint64_t offset, std::string_view bytes) {
  uint64_t length = bytes.size();
  if (!clip(offset, length)) return;
  note(DiskRequest::Kind::kWrite, offset, bytes.substr(0, length), length);
  put(offset, bytes.data(), length);
}

void DiskImage::discard(uint64_t offset, uint64_t length) {
  if (!clip(offset, length)) return;
  note(DiskRequest::Kind::kDiscard, offset, {}, length);
  put(offset, nullptr, length);
}

void DiskImage::flush() {
  note(DiskRequest::Kind::kFlush, 0, {}, 0);
}

/// Takes off what LAYER holds of its own. The layers above must hold nothing of their own.
void DiskImage::drop(size_t layer) {
  Layer& here = layers_[layer];
  for (const uint64_t page : here.changed) {
    free_.push_back(here.table[page]);
    for (size_t above = layer; above <= kPresent; ++above) {
      layers_[above].table[page] = below(layer, page);
    }
  }
  here.changed.clear();
}

/// What LAYER holds of its own becomes part of the layer below.
void DiskImage::settle(size_t layer) {
  Layer& here = layers_[layer];
  Layer& under = layers_[layer - 1];
  for (const uint64_t page : here.changed) {
    if (under.table[page] == below(layer - 1, page)) {
      under.changed.push_back(page);
    } else {
      free_.push_back(under.table[page]);
    }
    under.table[page] = here.table[page];
  }
  here.changed.clear();
}

void DiskImage::make_fresh() {
  settle(kPresent);
  settle(kBase);
  stop_log();
  log_.clear();
  log_data_.clear();
}

void DiskImage::start_log() {
  settle(kPresent);
  log_.clear();
  log_data_.clear();
  logging_ = true;
}

void DiskImage::reset() {
  stop_log();
  drop(kPresent);
  drop(kBase);
  log_.clear();
  log_data_.clear();
}

Digest DiskImage::become(std::span<const uint8_t> kept) {
  stop_log();
  drop(kPresent);
  for (size_t i = 0; i < std::min(kept.size(), log_.size()); ++i) {
    if (kept[i] == kLost) continue;
    const DiskRequest& request = log_[i];
    if (request.kind == DiskRequest::Kind::kWrite) {
      const uint64_t half = request.length / 2 / kPageBytes * kPageBytes;
      const uint64_t begin = kept[i] == kSecondHalf ? half : 0;
      const uint64_t end = kept[i] == kFirstHalf ? half : request.length;
      put(request.offset + begin, log_data_[i].data() + begin, end - begin);
    } else if (request.kind == DiskRequest::Kind::kDiscard) {
      put(request.offset, nullptr, request.length);
    }
  }
  Digest sum;
  for (const uint64_t page : layers_[kPresent].changed) {
    const Page& now = pages_[layers_[kPresent].table[page]];
    const Page& before = pages_[layers_[kBase].table[page]];
    if (now != before) sum += digest_of({now.data(), now.size()}, page + 1);
  }
  return sum;
}

std::vector<uint64_t> DiskImage::used_pages() const {
  std::vector<uint64_t> used;
  const std::vector<PageIndex>& table = layers_[kPresent].table;
  for (uint64_t page = 0; page < table.size(); ++page) {
    if (table[page] != 0 && pages_[table[page]] != pages_[0]) used.push_back(page);
  }
  return used;
}

}  // namespace everycrash
