#!/usr/bin/env bash
# What action.yml runs. PATHS, BUILD, BASE, OPTIONS, SARIF: its inputs.
set -euo pipefail
export PATH="$HOME/.samedevice/bin:$PATH"
# The merge base has to be there: actions/checkout takes one commit.
if [ -n "${BASE:-}" ] && ! git merge-base "$BASE" HEAD >/dev/null 2>&1; then
  git fetch --quiet --unshallow origin 2>/dev/null || git fetch --quiet origin "$BASE"
fi
# shellcheck disable=SC2086 # paths and options are lists
exec samedevice check ${PATHS:-.} --github ${SARIF:+--sarif "$SARIF"} ${BUILD:+-p "$BUILD"} ${BASE:+--diff "$BASE"} \
  --fail-on=findings ${OPTIONS:-}
