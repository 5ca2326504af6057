#!/usr/bin/env bash
# installed.sh BUILD STAND_INS CONSUMER: installs what BUILD has, and uses all of it as somebody else would.
set -euo pipefail
build=$1 stand_ins=$2 consumer=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/moved
fail() { echo "installed.sh: $*" >&2; exit 1; }

cmake --install "$build" --prefix "$folder/prefix" >"$folder/log" || { cat "$folder/log"; exit 1; }
mv "$folder/prefix" "$prefix" # nothing may know where it was installed
export XDG_CACHE_HOME=$folder/cache
version=$("$prefix/bin/samedevice" --version)
[[ $version == *"samedevice "[0-9]*"LLVM 19."*"PyTorch 1.13, 2.6, 2.14"* ]] || fail "--version says: $version"

# find_package, and a finding while it is compiled; an error where the project wants one.
cp -r "$consumer" "$folder/consumer" # away from this project's own .clang-tidy
cmake -S "$folder/consumer" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" -DSTAND_INS="$stand_ins" >"$folder/log"
cmake --build "$folder/build" >"$folder/log" 2>&1 || { cat "$folder/log"; fail "a warning has ended the build"; }
grep -q 'net.cpp:3:33: warning: .*\[device-discarded-to\]' "$folder/log" || { cat "$folder/log"; fail "no finding"; }
# Sources that are linked are checked together: what a program mixes is found when that is linked, and nothing else is.
grep -q 'frames.cpp:2:47: warning: .*\[device-mixed-operands\]' "$folder/log" || { cat "$folder/log"; fail "nothing linked"; }
[ "$(grep -c 'warning:.*device-' "$folder/log")" = 2 ] || { cat "$folder/log"; fail "more than two findings"; }
cmake --build "$folder/build" | grep -q 'warning:' && fail "checked again without a change"
facts() { find "$folder/build" -name '*.facts' -newer "$folder/before" -printf '%f '; }
touch "$folder/before"
sleep 1
touch "$folder/consumer/cpu.cpp"
cmake --build "$folder/build" >"$folder/log" 2>&1
[ "$(facts)" = "cpu.cpp.o.facts " ] || fail "an edit has made anew: $(facts)"
grep -q 'warning:' "$folder/log" && fail "the other program was checked again"
cp -r "$consumer" "$folder/strict"
echo "WarningsAsErrors: 'device-*'" >"$folder/strict/.clang-tidy"
cmake -S "$folder/strict" -B "$folder/strict-build" -DCMAKE_PREFIX_PATH="$prefix" -DSTAND_INS="$stand_ins" >"$folder/log"
! cmake --build "$folder/strict-build" >"$folder/log" 2>&1 || fail "an error has not ended the build"
grep -q 'net.cpp:3:33: error: ' "$folder/log" || { cat "$folder/log"; fail "no error"; }

# The manual says what --help says, and shells understand the completions.
manual=$prefix/share/man/man1/samedevice.1
for option in $("$prefix/bin/samedevice" check --help | grep -oE '^  --?[a-z-]+' | grep -vE -- '--(help|version)'); do
  grep -qF -- "\\fB${option//-/\\-}\\fR" "$manual" || fail "the man page does not know $option"
done
if command -v man >/dev/null; then
  problems=$(MANWIDTH=100 man --warnings -l "$manual" 2>&1 >/dev/null || true)
  [ -z "$problems" ] || fail "man: $problems"
fi
complete() { # WORDS...: what bash offers for the last one
  bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _samedevice; echo "${COMPREPLY[*]}"' \
    "$prefix/share/bash-completion/completions/samedevice" "$@"
}
[ "$(complete samedevice me)" = merge ] || fail "bash: me"
[ "$(complete samedevice check --bas)" = --baseline ] || fail "bash: --bas"
[ "$(complete samedevice check --fail-on = e)" = errors ] || fail "bash: --fail-on=e"
if command -v zsh >/dev/null; then
  zsh -n "$prefix"/share/zsh/*/_samedevice || fail zsh
fi
if command -v fish >/dev/null; then
  offered=$(fish -c "source '$prefix/share/fish/vendor_completions.d/samedevice.fish'; complete -C 'samedevice check --bas'")
  [[ $offered == --baseline* ]] || fail "fish: $offered"
fi

# What a .deb has lies where the system looks for it; packages.sh installs it on a clean system.
if command -v dpkg-deb >/dev/null; then
  (cd "$build" && cpack -G DEB -B "$folder/packages") >"$folder/log" 2>&1 || { cat "$folder/log"; fail "no .deb"; }
  [[ $(dpkg-deb -c "$folder"/packages/*.deb) == *" ./usr/bin/samedevice"$'\n'* ]] || fail "the .deb has no /usr/bin/samedevice"
fi
echo "installed, and used"
