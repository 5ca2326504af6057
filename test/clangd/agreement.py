#!/usr/bin/env python3
"""Whether an editor says of every fixture what clang-tidy says with the plugin: place, words and notes.

    test/clangd/agreement.py [--build build] [FILE...]

Each fixture is alone in a folder. One clang-tidy looks at all of them, as the harness has it; in the editor those that
begin with the same includes are typed one over the other, so that clangd keeps its preamble. Differences are printed."""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "check"))
import lsp
from parity import ROOT, told

HEAD = re.compile(r"(?:(?:\s|//[^\n]*|/\*.*?\*/)*#(?:[^\\\n]|\\.)*)*", re.S)  # what clangd makes a preamble of


def flags_of(build, path):
    """As the harness has them, without the precompiled header, and that header."""
    lines = (build / f"share/samedevice/stand-in-flags{path.suffix}").read_text().splitlines()
    at = lines.index("-include-pch")
    return lines[:at] + lines[at + 2:], lines[at:at + 2]


def capital(text):
    """As clangd begins what it says."""
    return text[:1].upper() + text[1:].removesuffix("; it can be mended here, too")  # there, a fix of its own


def of_plugin(build, files):
    """What is said of each of these, which have the same ending."""
    flags, header = flags_of(build, files[0])
    run = subprocess.run(["clang-tidy-19", "-load", build / "lib/samedevice-tidy.so", "-load",
                          build / "lib/samedevice-own-code-only.so", "--quiet",
                          "--config={Checks: '-*,device-*,own-code-only'}",
                          ROOT / f"test/harness/analyzer/Empty{files[0].suffix}", "--", *flags, *header],
                         cwd=ROOT, capture_output=True, text=True,
                         env={**os.environ, "SAMEDEVICE_FIXTURES": "".join(f"{file}\n" for file in files)})
    found = {file: set() for file in files}
    for (file, line, column, _, text), *notes in told(run.stdout, ROOT):
        file = pathlib.Path(os.path.normpath(ROOT / file))
        found[file].add((int(line), int(column), capital(text), tuple(sorted((int(note[1]), capital(note[3])) for note in notes))))
    return found


def of_editor(client, uri):
    found = set()
    lines = client.texts[uri].split("\n")
    for one in lsp.ours(client.wait(uri)):
        start = one["range"]["start"]
        column = len(lines[start["line"]].encode("utf-16-le")[:2 * start["character"]].decode("utf-16-le").encode())
        text = one["message"].removesuffix(" (fix available)").removesuffix(" (fixes available)")
        notes = tuple(sorted((note["location"]["range"]["start"]["line"] + 1, note["message"])
                             for note in one.get("relatedInformation", [])))
        found.add((start["line"] + 1, column + 1, f"{text} [{one['code']}]", notes))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    build = options.build.resolve()
    files = [file.resolve() for file in options.files] or sorted(
        file for file in (ROOT / "test/fixtures").glob("*/*") if file.suffix in (".cpp", ".cu"))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        copies, alike = {}, collections.defaultdict(list)
        for number, file in enumerate(files):
            copies[file] = folder / f"{number}" / file.name
            copies[file].parent.mkdir()
            shutil.copy(file, copies[file])
            alike[file.suffix, HEAD.match(file.read_text())[0]].append(file)
        (folder / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(ROOT), "file": str(copies[file]), "arguments": ["clang++", *flags_of(build, file)[0], str(copies[file])]}
             for file, *_ in alike.values()]))
        (folder / ".clangd").write_text("Index: { StandardLibrary: No }\n")  # nobody asks for names here
        expected = {}
        for suffix in (".cpp", ".cu"):
            if some := [copies[file] for file in files if file.suffix == suffix]:
                expected.update(of_plugin(build, some))
        client = lsp.Client([build / "bin/samedevice-clangd", "--background-index=0", f"--compile-commands-dir={folder}"], ROOT)
        number = same = different = 0
        for group in alike.values():
            uri = client.open(copies[group[0]])
            for file in group:
                if file != group[0]:
                    client.change(uri, file.read_text())
                editor, tidy = of_editor(client, uri), expected[copies[file]]
                same += len(editor & tidy)
                different += len(editor ^ tidy)
                for who, findings in (("only the plugin", tidy - editor), ("only the editor", editor - tidy)):
                    for finding in sorted(findings):
                        print(f"{who}: {file.relative_to(ROOT)}:{finding[0]}:{finding[1]}: {finding[2]}", *finding[3],
                              sep="\n    ", flush=True)
                number += 1
                print(f"\r{number}/{len(files)}", end="", file=sys.stderr, flush=True)
            client.forget(uri)
        client.stop()
    print(f"\n{len(files)} files, {same} findings the same with their notes, {different} different")
    return different != 0


if __name__ == "__main__":
    sys.exit(main())
