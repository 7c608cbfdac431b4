#!/bin/bash
# A sweep as a Slurm array job: a task for each part, and a last one that merges.
#
#   everycrash record --trace app.trace -- ./app
#   with-slurm.sh N OUT app.trace --check ./check --crash power
#
# Runs in a folder that all nodes share. SBATCH_OPTIONS goes to sbatch ("--partition=batch
# --time=30"). Prints the ids of both jobs. A part that is lost is named by the merge, in
# OUT/merge.log; the same command again runs only what is missing.
set -u

if [ $# -lt 3 ]; then
  echo "usage: with-slurm.sh N OUT TRACE [OPTION of everycrash explore...]" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
parts=$1 out=$2 trace=$3
shift 3
mkdir -p "$out"
read -ra options <<<"${SBATCH_OPTIONS:-}"

# Slurm copies a batch script to the node, so this one only calls those that lie here.
array=$(sbatch --parsable --job-name=everycrash --array="1-$parts" --output="$out/slurm-%a.log" \
  ${options[@]+"${options[@]}"} <<END
#!/bin/bash
exec $(printf '%q ' "$here/run-shard.sh") "\$SLURM_ARRAY_TASK_ID/$parts" $(printf '%q ' \
  "$out" "$trace" --jobs 1 "$@")
END
) || exit 3
# afterany: also where a part was lost, since the merge says which.
merge=$(sbatch --parsable --job-name=everycrash-merge --dependency="afterany:$array" \
  --output="$out/merge.log" ${options[@]+"${options[@]}"} <<END
#!/bin/bash
exec $(printf '%q ' "$here/merge-shards.sh" "$out" "$trace")
END
) || exit 3
echo "$array $merge"
