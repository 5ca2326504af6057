#!/usr/bin/env python3
"""A fixture for each check and side, with the stand-in headers: whether a clang-tidy warns where the fixture says.

    test/matrix/fixtures.py --clang-tidy clang-tidy-16 --plugin build/llvm-16/lib/samedevice-tidy.so [--headers FLAGS]

Prints `N of M` and what was different. --headers: other headers in place of the stand-ins, as flags; these are many, and
--own-code-only loads what spares clang-tidy from looking into them. With --all, which takes that and clang-tidy 19: every
fixture that is a .cpp, in one clang-tidy, with the headers precompiled."""
import argparse
import collections
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CUDA = pathlib.Path("/usr/local/cuda/include")
WARNING = re.compile(r"^([^\s:]+):(\d+):\d+: (?:warning|error): .*\[([\w,-]+)\]$", re.MULTILINE)


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


def said(options, files, flags, **more):
    """What is told of each, and what is told besides."""
    spare = ["-load", options.own_code_only] if options.own_code_only else []
    run = subprocess.run([options.clang_tidy, "-load", options.plugin, *spare, "--quiet",
                          "--config={Checks: '-*,device-*,own-code-only'}", *files, "--", *flags],
                         capture_output=True, text=True, **more)
    found = collections.defaultdict(list)
    for file, line, check in WARNING.findall(run.stdout):
        found[file].append((int(line), check.split(",")[0]))
    return found, run.stderr.strip()[:300]


def one_by_one(options, files, flags):
    for file in files:
        found, besides = said(options, [file], flags)
        yield file, found[str(file)], besides


def all_at_once(options, files, flags):
    with tempfile.TemporaryDirectory() as folder:
        headers = f"{folder}/torch.pch"
        subprocess.run(["clang++-19", "-x", "c++-header", *flags, "-fpch-instantiate-templates", "-fsyntax-only", "-Xclang",
                        "-emit-pch", "-Xclang", "-o", "-Xclang", headers, ROOT / "test/harness/analyzer/Torch.h"], check=True)
        found, besides = said(options, [ROOT / "test/harness/analyzer/Empty.cpp"], [*flags, "-include-pch", headers],
                              env={**os.environ, "SAMEDEVICE_FIXTURES": "".join(f"{file}\n" for file in files)})
    for file in files:
        yield file, found[str(file)], besides


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang-tidy", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--headers", default=f"-isystem {ROOT}/test/stand_ins -isystem {CUDA}")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--own-code-only", metavar="PLUGIN")
    options = parser.parse_args()
    files = list(chosen(options.all))
    # A standard in --headers comes later, and counts.
    flags = ["-std=c++17", "-DTORCH_EXTENSION_NAME=fixture", *shlex.split(options.headers)]
    right = 0
    for file, found, besides in (all_at_once if options.all else one_by_one)(options, files, flags):
        right += sorted(found) == expected(file)
        if sorted(found) != expected(file):
            print(f"{file.relative_to(ROOT)}: expected {expected(file)}, found {sorted(found)} {besides}")
    print(f"{right} of {len(files)}")
    return right != len(files)


if __name__ == "__main__":
    sys.exit(main())
