#!/usr/bin/env python3
"""Runs the checks over public code whose findings were judged by reading, and holds what they say against that.

    ./dev field DIR                           # DIR: clones or mirrors, OWNER/NAME, OWNER+NAME or NAME

sources.tsv names the files and their commits, verdicts.tsv what was judged: told are wrong findings that are still
there, right ones that are gone, and new ones, which somebody has to judge and add. Last come the counts, and what the
checks cost each file.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile

import layout

BUILD = layout.HERE.parent.parent / "build"
TIDY = "clang-tidy-19"
TIME_LIMIT = 300
DIAGNOSTIC = re.compile(r"^(/[^:\n]+):(\d+):\d+: (warning|error|fatal error): (.*?) \[([\w.,-]+)\]$", re.M)

Finding = collections.namedtuple("Finding", "repository file line check")
# `seconds`: what our checks took of the processor.
Outcome = collections.namedtuple("Outcome", "source findings errors seconds trouble")


def seconds_of_checks(folder):
    """From clang-tidy's own profile: all our checks share one analysis, so that only their sum says something."""
    seconds = 0
    for report in pathlib.Path(folder).glob("*.json"):
        for name, value in json.loads(report.read_text())["profile"].items():
            if name.startswith("time.clang-tidy.device-") and name.endswith((".user", ".sys")):
                seconds += value
    return seconds


def remembered(plan, source, plugin, precompiled):
    """What the same plugin said of the same source need not be asked again."""
    torch = plan.libtorch[source.libtorch].resolve()
    # The plugin that is named loads the one beside it that was built for this clang-tidy: that has the checks.
    built = b"".join(path.read_bytes() for path in sorted(plugin.parent.glob("samedevice-*.so")))
    key = hashlib.sha256(repr((source, precompiled, torch)).encode() + built).hexdigest()[:16]
    memory = plan.out / "said" / key
    if memory.exists():
        return pickle.loads(memory.read_bytes())
    outcome = analyse(plan, source, plugin, precompiled)
    if not outcome.trouble:  # the machine's, as likely as the plugin's
        memory.parent.mkdir(exist_ok=True)
        memory.write_bytes(pickle.dumps(outcome))
    for finding, text in outcome.findings.items():
        print(f"  {finding.repository}/{finding.file}:{finding.line}: {text} [{finding.check}]", file=sys.stderr)
    return outcome


def analyse(plan, source, plugin, precompiled):
    root = plan.root(source.repository)
    with tempfile.TemporaryDirectory() as profile:
        # Where times need not be a user's, clang-tidy is kept from looking into the libraries, which takes it seconds.
        aside = [f"--load={plugin.with_name('samedevice-own-code-only.so')}"] if precompiled else []
        checks = "-*,device-*,own-code-only" if precompiled else "-*,device-*"
        command = [TIDY, f"--load={plugin}", *aside, f"--checks={checks}", "--config={}", "--quiet",
                   f"--header-filter=^{re.escape(str(root))}/",
                   "--enable-check-profile", f"--store-check-profile={profile}", str(root / source.file), "--",
                   *plan.flags(source, precompiled)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=root, timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            return Outcome(source, {}, 0, TIME_LIMIT, f"does not end in {TIME_LIMIT} s")
        seconds = seconds_of_checks(profile)
    findings, errors = {}, 0
    for path, line, kind, text, check in DIAGNOSTIC.findall(done.stdout):
        if check.startswith("device-"):
            findings[Finding(source.repository, os.path.relpath(path, root), int(line), check)] = text
        errors += kind != "warning"
    crashed = done.returncode < 0 or "PLEASE submit a bug report" in done.stderr
    return Outcome(source, findings, errors, seconds, "crashes" if crashed else "")


def verdicts():
    return {Finding(row["repository"], row["file"], int(row["line"]), row["check"]): row
            for row in layout.rows("verdicts.tsv")}


def lines_of(path):
    with open(path, "rb") as text:
        return sum(1 for _ in text)


def at_share(ordered, share):
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)] if ordered else 0


