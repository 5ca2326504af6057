#!/usr/bin/env python3
"""What `samedevice check` takes, as ratios to Clang and to clang-tidy with the plugin, measured side by side.

    test/check/speed.py [--build build] [--files 50] [--of-clang-tidy 50] [--repeat 3]

Processor seconds, children included: what else the machine does matters less to those. Files are fixtures that include
torch/torch.h. clang-tidy takes so long that it may be given fewer files than ours; its time is then multiplied."""
import argparse
import os
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def seconds(*command, check=False):
    """Processor seconds, and those on the wall."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([str(word) for word in command], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - begin


def row(what, ours, theirs, of_what):
    print(f"| {what} | {ours:.2f} | {theirs:.2f} ({of_what}) | {ours / theirs:.3f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--of-clang-tidy", type=int, default=50)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    build = options.build.resolve()
    flags = (build / "share/samedevice/example-flags").read_text().split()
    check = [build / "bin/samedevice", "check", "--checks=device-*"]
    tidy = ["clang-tidy-19", "-load", build / "lib/samedevice-tidy.so", "--quiet", "--checks=-*,device-*"]
    work = pathlib.Path(tempfile.mkdtemp())
    try:
        program = work / "program.cpp"
        text = (ROOT / "docs/examples/finetune.cpp").read_text()

        print("| | samedevice check | beside it | ratio |\n|---|---|---|---|")
        cold, syntax, edited, edited_wall, stock = [], [], [], [], []
        for number in range(options.repeat):
            program.write_text(text)
            cache = work / f"cache{number}"
            cold.append(seconds(*check, f"--cache={cache}", program, "--", *flags)[0])
            syntax.append(seconds("clang++-19", "-fsyntax-only", *flags, program)[0])
            program.write_text(text.replace("return 0;", "") + f"\nint edit{number}() {{ return {number}; }}\n")
            processor, wall = seconds(*check, f"--cache={cache}", program, "--", *flags)
            edited.append(processor)
            edited_wall.append(wall)
            stock.append(seconds(*tidy, program, "--", *flags)[0])
            shutil.rmtree(cache)
        row("one file, nothing cached", statistics.median(cold), statistics.median(syntax), "-fsyntax-only")
        row("the same, edited in a body", statistics.median(edited), statistics.median(stock), "clang-tidy")

        sources = sorted(file for file in (ROOT / "test/fixtures").glob("*/*.cpp")
                         if "#include <torch/torch.h>" in file.read_text())
        sources = sorted(random.Random(0).sample(sources, options.files))
        many = [*check, f"--cache={work / 'many'}", *sources, "--", *flags]
        ours = seconds(*many)[0]
        theirs = sum(seconds(*tidy, file, "--", *flags)[0] for file in sources[:options.of_clang_tidy])
        theirs *= options.files / options.of_clang_tidy
        row(f"{options.files} files, nothing cached", ours, theirs, "clang-tidy")
        processor, wall = seconds(*many)
        print(f"\nThe {options.files} files again, unchanged: {processor:.2f} s of processor time, {wall:.2f} s on the wall. "
              f"The edited file: {min(edited_wall):.2f} s on the wall.")
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
