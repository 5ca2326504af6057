#!/usr/bin/env bash
# packages.sh BUILD: makes the packages, and tries each on a clean Debian 12. As root, with debootstrap; takes minutes.
set -euo pipefail
build=$(cd "$1" && pwd)
examples=$(cd "$(dirname "$0")/../../docs/examples" && pwd)
folder=$(mktemp -d)
trap 'umount "$folder/debian/proc" 2>/dev/null || true; rm -rf "$folder"' EXIT
(cd "$build" && cpack -G 'DEB;TGZ' -B "$folder/packages")
debootstrap --variant=minbase bookworm "$folder/debian"
mount -t proc proc "$folder/debian/proc" # where a program finds its own libraries
inside() { chroot "$folder/debian" bash -ec "$1"; }
install() { inside "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $1"; }
# libtorch's own headers, without a word about where they are.
try() {
  status=0
  inside "cd /tmp/examples && $1 --version && $1 check . --cache=" | tee "$folder/said" || status=$?
  [ "${PIPESTATUS[0]}" -le 1 ] && [ $status -le 1 ] && grep -q 'finetune.cpp:22:17: warning: ' "$folder/said"
}
cp -r "$examples" "$folder/debian/tmp/examples"

# The tarball first: nothing of LLVM is there yet.
tar xzf "$folder"/packages/*.tar.gz -C "$folder/debian/opt"
install "libstdc++-12-dev libtorch-dev"
try /opt/samedevice-*/bin/samedevice
rm -r "$folder"/debian/opt/samedevice-*

cp "$folder"/packages/*.deb "$folder/debian/tmp"
install "/tmp/$(basename "$folder"/packages/*.deb)"
try samedevice
echo "both packages work"
