#!/usr/bin/env python3
"""Measures whole programs: `samedevice check` and `samedevice link` on generated trees of growing size (tree.py).

    test/bench/wholes.py BUILD FOLDER [--one] [UNITS...]

Prints a table. Processor seconds are user and system time of all processes, memory is that of the largest one.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def measured(command, folder):
    """Output, processor seconds, seconds on the clock, MB of the largest process."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:  # a process of its own, so that its children are counted and those of other runs are not
        begin = time.monotonic()
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        wall = time.monotonic() - begin
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        with os.fdopen(write, "w") as out:
            print(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, file=out)
            out.write(run.stdout + run.stderr)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        numbers = [float(number) for number in answer.readline().split()]
        text = answer.read()
    os.waitpid(child, 0)
    return text, *numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("units", type=int, nargs="*", default=[50, 100, 200, 400, 1000, 3000])
    parser.add_argument("--one", action="store_true", help="one program of all")
    options = parser.parse_intermixed_args()
    program = options.build.resolve() / "bin/samedevice"
    flags = f"-std=c++17 -isystem {HERE.parent / 'stand_ins'}"
    print("| sources | lines | check, nothing known | link alone | check, one edited | unchanged | largest process |\n"
          "|---|---|---|---|---|---|---|")
    for units in options.units:
        folder = options.folder / f"{'one' if options.one else 'many'}-{units}"
        shutil.rmtree(folder, ignore_errors=True)
        made = subprocess.run([HERE / "tree.py", str(units), folder, f"--flags={flags}", *["--one"] * options.one],
                              capture_output=True, text=True, check=True).stdout.split()
        cache = folder / "cache"
        check = [program, "check", f"--cache={cache}", "-p", ".", "."]
        cold = measured(check, folder)
        if f"{made[4]} finding" not in cold[0]:
            sys.exit(f"{made[4]} were to be found: {cold[0][-500:]}")
        linked = measured([program, "link", *sorted(cache.glob("*.facts"))], folder)
        warm = measured(check, folder)
        with open(folder / "p1/layer3.cpp", "a") as source:
            source.write("static int added(int x) { return x + 1; }\n")
        edited = measured(check, folder)
        print(f"| {made[0]} | {int(made[2]):,} | {cold[1]:.1f} s ({cold[2]:.0f} s) | {linked[1]:.2f} s, {linked[3]:.0f} MB | "
              f"{edited[1]:.2f} s ({edited[2]:.1f} s) | {warm[1]:.2f} s | {max(cold[3], edited[3]):.0f} MB |", flush=True)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
