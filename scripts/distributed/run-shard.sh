#!/bin/bash
# Explores one part of a recorded trace: what each worker of a sweep does.
#
#   run-shard.sh I/N OUT TRACE [OPTION of everycrash explore...]
#
# Writes OUT/shard-I.json. A part whose result is there already is not run again, so a sweep that
# lost some can simply be started again. Exits with 0 if there is a verdict (finding or not), and as
# everycrash does where there is none. EVERYCRASH names the program.
set -u

if [ $# -lt 3 ]; then
  echo "usage: run-shard.sh I/N OUT TRACE [OPTION of everycrash explore...]" >&2
  exit 2
fi
shard=$1 out=$2 trace=$3
shift 3
result=$out/shard-${shard%%/*}.json
[ -s "$result" ] && exit 0

mkdir -p "$out" || exit 3
"${EVERYCRASH:-everycrash}" explore "$trace" "$@" --shard "$shard" --json "$result" --quiet \
  >"$out/shard-${shard%%/*}.log" 2>&1
status=$?
# merge needs one copy of the trace, and whoever runs it has one.
rm -f "$result.trace"
case $status in
  0 | 1 | 5) exit 0 ;;
  *)
    rm -f "$result"
    echo "shard $shard has no verdict (exit status $status):" >&2
    tail -n 5 "$out/shard-${shard%%/*}.log" >&2
    exit "$status"
    ;;
esac
