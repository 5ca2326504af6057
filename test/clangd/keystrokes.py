#!/usr/bin/env python3
"""What a key costs, in processor time: stock clangd and samedevice-clangd take turns with the same file; the ratio of the
medians is printed.

    test/clangd/keystrokes.py [--build build] [--keys 30] [FILE]    (default: docs/examples/finetune.cpp)"""
import argparse
import pathlib
import statistics
import tempfile
import time

import lsp

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def computed(client):
    """Seconds that the server has computed so far, in all its threads."""
    fields = pathlib.Path(f"/proc/{client.server.pid}/schedstat")
    return sum(int(task.read_text().split()[0]) for task in fields.parent.glob("task/*/schedstat")) / 1e9


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--keys", type=int, default=30)
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=ROOT / "docs/examples/finetune.cpp")
    options = parser.parse_args()
    build = options.build.resolve()
    text = options.file.read_text()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        flags = (build / "share/samedevice/example-flags").read_text()
        (folder / "compile_flags.txt").write_text(flags)
        file = folder / options.file.name
        file.write_text(text)
        servers = {}
        for name, command in (("clangd", "clangd-19"), ("samedevice-clangd", build / "bin/samedevice-clangd")):
            client = lsp.Client([command, "--background-index=0"], folder)
            uri = client.open(file)
            client.wait(uri)
            servers[name] = (client, uri, [])
        for key in range(options.keys + 4):
            for client, uri, times in servers.values():
                client.change(uri, text + "\n// " + "x" * key)
                client.wait(uri)
                time.sleep(0.3)  # threads end their work
                times.append(computed(client))
        medians = {name: statistics.median(after - before for before, after in zip(times[3:], times[4:])) for name, (_, _, times) in servers.items()}  # the first warm it up
        for client, _, _ in servers.values():
            client.stop()
    for name, median in medians.items():
        print(f"{name}: {1000 * median:.0f} ms a key")
    print(f"ratio {medians['samedevice-clangd'] / medians['clangd']:.3f}")


if __name__ == "__main__":
    main()
