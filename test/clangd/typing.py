#!/usr/bin/env python3
"""Fixtures typed in the editor: five characters, one by one, before each of some random places, with the rest of the text
behind them or without; lines deleted and pasted again. The server neither dies nor takes 10 seconds for a key; what it says of unfinished text it says of the whole as well; and at the end it
says what it said at the beginning.

    test/clangd/typing.py [--build build] [--fixtures 60] [--places 12] [--seed 0]"""
import argparse
import collections
import json
import os
import pathlib
import random
import sys
import tempfile

import lsp
from agreement import ROOT, flags_of


def processor(client):
    """Seconds that the server has used, however many others want the machine."""
    fields = pathlib.Path(f"/proc/{client.server.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def told(client, uri, text, limit=10):
    started = processor(client)
    said = client.wait(uri, timeout=300)
    took = processor(client) - started
    told.slowest = max(told.slowest, took)
    if took > limit:
        print(f"{took:.1f} s for a key in {uri}:\n{text}")
        told.slow += 1
    lines = text.split("\n")
    # Not warnings that a .clang-tidy makes errors of: such text compiles, and what it does not do any more is true.
    errors = [one for one in said if one["severity"] == 1 and one.get("source") == "clang" and
              not str(one.get("code", "")).startswith("-W")]
    return {(one["code"], code_of(lines[one["range"]["start"]["line"]])) for one in lsp.ours(said)}, errors


def code_of(line):
    """Without spaces and comments, which keys are pressed in as well."""
    return "".join(line.partition("//")[0].split())


told.slow, told.slowest = 0, 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--fixtures", type=int, default=60)
    parser.add_argument("--places", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    build = options.build.resolve()
    chance = random.Random(options.seed)
    files = sorted(file for file in (ROOT / "test/fixtures").glob("*/*") if file.suffix in (".cpp", ".cu"))
    files = chance.sample(files, min(options.fixtures, len(files)))
    of_cuda = sum(file.suffix == ".cu" for file in files)
    keys = wrong = 0
    done = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(ROOT), "file": str(file), "arguments": ["clang++", *flags_of(build, file)[0], str(file)]}
             for file in files]))
        client = lsp.Client([build / "bin/samedevice-clangd", "--background-index=0", f"--compile-commands-dir={folder}"], ROOT)
        for file in files:
            text = file.read_text()
            uri = client.open(file)
            client.wait(uri)
            usual, _ = told(client, uri, text)
            body = text.rfind("#include")
            steps = []
            for _ in range(options.places):
                at = chance.randrange(text.index("\n", body) if body >= 0 else 0, len(text))
                kind = chance.choice(("type", "lines"))
                done[kind] += 1
                if kind == "type":  # what follows is not there yet, or it is
                    rest = chance.choice(("", text[at:]))
                    steps += [text[:at - back] + rest for back in range(4, -1, -1) if at >= back]
                else:
                    begin = text.rfind("\n", 0, at) + 1
                    end = text.find("\n", at) + 1 or len(text)
                    steps += [text[:begin] + text[end:], text[:end] + text[begin:end] + text[end:]]
            for step in steps + [text]:
                if step == client.texts[uri]:  # clangd says nothing new of it
                    continue
                client.change(uri, step)
                said, errors = told(client, uri, step)
                keys += 1
                if (errors and said - usual) or (step == text and said != usual):
                    wrong += 1
                    print(f"{file.relative_to(ROOT)}: {said ^ usual}, first error: {errors[0]['message'] if errors else 'none'}",
                          flush=True)
            client.forget(uri)
            print(f"\r{keys} texts", end="", file=sys.stderr, flush=True)
        client.stop()
    print(f"{len(files) - of_cuda} fixtures in C++, {of_cuda} in CUDA; {done['type']} times five characters typed, {done['lines']} "
          f"times a line deleted and one pasted; {keys} texts, {wrong} of them told what is not there, {told.slow} took more "
          f"than 10 s, {told.slowest:.1f} s the slowest")
    return wrong + told.slow != 0


if __name__ == "__main__":
    sys.exit(main())