def report(plan, outcomes, everything):
    judged = verdicts()
    found = {}
    for outcome in outcomes:
        found.update(outcome.findings)
        if outcome.trouble:
            print(f"TROUBLE {outcome.source.repository}/{outcome.source.file}: {outcome.trouble}")
    counts = collections.defaultdict(collections.Counter)
    for finding, text in sorted(found.items()):
        verdict = judged[finding]["verdict"] if finding in judged else "new"
        counts[finding.check][verdict] += 1
        if verdict != "right" or everything:
            why = f" ({judged[finding]['why']})" if finding in judged and judged[finding]["why"] else ""
            print(f"{verdict.upper():6}{finding.repository}/{finding.file}:{finding.line}: {text} [{finding.check}]{why}")
    run = {(outcome.source.repository, outcome.source.file) for outcome in outcomes}
    lost = [finding for finding, row in judged.items()
            if row["verdict"] == "right" and finding not in found and finding[:2] in run]
    for finding in lost:
        print(f"LOST  {finding.repository}/{finding.file}:{finding.line} [{finding.check}] {judged[finding]['why']}")

    lines = sum(lines_of(plan.root(outcome.source.repository) / outcome.source.file) for outcome in outcomes)
    total = sum(counts.values(), collections.Counter())
    print(f"\n{'':32}right  wrong  new")
    for check, count in sorted(counts.items()) + [("together", total)]:
        print(f"{check:32}{count['right']:5}  {count['wrong']:5}  {count['new']:3}")
    parsed = sum(not outcome.errors for outcome in outcomes)
    repositories = len({outcome.source.repository for outcome in outcomes})
    print(f"\n{len(outcomes)} sources of {repositories} repositories, {lines:,} lines; {parsed} parse without an error")
    print(f"wrong: {total['wrong'] * 100_000 / max(lines, 1):.1f} in 100,000 lines; lost: {len(lost)}")
    slowest = sorted(outcomes, key=lambda outcome: outcome.seconds)
    seconds = [outcome.seconds for outcome in slowest]
    print("seconds of our checks: " + ", ".join(
        f"{name} {at_share(seconds, share):.2f}" for name, share in
        [("median", .5), ("9 of 10", .9), ("99 of 100", .99), ("worst", 1)]) +
        (f" ({slowest[-1].source.repository}/{slowest[-1].source.file})" if slowest else ""))
    return any(outcome.trouble for outcome in outcomes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], prog="./dev field")
    parser.add_argument("checkouts", metavar="DIR", help="where the repositories lie")
    parser.add_argument("--libtorch", action="append", default=[], metavar="VERSION=PREFIX",
                        help="headers of another version than the installed one, such as 2.6=/opt/torch26/usr")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="sources whose name contains it")
    parser.add_argument("--judged", action="store_true", help="only sources in which something was found before")
    parser.add_argument("--out", default=BUILD / "field", help="where the sources are laid out")
    parser.add_argument("--plugin", default=BUILD / "lib/samedevice-tidy.so")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--whole-headers", action="store_true", help="without precompiled ones, as users have it")
    parser.add_argument("-v", action="store_true", help="print right findings, too")
    words = parser.parse_args()

    plan = layout.Layout(words.checkouts, words.out,
                         {"1.13": layout.SYSTEM,
                          **{version: pathlib.Path(prefix).resolve() for version, prefix in
                             (word.split("=", 1) for word in words.libtorch)}})
    known = {finding[:2] for finding in verdicts()}
    wanted = [source for source in layout.sources()
              if (not words.only or any(text in f"{source.repository}/{source.file}" for text in words.only)) and
              (not words.judged or (source.repository, source.file) in known)]
    ready, trouble = plan.lay_out(wanted)
    for repository, reason in sorted(trouble.items()):
        print(f"ABSENT {repository}: {reason}")
    if not ready:
        return 2
    plan.write_commands(ready, not words.whole_headers)
    with concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
        outcomes = list(pool.map(
            lambda source: remembered(plan, source, pathlib.Path(words.plugin).resolve(), not words.whole_headers), ready))
    return report(plan, outcomes, words.v)


if __name__ == "__main__":
    sys.exit(main())
