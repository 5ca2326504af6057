"""What ctest's log says was skipped: one line for each reason."""
import collections
import re
import sys

reasons = collections.defaultdict(list)
for block in open(sys.argv[1], errors="replace").read().split("-" * 58 + "\n"):
    name = re.search(r"^\d+/\d+ Test: (.*)", block, re.M)
    for reason in re.findall(r": Skipped\n(.+)", block):
        reasons[reason.strip()].append(name[1] if name else "?")
    for reason in re.findall(r"^skipped: (.+)", block, re.M):
        reasons[reason].append("")
for reason, tests in sorted(reasons.items()):
    tests = [t for t in tests if t]
    print(f"skipped: {len(tests)} tests, {reason}: {tests[0]}{' ...' if len(tests) > 1 else ''}" if tests
          else f"skipped: {reason}")
