"""Each folder of checks includes only what stands before it, and only some know LLVM: the rest builds without it."""
import pathlib
import re
import sys

CHECKS = pathlib.Path(__file__).resolve().parents[2] / "checks"
# What a folder may include of others, and whether headers of Clang and LLVM are among that.
LAYERS = {
    "facts": ([], False),
    "analysis": (["facts"], False),
    "report": (["facts", "analysis"], False),
    "clang": (["facts"], True),
    "tidy": (["facts", "analysis", "report", "clang"], True),
}
STANDARD = re.compile(r"[a-z_0-9]+$")  # <vector>, <algorithm>: no folder, no ending


def mistakes(folder, others, knows_llvm):
    allowed = [folder, *others]
    for file in sorted((CHECKS / folder).rglob("*")):
        if file.suffix not in (".h", ".cpp", ".def", ".inc"):
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if not (included := re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)):
                continue
            kind, name = included.groups()
            where = f"{file.relative_to(CHECKS.parent)}:{number}: {name}"
            if kind == "<" and not STANDARD.match(name) and not knows_llvm:
                yield f"{where} is no header of the standard library, the only one that {folder} knows"
            if kind == '"':
                candidates = [file.parent / name, CHECKS / name]
                found = next((path.resolve() for path in candidates if path.exists()), None)
                if found and found.is_relative_to(CHECKS):
                    if (layer := found.relative_to(CHECKS).parts[0]) not in allowed:
                        yield f"{where} is in {layer}, and {folder} may include {', '.join(allowed)} alone"
                elif not found and not knows_llvm and name != "OperatorRules.inc":
                    yield f"{where} is not in checks, and {folder} knows nothing else"


found = [mistake for folder, rest in LAYERS.items() for mistake in mistakes(folder, *rest)]
print("\n".join(found))
sys.exit(bool(found))
