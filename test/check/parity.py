#!/usr/bin/env python3
"""Whether `samedevice check` says what stock clang-tidy says with the plugin, word for word and place for place.

    test/check/parity.py [--build build] [--sample 60] [--keep DIR] [--flags 'FLAGS'] [--headers PCH] [FILE...]

Without files: so many of test/fixtures, drawn by chance, always the same. With --keep, what clang-tidy said stays in DIR
for the next time; it is what takes long. Headers that were precompiled with the same flags, like the build's
test/harness/analyzer/torch.pch, spare clang-tidy most of that."""
import argparse
import hashlib
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINE = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): (?P<kind>warning|error|note): (?P<text>.*)$")


def told(output, folder):
    """Each finding with its notes, as tuples."""
    findings = []
    for line in output.splitlines():
        match = LINE.match(line)
        if not match:
            continue
        place = os.path.relpath(os.path.join(folder, match["file"]), ROOT), match["line"], match["column"]
        if match["kind"] == "note":
            if findings:
                findings[-1] += ((*place, match["text"]),)
        else:
            findings.append(((*place, match["kind"], match["text"]),))
    # What does not compile, the command tells in its summary.
    return [finding for finding in findings if not finding[0][-1].endswith("[clang-diagnostic-error]")]


def of_clang_tidy(options, flags, files, keep):
    plugin = options.build / "lib/samedevice-tidy.so"
    headers = ["-include-pch", options.headers] if options.headers else []
    said = []
    for number, file in enumerate(files):
        # The plugin's age stands for its content.
        key = hashlib.sha256(repr((str(file), file.read_bytes(), flags, options.headers, plugin.stat().st_mtime)).encode()).hexdigest()
        remembered = keep / key[:32]
        if not remembered.exists():
            run = subprocess.run([options.clang_tidy, "-load", plugin, "--quiet", "--checks=-*,device-*", file, "--",
                                  *flags, *headers], cwd=ROOT, capture_output=True, text=True)
            remembered.write_text(run.stdout)
            print(f"\r{number + 1}/{len(files)}", end="", file=sys.stderr, flush=True)
        said += told(remembered.read_text(), ROOT)
    print(file=sys.stderr)
    return said


def of_check(options, flags, files):
    run = subprocess.run([options.build / "bin/samedevice", "check", f"--cache={options.cache}", "--checks=device-*",
                          *files, "--", *flags], cwd=ROOT, capture_output=True, text=True)
    sys.stderr.write(run.stderr)
    return told(run.stdout, ROOT)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--clang-tidy", default="clang-tidy-19")
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--cache", default="")
    parser.add_argument("--flags")
    parser.add_argument("--headers")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    options.build = options.build.resolve()
    files = [file.resolve() for file in options.files]
    if not files:
        # Those with findings have more to compare.
        files = sorted((ROOT / "test/fixtures").glob("*/*.cpp"))
        files = sorted(random.Random(0).sample(files, min(options.sample, len(files))))
    if options.flags:
        flags = shlex.split(options.flags)
    else:
        flags = (options.build / "share/samedevice/example-flags").read_text().split()
    with tempfile.TemporaryDirectory() as folder:
        keep = options.keep or pathlib.Path(folder)
        keep.mkdir(parents=True, exist_ok=True)
        expected = set(of_clang_tidy(options, flags, files, keep))
    found = set(of_check(options, flags, files))
    for finding in sorted(expected - found):
        print("only clang-tidy:", *finding, sep="\n    ")
    for finding in sorted(found - expected):
        print("only samedevice check:", *finding, sep="\n    ")
    print(f"{len(files)} files, {len(expected)} findings of clang-tidy's, {len(found)} of ours, "
          f"{len(expected & found)} the same with all their notes")
    return expected != found


if __name__ == "__main__":
    sys.exit(main())
