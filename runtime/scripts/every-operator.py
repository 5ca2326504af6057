"""Prints a findings file that calls every operator of ops.tsv that takes several tensors, once for each of them: that one
is on the CPU, the others on a GPU. With --fine all are on the GPU, once. Replayed on `sim` and on `torch`, it holds the
rules against PyTorch itself."""
import csv
import json
import pathlib
import sys

TABLE = pathlib.Path(__file__).resolve().parents[2] / "checks/facts/ops.tsv"
CALLS = ("same", "same_scalar0", "index")


def listed(text):
    return [word for word in text.split(",") if word]


def witness(row, tensors, odd):
    steps, arguments = [], []
    for number, (name, kind) in enumerate(tensors):
        on_host = name == odd or name in listed(row["host_args"])
        steps.append({"do": "tensor", "id": number, "device": "cpu" if on_host else "cuda:0"})
        arguments.append({"name": name, "ids": [number]} if "[]" in kind else {"name": name, "id": number})
    call = {"do": "op", "name": listed(row["cpp_names"])[0], "args": arguments, "fails": True,
            "method": "function" not in row["variants"]}
    return {"steps": steps + [call]}


findings = []
for line, row in enumerate(csv.DictReader(TABLE.open(), delimiter="\t", quoting=csv.QUOTE_NONE), 2):
    tensors = [argument.split(":") for argument in listed(row["tensor_args"])]
    # Results in `out` follow rules of their own, which differ between versions.
    if (row["device_rule"] not in CALLS or row["kind"] in ("out", "cpp") or "1.13" not in listed(row["versions"])
            or row["name"].startswith("_") or len(tensors) < 2):
        continue
    bound = [name for name, _ in tensors if name not in listed(row["free_args"]) + listed(row["host_args"])]
    for odd in [None] if "--fine" in sys.argv else bound:
        findings.append({"check": "device-mixed-operands", "message": f"{row['name']}.{row['overload']} with {odd} on the CPU",
                         "file": TABLE.name, "line": line, "witness": witness(row, tensors, odd)})
json.dump({"samedevice": 1, "findings": findings}, sys.stdout)
