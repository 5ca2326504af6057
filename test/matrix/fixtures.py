#!/usr/bin/env python3
"""A fixture for each check and side, with the stand-in headers: whether a clang-tidy warns where the fixture says.

    test/matrix/fixtures.py --clang-tidy clang-tidy-16 --plugin build/llvm-16/lib/samedevice-tidy.so [--headers FLAGS]

Prints `N of M` and what was different. With --all: every fixture that is a .cpp. --headers: other headers in place of the
stand-ins, as flags; these are many, and --own-code-only loads what spares clang-tidy from looking into them."""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CUDA = pathlib.Path("/usr/local/cuda/include")
WARNING = re.compile(r"^[^\s:]+:(\d+):\d+: (?:warning|error): .*\[([\w,-]+)\]$", re.MULTILINE)


def expected(path):
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for part in line.split("//")[1:]:
            if match := re.match(r"\s*expect:\s*(device-[\w-]+)", part):
                found.append((number, match[1]))
    return sorted(found)


def chosen(everything):
    for folder in sorted((ROOT / "test/fixtures").iterdir()):
        files = [file for file in sorted(folder.glob("*.cpp")) if not file.name.startswith(("FN_", "FP_"))]
        if everything:
            yield from files
            continue
        for side in ("bad", "ok"):
            of_side = [file for file in files if file.stem.endswith("_" + side)
                       and (CUDA.exists() or not re.search("#include <(cu|c10/cuda|ATen/cuda)", file.read_text()))]
            yield from of_side[:1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang-tidy", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--headers", default=f"-isystem {ROOT}/test/stand_ins -isystem {CUDA}")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--own-code-only", metavar="PLUGIN")
    options = parser.parse_args()
    files = list(chosen(options.all))
    right = 0
    spare = ["-load", options.own_code_only] if options.own_code_only else []
    for file in files:
        run = subprocess.run([options.clang_tidy, "-load", options.plugin, *spare, "--quiet",
                              "--config={Checks: '-*,device-*,own-code-only'}", file,
                              "--", "-std=c++17", "-DTORCH_EXTENSION_NAME=fixture", *shlex.split(options.headers)],
                             capture_output=True, text=True)
        found = sorted((int(line), check.split(",")[0]) for line, check in WARNING.findall(run.stdout))
        right += found == expected(file)
        if found != expected(file):
            print(f"{file.relative_to(ROOT)}: expected {expected(file)}, found {found} {run.stderr.strip()[:300]}")
    print(f"{right} of {len(files)}")
    return right != len(files)


if __name__ == "__main__":
    sys.exit(main())
