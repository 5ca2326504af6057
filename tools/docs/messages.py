#!/usr/bin/env python3
"""Writes docs/messages.md: everything the checks say, each message and each note once, with the program that it is said of.

    tools/docs/messages.py --build DIR            # analyses every fixture with the stand-ins (two minutes)
    tools/docs/messages.py --build DIR --check    # only the fixtures on the page: do they still say what it shows?

Two messages are one if they differ in names and devices only.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "test/fixtures"
# By name: some are off until somebody does that.
EVERY_CHECK = ",".join(sorted(folder.name for folder in FIXTURES.iterdir() if folder.is_dir()))
PAGE = ROOT / "docs/messages.md"
LINE = re.compile(r"^(/.*?):(\d+):\d+: (warning|error|note): (.*?)(?: \[([\w.,-]+)\])?$")
MARKS = re.compile(r"\s*// (expect|note|fails|runs|fix):.*$")
HEADER = """# What the checks say

Every message and every note, each with one program that it is said of, as clang-tidy prints them. Two are taken to be one if
they differ in names and devices only. The programs are in [test/fixtures](../test/fixtures).

This page is generated (`./dev docs`); the words are in [checks/report](../checks/report).

Where a device is chosen at run time, the message says so: what is *on 'device', which may be CUDA*, is where the variable of
that name says. What *follows 'x'* is where the caller has `x`. A warning is about the case that fails; that the other one works
says nothing.

clang-tidy's own excerpt under a warning counts its lines wrongly where the fix adds an `#include`: the line in front of the
message is the right one. (Clang's printer starts to count at the first line that any of the fix's edits is on, also when it is too
far away to be shown; any check of clang-tidy's own that adds an include has the same.)
"""

Message = collections.namedtuple("Message", "kind line text check notes")


def flags_of(build, ending):
    """What the fixture tests hand to the compiler; nothing where such files cannot be read."""
    return (build / f"share/samedevice/stand-in-flags{ending}").read_text().split("\n")[:-1]


def analyze(build, files):
    """The diagnostics of each file, warnings with their notes."""
    said = collections.defaultdict(list)
    clang_tidy = re.search(r"^CLANG_TIDY_PROGRAM:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)[1]
    for ending in (".cpp", ".cu"):
        sources, compiler = [f for f in files if f.suffix == ending], flags_of(build, ending)
        if not sources or not compiler:
            continue
        command = [clang_tidy, "-load", build / "lib/samedevice-tidy.so", "-load", build / "lib/samedevice-own-code-only.so",
                   f"--config={{Checks: '-*,own-code-only,{EVERY_CHECK}'}}", "--quiet",
                   (ROOT / "test/harness/analyzer/Empty").with_suffix(ending), "--", *compiler]
        output = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                env={**os.environ, "SAMEDEVICE_FIXTURES": "\n".join(map(str, sources))}).stdout
        current = None
        for found in filter(None, map(LINE.match, output.splitlines())):
            message = Message(found[3], int(found[2]), found[4], found[5], [])
            if message.kind == "note":
                current.notes.append(message)
                continue
            current = message
            if (message.check or "").startswith("device-"):
                said[pathlib.Path(found[1])].append(message)
    return said


def shape(text):
    """What is left of a message without names and devices."""
    return re.sub(r"\b(cpu|cuda(:\d)?|CUDA)\b", "D", re.sub(r"'[^']*'", "'…'", text))


def code(file, line):
    text = MARKS.sub("", file.read_text().splitlines()[line - 1]).strip()
    return text if len(text) <= 110 else text[:107] + "..."


def example(file, message):
    """The story in the order of the file, each line of code with what is said of it."""
    lines = [f"{file.name}:{message.line}: warning: {message.text}", f"    {code(file, message.line)}"]
    for note in message.notes:
        lines += [f"{file.name}:{note.line}: note: {note.text}", f"    {code(file, note.line)}"]
    return lines


def page(said):
    checks = collections.defaultdict(dict)
    shown = set()
    # Of all that say the same, the shortest story.
    stories = sorted(((file, message) for file, messages in said.items() for message in messages
                      if file.stem.endswith("_bad") and not file.stem.startswith(("FN_", "FP_"))),
                     key=lambda s: (sum(len(line) for line in example(*s)), s[0].name, s[1].line))
    for file, message in stories:
        if shape(message.text) not in checks[message.check]:
            checks[message.check][shape(message.text)] = (file, message)
            shown |= {(message.check, shape(note.text)) for note in message.notes}
    for file, message in stories:
        unseen = {(message.check, shape(note.text)) for note in message.notes} - shown
        if unseen:
            checks[message.check][shape(message.text) + str(sorted(unseen))] = (file, message)
            shown |= unseen
    text = HEADER
    for check in sorted(checks):
        text += f"\n## [{check}](checks/{check}.md)\n"
        for file, message in checks[check].values():
            text += "\n```\n" + "\n".join(example(file, message)) + "\n```\n"
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    fixtures = sorted(f for f in FIXTURES.rglob("*") if f.suffix in (".cpp", ".cu"))
    if not options.check:
        PAGE.write_text(page(analyze(build, fixtures)))
        return 0
    text = PAGE.read_text()
    if not text.startswith(HEADER):
        sys.exit("docs/messages.md is out of date: ./dev docs")
    blocks = [b.splitlines() for b in re.findall(r"```\n(.*?)\n```", text[len(HEADER):], re.S)]
    cited = {block[0].split(":")[0] for block in blocks}
    cited = [f for f in fixtures if f.name in cited and (f.suffix != ".cu" or flags_of(build, f.suffix))]
    current = [example(file, m) for file, messages in analyze(build, cited).items() for m in messages]
    stale = [b[0] for b in blocks if b not in current]
    for line in stale:
        print(f"docs/messages.md: nothing says this any more: {line}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
