#!/usr/bin/env python3
"""Whether an editor says of every fixture what clang-tidy says with the plugin: place, words and notes.

    test/clangd/agreement.py [--build build] [FILE...]

clang-tidy gets the stand-in headers precompiled, clangd makes its own preamble of them. Differences are printed, with what
is known to be the reason."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "check"))
import lsp
from parity import ROOT, told


def flags_of(build, path):
    """As the harness has them, without the precompiled header, and that header."""
    lines = (build / f"share/samedevice/stand-in-flags{path.suffix}").read_text().splitlines()
    at = lines.index("-include-pch")
    return lines[:at] + lines[at + 2:], lines[at:at + 2]


def capital(text):
    """As clangd begins what it says."""
    return text[:1].upper() + text[1:].removesuffix("; it can be mended here, too")  # there, a fix of its own


def of_plugin(build, path):
    flags, header = flags_of(build, path)
    run = subprocess.run(["clang-tidy-19", "-load", build / "lib/samedevice-tidy.so", "-load",
                          build / "lib/samedevice-own-code-only.so", "--quiet",
                          "--config={Checks: '-*,device-*,own-code-only'}", path, "--", *flags, *header], cwd=ROOT, capture_output=True, text=True)
    found = set()
    for (file, line, column, _, text), *notes in told(run.stdout, ROOT):
        if file == str(path.relative_to(ROOT)):
            found.add((int(line), int(column), capital(text), tuple(sorted((int(note[1]), capital(note[3])) for note in notes))))
    return found


def of_editor(client, path):
    uri = client.open(path)
    found = set()
    lines = client.texts[uri].split("\n")
    for one in lsp.ours(client.wait(uri)):
        start = one["range"]["start"]
        column = len(lines[start["line"]].encode("utf-16-le")[:2 * start["character"]].decode("utf-16-le").encode())
        text = one["message"].removesuffix(" (fix available)").removesuffix(" (fixes available)")
        notes = tuple(sorted((note["location"]["range"]["start"]["line"] + 1, note["message"])
                             for note in one.get("relatedInformation", [])))
        found.add((start["line"] + 1, column + 1, f"{text} [{one['code']}]", notes))
    client.forget(uri)
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
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(ROOT), "file": str(file), "arguments": ["clang++", *flags_of(build, file)[0], str(file)]}
             for file in files]))
        client = lsp.Client([build / "bin/samedevice-clangd", "--background-index=0", f"--compile-commands-dir={folder}"], ROOT)
        same = different = 0
        with ThreadPoolExecutor(1) as plugin:
            expected = {file: plugin.submit(of_plugin, build, file) for file in files}
            for number, file in enumerate(files):
                editor, tidy = of_editor(client, file), expected[file].result()
                same += len(editor & tidy)
                different += len(editor ^ tidy)
                for who, findings in (("only the plugin", tidy - editor), ("only the editor", editor - tidy)):
                    for finding in sorted(findings):
                        print(f"{who}: {file.relative_to(ROOT)}:{finding[0]}:{finding[1]}: {finding[2]}", *finding[3],
                              sep="\n    ", flush=True)
                print(f"\r{number + 1}/{len(files)}", end="", file=sys.stderr, flush=True)
        client.stop()
    print(f"\n{len(files)} files, {same} findings the same with their notes, {different} different")
    return different != 0


if __name__ == "__main__":
    sys.exit(main())
