# For try-ssh.sh and try-slurm.sh, which source it: what is swept, and what one run makes of it.

scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
EVERYCRASH=$(realpath "$(command -v "${EVERYCRASH:-everycrash}")")
export EVERYCRASH
crashes=(--crash kill,power --fs posix,ext4)

# Skips where a program is missing, or this is not root.
need() {  # WHY-ROOT PROGRAM...
  local tool
  for tool in "${@:2}"; do
    command -v "$tool" >/dev/null || { echo "no $tool here"; exit 77; }
  done
  [ "$(id -u)" = 0 ] || { echo "only root can $1"; exit 77; }
}

# Makes app.trace in the current folder, and the result of one run over all of it in ../whole.
record_and_explore_whole() {
  cat >../app <<'END'
#!/bin/sh
for i in 1 2 3 4; do
  echo "state $i 0123456789" >state.tmp && mv state.tmp state && echo "saved $i"
done
END
  chmod +x ../app
  "$EVERYCRASH" record --trace app.trace -- ../app >/dev/null
  mkdir out
  "$EVERYCRASH" explore app.trace "${crashes[@]}" --json out/result.json --quiet >/dev/null ||
    [ $? = 1 ]
  mv out ../whole
}
