#!/bin/bash
# Tries a sweep over ssh for real: two hosts, each a network namespace with its own sshd and its own
# empty folder where this machine has the trace, so that everything has to be sent and fetched.
# Asserts that the merged document has the bytes of one run, also after a host was lost on the way.
# For root; needs sshd, rsync, ip and GNU parallel. Leaves nothing behind.
#
#   EVERYCRASH=build/bin/everycrash scripts/distributed/try-ssh.sh
set -eu

. "$(dirname "$0")/try-common.sh"
need "make network namespaces" sshd rsync ip parallel ssh-keygen
hosts=(1 2)
scratch=$(mktemp -d)
daemons=()

clean_up() {
  for daemon in "${daemons[@]}"; do kill -- "-$daemon" 2>/dev/null || true; done
  for host in "${hosts[@]}"; do
    ip netns del "everycrash-try-$host" 2>/dev/null || true
    ip link del "ectry$host" 2>/dev/null || true
  done
  rm -rf "$scratch"
}
trap clean_up EXIT

cd "$scratch"
mkdir -p sweep /run/sshd
ssh-keygen -q -t ed25519 -N '' -f host
ssh-keygen -q -t ed25519 -N '' -f user
cp user.pub authorized
cat >ssh_config <<END
Host *
  User root
  IdentityFile $scratch/user
  UserKnownHostsFile /dev/null
  StrictHostKeyChecking no
  LogLevel ERROR
  ConnectTimeout 5
  ServerAliveInterval 2
END
cat >sshd_config <<END
HostKey $scratch/host
AuthorizedKeysFile $scratch/authorized
StrictModes no
UsePAM no
PermitRootLogin yes
PidFile none
AcceptEnv *
END
for host in "${hosts[@]}"; do
  space=everycrash-try-$host
  ip netns add "$space"
  ip link add "ectry$host" type veth peer name eth0 netns "$space"
  ip addr add "10.213.$host.1/30" dev "ectry$host"
  ip link set "ectry$host" up
  ip -n "$space" addr add "10.213.$host.2/30" dev eth0
  ip -n "$space" link set eth0 up
  ip -n "$space" link set lo up
  # In a session of its own, so that it can be ended with its connections; a file system of its own
  # where the sweep is.
  setsid ip netns exec "$space" unshare --mount --propagation private sh -c \
    "mount -t tmpfs host sweep && exec $(command -v sshd) -D -e -f $scratch/sshd_config" \
    2>"sshd-$host.log" &
  daemons+=($!)
  echo "2/10.213.$host.2" >>hosts
done
for host in "${hosts[@]}"; do
  for ((attempt = 0; attempt < 50; attempt++)); do
    ssh -F ssh_config "10.213.$host.2" true 2>/dev/null && break
    sleep 0.1
  done
done

cd sweep
record_and_explore_whole

export HOSTS=$scratch/hosts PARALLEL_SSH="ssh -F $scratch/ssh_config" PARALLEL_HOME=$scratch/home
"$scripts/with-parallel.sh" 6 out app.trace "${crashes[@]}" >../sweep.log 2>&1 || [ $? = 1 ] ||
  { cat ../sweep.log; exit 1; }
cmp out/result.json ../whole/result.json
echo "6 parts on $(cut -f 2 out/joblog | tail -n +2 | sort -u | wc -l) hosts: same bytes as one run"

# The second host is lost: what was to run there runs on the first.
kill -- "-${daemons[1]}"
rm -r out
"$scripts/with-parallel.sh" 6 out app.trace "${crashes[@]}" >../sweep.log 2>&1 || [ $? = 1 ] ||
  { cat ../sweep.log; exit 1; }
cmp out/result.json ../whole/result.json
echo "6 parts with one of the hosts lost: same bytes as one run"
