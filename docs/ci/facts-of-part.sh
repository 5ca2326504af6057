#!/bin/sh
# facts-of-part.sh PART PARTS BUILD OUT: of each PARTS-th source of BUILD/compile_commands.json, from number PART (0, 1, ..)
# on, the facts as an object in OUT. What cannot be read costs a line; the others are made all the same.
set -eu
part=$1 parts=$2 build=$3 out=$4
mkdir -p "$out"
python3 - "$build" "$part" "$parts" <<'END' |
import json, os, sys
build, part, parts = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open(os.path.join(build, 'compile_commands.json')) as database:
    files = sorted({os.path.join(entry['directory'], entry['file']) for entry in json.load(database)})
print('\n'.join(files[part::parts]))
END
while read -r source; do
  name=$(printf %s "$source" | tr -c 'A-Za-z0-9._\n-' _)
  [ -z "$source" ] || samedevice facts -o "$out/$name.facts" -p "$build" "$source" || true
done
