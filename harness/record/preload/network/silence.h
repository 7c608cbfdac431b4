// Sockets whose peers are silent for now, in this process. All of it under the lock.
#pragma once

#include <stdint.h>

namespace everycrash::preload {

/// Begins to let calls of that kind on DESCRIPTOR hang, for so many milliseconds or (0) for as long
/// as it is open. With DROP what comes for a TCP socket is dropped so long, for poll(2) to see the
/// silence too; true if it is. Where so many sockets are silent at once that there is no room, it
/// is as if the time were over.
bool begin_silence(int descriptor, uint16_t kind, int64_t duration_ms, bool drop);

/// True if a silence on DESCRIPTOR has ended, and the call that met it, which could not wait, has
/// not been made since: that call is due now, not another fault. Ends what is over. With FORGET it
/// counts as made.
bool has_healed(int descriptor, uint16_t kind, bool forget);

/// How many milliseconds calls of that kind on DESCRIPTOR still hang; 0 = not, -1 = for ever.
int64_t silence_left_ms(int descriptor, uint16_t kind);

/// Ends the silences whose time is over. Returns milliseconds until the next one ends, -1 if none
/// does.
int64_t end_old_silences();

}  // namespace everycrash::preload
