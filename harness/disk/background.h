// Background events, made on a mounted disk.
#pragma once

#include "harness/base/error.h"
#include "harness/disk/disk.h"
#include "harness/disk/replayer.h"
#include "harness/disk/schedule.h"

namespace everycrash {

/// Holds the file of "another program" on DISK, whose fsync commits the journal. One thread.
class Background {
 public:
  /// Makes that file on a disk that is mounted; part of the tree before the workload.
  static Status prepare(const Disk& disk);
  /// DISK is mounted and prepared.
  Background(const Disk& disk, Replayer& replayer);
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background();

  Status make(const BackgroundEvent& event);

 private:
  Status commit();
  Status commit_transaction();

  const Disk& disk_;
  Replayer& replayer_;
  int file_;
};

}  // namespace everycrash
