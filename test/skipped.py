"""What ctest's log says was skipped: one line for each reason."""
import collections
import re
import sys

reasons, name, after = collections.defaultdict(list), "", False
for line in open(sys.argv[1], errors="replace"):
    if started := re.match(r"\d+/\d+ Test: (.*)", line):
        name = started[1]
    elif after:
        reasons[line.strip()].append(name)
    elif told := re.match("skipped: (.+)", line):
        reasons[told[1]] = []
    after = line.endswith(": Skipped\n")
for reason, tests in sorted(reasons.items()):
    print(f"skipped: {len(tests)} tests, {reason}: {tests[0]}{' ...' if len(tests) > 1 else ''}" if tests
          else f"skipped: {reason}")
