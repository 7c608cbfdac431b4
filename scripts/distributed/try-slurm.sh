#!/bin/bash
# Tries a sweep as a Slurm array job for real, on a cluster of one node that is made for it: its own
# munged, slurmctld and slurmd, all in one scratch folder. Asserts that the merged document has the
# bytes of one run, and that a part that is lost is named and comes back when the sweep is called
# again. For root; needs Debian's slurm-wlm and munge. Leaves nothing behind.
#
#   EVERYCRASH=build/bin/everycrash scripts/distributed/try-slurm.sh
set -eu

. "$(dirname "$0")/try-common.sh"
PATH=$PATH:/usr/sbin:/sbin
need "start slurmd" munged slurmctld slurmd sbatch
scratch=$(mktemp -d)
daemons=()

clean_up() {
  scancel --name=everycrash 2>/dev/null || true
  for daemon in "${daemons[@]}"; do kill "$daemon" 2>/dev/null || true; done
  for daemon in "${daemons[@]}"; do wait "$daemon" 2>/dev/null || true; done
  rm -rf "$scratch"
}
trap clean_up EXIT

cd "$scratch"
mkdir -m 755 munge state spool sweep
head -c 1024 /dev/urandom >munge/key
chmod 400 munge/key
node=$(hostname -s)
cat >slurm.conf <<END
ClusterName=try
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/munge/socket
CredType=cred/munge
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MailProg=/bin/true
MinJobAge=300
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=try Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$scratch/slurm.conf
munged --foreground --force --key-file="$scratch/munge/key" --socket="$scratch/munge/socket" \
  --pid-file="$scratch/munge/pid" --seed-file="$scratch/munge/seed" \
  --log-file="$scratch/munge/log" >munged.log 2>&1 &
daemons+=($!)
for ((attempt = 0; attempt < 50; attempt++)); do
  [ -S munge/socket ] && break
  sleep 0.1
done
slurmctld -D >slurmctld.log 2>&1 &
daemons+=($!)
slurmd -D -N "$node" >slurmd.log 2>&1 &
daemons+=($!)
for ((attempt = 0; attempt < 100; attempt++)); do
  sinfo --noheader --format=%T 2>/dev/null | grep -q idle && break
  sleep 0.2
done
sinfo --noheader --format='%N %T' || { tail -n 20 munged.log slurmctld.log slurmd.log; exit 1; }

# Waits for the jobs of a sweep, of which the merge is the last.
wait_for() {
  local attempt
  for ((attempt = 0; attempt < 300; attempt++)); do
    [ -z "$(squeue --noheader 2>/dev/null)" ] && return
    sleep 0.3
  done
  squeue
  return 1
}

cd sweep
record_and_explore_whole

"$scripts/with-slurm.sh" 4 out app.trace "${crashes[@]}"
wait_for
cmp out/result.json ../whole/result.json || { tail -n 20 out/*.log ../slurm*.log; exit 1; }
echo "4 tasks of an array job: same bytes as one run"

rm out/shard-2.json out/result.json
"$scripts/merge-shards.sh" out app.trace >../merge.log 2>&1 && exit 1
grep -q "shard 2/4 is missing" ../merge.log
"$scripts/with-slurm.sh" 4 out app.trace "${crashes[@]}"
wait_for
cmp out/result.json ../whole/result.json
echo "shard 2/4 was lost, named, and run again: same bytes as one run"
