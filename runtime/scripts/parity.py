"""Replays the recorded witnesses on every backend of a build and prints what each of them says."""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BACKENDS = ("sim", "cuda", "torch")
SHORT = {"confirmed": "confirmed", "not reproduced": "no", "unsupported": "unsupported"}


def replay(program, backend, path):
    """The first replay of a file, the device, and whether it is simulated; None where the backend cannot be had."""
    run = subprocess.run([program, path, "--backend", backend, "--json"], capture_output=True, text=True)
    if run.returncode == 2:
        return None
    answer = json.loads(run.stdout)
    return answer["replays"][0], answer["device"], answer["simulated"]


def cell(answer):
    if answer is None:
        return "-"
    found = answer[0]
    if found["verdict"] == "unsupported" and found.get("outcome", "").startswith("needs "):
        return "skipped: " + found["outcome"]
    if found["verdict"] == "not reproduced" and found["check"] == "device-async-copy" and not answer[2]:
        return "skipped: race won"  # the copy may be over before anybody looks, and says nothing then
    return SHORT[found["verdict"]] + (" resolved" if found.get("resolved") else "")


def main():
    build, failed = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    program = str(build / "bin/samedevice-replay")
    rows, devices, differs = [], {}, 0
    for path in sorted((ROOT / "test/runtime/witnesses").glob("*.json")):
        answers = {b: replay(program, b, str(path)) for b in BACKENDS}
        devices.update({b: a[1] for b, a in answers.items() if a})
        cells = [cell(answers[b]) for b in BACKENDS]
        comparable = {c for c in cells if c != "-" and not c.startswith(("skipped", "unsupported"))}
        differs += len(comparable) > 1
        rows.append([path.stem] + cells)
    widths = [max(len(row[i]) for row in rows + [["witness", *BACKENDS]]) for i in range(4)]
    line = "  ".join
    print()
    for backend in BACKENDS:
        print(f"{backend}: {devices.get(backend, 'not here')}")
    print()
    print(line(c.ljust(w) for c, w in zip(["witness", *BACKENDS], widths)))
    for row in rows:
        print(line(c.ljust(w) for c, w in zip(row, widths)))
    print(f"{len(rows)} witnesses, the backends differ on {differs}")
    if "cuda" not in devices:
        print("No GPU was used: this says nothing about CUDA.")
    return 1 if failed or differs or "cuda" not in devices else 0


sys.exit(main())
