#!/bin/bash
# Joins the results of all parts into the one document of the whole run.
#
#   merge-shards.sh OUT TRACE [OPTION of everycrash merge...]
#
# Reads OUT/shard-*.json and writes OUT/result.json. Where parts are missing, everycrash says which;
# run them again, alone, with run-shard.sh. Exits as everycrash merge does: 1 = there is a finding.
set -u

if [ $# -lt 2 ]; then
  echo "usage: merge-shards.sh OUT TRACE [OPTION of everycrash merge...]" >&2
  exit 2
fi
out=$1 trace=$2
shift 2
shopt -s nullglob
results=("$out"/shard-*.json)
if [ ${#results[@]} = 0 ]; then
  echo "there is no $out/shard-*.json" >&2
  exit 2
fi
cp "$trace" "${results[0]}.trace" || exit 3
"${EVERYCRASH:-everycrash}" merge "${results[@]}" --json "$out/result.json" "$@"
status=$?
rm -f "${results[0]}.trace"
exit "$status"
