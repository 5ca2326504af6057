#!/usr/bin/env bash
# parts.sh SAMEDEVICE STAND_INS PROGRAM DOCS: docs/ci's job array, in a stand-in for Slurm that runs one task after the
# other on this machine, and the commands that the GitHub matrix runs. Neither Slurm nor GitHub has a part in it.
set -euo pipefail
samedevice=$1 stand_ins=$2 program=$3 docs=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "parts.sh: $*" >&2; exit 1; }
mkdir -p "$folder/docs/ci" "$folder/build"
cp "$docs"/*.sh "$folder/docs/ci"
cp "$program"/* "$folder"
cd "$folder"
PATH=$(dirname "$samedevice"):$PATH
python3 - "$stand_ins" <<'END' >build/compile_commands.json
import glob, json, os, sys
print(json.dumps([{'directory': os.getcwd(), 'file': file, 'arguments': ['c++', '-std=c++17', '-isystem', sys.argv[1],
                                                                          '-c', file]} for file in glob.glob('*.cpp')]))
END
for ((SLURM_ARRAY_TASK_ID = 0; SLURM_ARRAY_TASK_ID < 3; SLURM_ARRAY_TASK_ID++)); do
  export SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT=3
  docs/ci/slurm-array.sh build facts
done
samedevice link facts/*.facts >array && fail "the array has found nothing"
for part in 0 1 2 3; do
  docs/ci/facts-of-part.sh "$part" 4 build "facts-$part"
done
mkdir merged
cp facts-*/*.facts merged
samedevice link merged/*.facts >matrix && fail "the matrix has found nothing"
cmp array matrix || fail "in three parts it is something else than in four"
grep -q ': warning: .*\[device-' array || fail "no warning: $(cat array)"
echo "in parts as in one"
