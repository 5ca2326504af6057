#!/usr/bin/env python3
"""Checks public projects as whole programs, and holds what is found, alone and linked, against what was judged.

    ./dev field DIR --programs                # DIR: clones or mirrors, OWNER/NAME, OWNER+NAME or NAME

As somebody has it who has just checked one out: `samedevice check .`, where no build has left a database. programs.tsv
names the projects and their commits, program-verdicts.tsv what was judged by reading the code and its callers: told are
wrong findings, right ones that are gone, and new ones. Last comes a table: what the sources show alone, and linked.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import layout

BUILD = layout.HERE.parent.parent / "build"
SUFFIXES = (".cpp", ".cc", ".cxx", ".cu")

Project = collections.namedtuple("Project", "repository commit libtorch paths")
Place = collections.namedtuple("Place", "repository file line check")


def verdicts():
    return {Place(row["repository"], row["file"], int(row["line"]), row["check"]): row
            for row in layout.rows("program-verdicts.tsv")}


def found(root, project, program, jobs, libtorch, *options):
    """Place -> message of what is found; and what is said of the run."""
    told = root.with_name(root.name + ".json")
    environment = dict(os.environ)
    if libtorch != layout.SYSTEM:
        environment["TORCH_HOME"] = str(libtorch)
    run = subprocess.run([program, "check", f"--cache={root.parent / 'cache'}", f"-j{jobs}", "--json", told, *options,
                          *project.paths.split()],
                         cwd=root, capture_output=True, text=True, errors="replace", env=environment)
    root.with_name(f"{root.name}{''.join(options)}.txt").write_text(run.stdout + run.stderr)
    if run.returncode not in (0, 1, 3):
        return None, run.stderr.strip()[-300:]
    places = {}
    for finding in json.loads(told.read_text())["findings"]:
        file = os.path.relpath(os.path.join(root, finding["file"]), root)
        places[Place(project.repository, file, finding["line"], finding["check"])] = finding["message"]
    return places, run.stderr


def size_of(root, project):
    """Of all, or of what is looked at where that is only a part."""
    files = [path for path in root.rglob("*") if path.suffix in layout.SUFFIXES - {".py", ".in"} and path.is_file()]
    if project.paths != ".":
        files = [root / path for path in project.paths.split()]
    return (sum(path.suffix in SUFFIXES for path in files),
            sum(path.read_bytes().count(b"\n") for path in files))


def count(places, judged, verdict):
    return sum(judged[place]["verdict"] == verdict for place in places if place in judged)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], prog="./dev field DIR --programs")
    parser.add_argument("checkouts", metavar="DIR", help="where the repositories lie")
    parser.add_argument("--programs", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--libtorch", action="append", default=[], metavar="VERSION=PREFIX",
                        help="headers of another version than the installed one, such as 2.6=/opt/torch26/usr")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="projects whose name contains it")
    parser.add_argument("--out", default=pathlib.Path(tempfile.gettempdir()) / "samedevice-programs",
                        help="where the projects are laid out: nowhere below a build of their own")
    parser.add_argument("--program", default=BUILD / "bin/samedevice")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    words = parser.parse_args()

    versions = {"1.13": layout.SYSTEM, **dict(word.split("=", 1) for word in words.libtorch)}
    plan = layout.Layout(words.checkouts, words.out, {})
    plan.absent.clear()  # as a user has it: what is missing is missing
    judged, rows, trouble = verdicts(), [], False
    for project in (Project(**row) for row in layout.rows("programs.tsv")):
        if words.only and not any(text in project.repository for text in words.only):
            continue
        reason = (f"wants libtorch {project.libtorch}: --libtorch" if project.libtorch not in versions
                  else plan.extract(project.repository, project.commit))
        if reason:
            print(f"ABSENT {project.repository}: {reason}")
            trouble = True
            continue
        root = plan.root(project.repository)
        libtorch = pathlib.Path(versions[project.libtorch])
        alone, said = found(root, project, words.program, words.jobs, libtorch, "--alone")
        linked, said = found(root, project, words.program, words.jobs, libtorch) if alone is not None else (None, said)
        if linked is None:
            print(f"TROUBLE {project.repository}: {said}")
            trouble = True
            continue
        for places, where in (alone, "alone"), (linked, "linked"):
            other = linked if where == "alone" else alone
            for place, message in sorted(places.items()):
                verdict = judged[place]["verdict"] if place in judged else "new"
                only = "" if place in other else f", only {where}"
                if verdict == "new" and (where == "linked" or only) or verdict == "wrong" and where == "linked":
                    print(f"{verdict.upper():6}{place.repository}/{place.file}:{place.line}: {message} [{place.check}{only}]")
        for place, row in judged.items():
            if place.repository == project.repository and row["verdict"] == "right" and place not in linked:
                print(f"LOST  {place.repository}/{place.file}:{place.line} [{place.check}] {row['why']}")
        sources, lines = size_of(root, project)
        in_part = re.search(r"(\d+) analysed in part", said)
        rows.append((project.repository, sources, int(in_part[1]) if in_part else 0, lines, len(alone),
                     count(alone, judged, "wrong"), len(linked), count(linked, judged, "right"),
                     count(linked, judged, "wrong"), len(linked.keys() - alone.keys())))
        print(f"      {rows[-1]}", file=sys.stderr, flush=True)
    print("\n| project | sources (in part) | lines | alone (wrong) | linked | right | wrong | only linked |\n"
          "|---|---|---|---|---|---|---|---|")
    totals = [sum(row[column] for row in rows) for column in range(1, 10)]
    for name, *numbers in [*rows, ("together", *totals)]:
        print("| {} | {} ({}) | {:,} | {} ({}) | {} | {} | {} | {} |".format(name, *numbers))
    return 2 if trouble else 0


if __name__ == "__main__":
    sys.exit(main())
