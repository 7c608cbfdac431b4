#!/bin/bash
# A sweep with GNU parallel, on this machine or over ssh.
#
#   everycrash record --trace app.trace -- ./app
#   with-parallel.sh N OUT app.trace --check ./check --crash power      # N parts, here
#   HOSTS=hosts.txt with-parallel.sh N OUT app.trace --check ./check    # on the hosts of this file
#
# hosts.txt is a --sshloginfile of GNU parallel ("4/user@host" = four at a time on that host). Each
# host needs everycrash, the program under test and the checker at the same places as here; the
# trace is sent, results are fetched. JOBS is the number of parts that run at a time on one machine.
# What is lost is tried once more elsewhere; call the same command again for what is still missing.
set -u

if [ $# -lt 3 ]; then
  echo "usage: with-parallel.sh N OUT TRACE [OPTION of everycrash explore...]" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
parts=$1 out=$2 trace=$3
shift 3
case "$out$trace" in
  *..* | /* | *:/*)
    echo "name OUT and TRACE relative to this folder: they are at the same place on each host" >&2
    exit 2
    ;;
esac
mkdir -p "$out"
: "${JOBS:=$(nproc)}"
arguments=(--will-cite --retries 2 --joblog "$out/joblog" --jobs "$JOBS")
run=("$here/run-shard.sh")
if [ -n "${HOSTS:-}" ]; then
  arguments+=(--sshloginfile "$HOSTS" --workdir "$PWD" --basefile "$trace"
    --return "$out/shard-{}.json" --env EVERYCRASH)
  # The script itself is sent as text, so that a host needs nothing but everycrash.
  run=(bash -c "$(cat "$here/run-shard.sh")" run-shard.sh)
fi
# One worker a part: the parts run side by side.
export EVERYCRASH=${EVERYCRASH:-everycrash}
seq "$parts" | parallel "${arguments[@]}" --quote "${run[@]}" "{}/$parts" "$out" "$trace" \
  --jobs 1 "$@"
exec "$here/merge-shards.sh" "$out" "$trace"
