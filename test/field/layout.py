"""Lays the field's sources out for analysis: pinned commits from git repositories, the flags that make them parse, and
precompiled headers of torch, which make each file ten times as quick to read. Nothing is built."""
import collections
import csv
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sysconfig

HERE = pathlib.Path(__file__).resolve().parent
SHIMS = [HERE / "shim", HERE.parent.parent / "tools/compdb/shim"]
CLANG = "clang++-19"
CUDA = pathlib.Path("/usr/local/cuda")
SYSTEM = pathlib.Path("/usr")
# Where Debian's packages keep headers that are not found by themselves.
PACKAGES = ["opencv4", "eigen3", "SDL2", "jsoncpp", "x86_64-linux-gnu/openmpi"]
SUFFIXES = {".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl", ".ipp", ".inc", ".txx",
            ".tcc", ".in", ".def", ".py"}
TORCH = ["torch/torch.h", "torch/script.h"]
EXTENSION = ["torch/extension.h", "torch/script.h", "ATen/cuda/CUDAContext.h", "c10/cuda/CUDAGuard.h"]
EXTENSION_FLAGS = ["-DTORCH_EXTENSION_NAME=ext", "-DWITH_CUDA", "-DUSE_CUDA", "-DMMCV_WITH_CUDA"]
# As PyTorch's build gives them to nvcc.
CUDA_FLAGS = ["-D__CUDA_NO_HALF_OPERATORS__", "-D__CUDA_NO_HALF_CONVERSIONS__", "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
              "-D__CUDA_NO_HALF2_OPERATORS__", "-x", "cuda", "--cuda-host-only", f"--cuda-path={CUDA}",
              "-Wno-unknown-cuda-version"]
# What a source is: the flags of its kind, and the headers that are worth precompiling for it.
KINDS = {"app": ([], TORCH), "ext": (EXTENSION_FLAGS, EXTENSION + ["cuda_runtime.h"]),
         "cu": (EXTENSION_FLAGS + CUDA_FLAGS, EXTENSION)}

# `flags`: its own, where {root} is the checkout.
Source = collections.namedtuple("Source", "repository commit libtorch file kind standard flags")


def rows(name):
    with open(HERE / name, newline="") as table:
        return list(csv.DictReader(table, delimiter="\t"))


def sources():
    return [Source(**row) for row in rows("sources.tsv")]


class Layout:
    """`checkouts`: where the repositories lie. `libtorch`: version -> the prefix where its headers are."""

    def __init__(self, checkouts, out, libtorch):
        self.checkouts, self.out, self.libtorch = pathlib.Path(checkouts), pathlib.Path(out).resolve(), libtorch
        self.absent = collections.defaultdict(list)
        for row in rows("absent-headers.tsv"):
            self.absent[row["repository"]].append(row["header"])

    def root(self, repository):
        return self.out / repository.replace("/", "+")

    def git_directory(self, repository):
        owner, name = repository.split("/")
        for checkout in (f"{owner}+{name}/repo", f"{owner}+{name}", repository, name):
            for directory in (self.checkouts / checkout / ".git", self.checkouts / checkout):
                if (directory / "objects").is_dir():
                    return directory.resolve()
        return None

    def extract(self, repository, commit):
        """The commit's sources and headers. Says what is wrong, or nothing."""
        root = self.root(repository)
        stamp = root / ".commit"
        if stamp.exists() and stamp.read_text() == commit:
            return None
        git = self.git_directory(repository)
        if not git:
            return f"not in {self.checkouts}"
        root.mkdir(parents=True, exist_ok=True)
        environment = dict(os.environ, GIT_DIR=str(git), GIT_WORK_TREE=str(root), GIT_INDEX_FILE=str(root / ".index"))
        run = lambda *words, **how: subprocess.run(["git", "-c", "core.symlinks=false", *words], env=environment,
                                                   cwd=root, capture_output=True, **how)
        if run("read-tree", commit).returncode:
            return f"has no commit {commit}"
        listed = run("ls-files", "-z").stdout.split(b"\0")
        wanted = [path for path in listed if pathlib.PurePosixPath(os.fsdecode(path)).suffix in SUFFIXES]
        run("checkout-index", "-f", "-z", "--stdin", input=b"\0".join(wanted))
        for header in self.absent[repository]:
            self.write(self.stand_ins(repository) / header, "")
        stamp.write_text(commit)
        return None

    def stand_ins(self, repository):
        return self.out / "absent" / repository.replace("/", "+")

    @staticmethod
    def write(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def common_flags(self, source):
        torch = self.libtorch[source.libtorch]
        folders = [*SHIMS]
        if torch != SYSTEM:
            folders.append(torch / "include")
        folders += [torch / "include/torch/csrc/api/include", CUDA / "include", CUDA / "include/cccl",
                    sysconfig.get_paths(vars={"base": "/usr", "installed_base": "/usr"})["include"]]
        folders += [SYSTEM / "include" / package for package in PACKAGES]
        return [f"-std={source.standard}", *KINDS[source.kind][0], *(f"-I{folder}" for folder in folders)]

    def precompiled(self, source):
        """The precompiled headers for sources of its kind; made where they are not there."""
        prefix = hashlib.sha256(str(self.libtorch[source.libtorch].resolve()).encode()).hexdigest()[:8]
        name = f"{source.kind}-{source.standard}-{source.libtorch}-{prefix}"
        result = self.out / "headers" / f"{name}.pch"
        if result.exists():
            return result
        header = self.out / "headers" / f"{name}.h"
        self.write(header, "".join(f"#include <{path}>\n" for path in KINDS[source.kind][1]))
        # The driver does not precompile CUDA: its own command for reading the header is taken, and told to write.
        command = [CLANG, *self.common_flags(source), "-w", "-ferror-limit=0", "-Xclang",
                   "-fallow-pch-with-compiler-errors", "-fsyntax-only", "-###"]
        command += [str(header)] if source.kind == "cu" else ["-x", "c++-header", str(header)]
        told = subprocess.run(command, capture_output=True, text=True).stderr.strip().splitlines()[-1]
        words = shlex.split(told)
        at = words.index("-fsyntax-only")
        words[at:at + 1] = ["-emit-pch", "-fpch-instantiate-templates", "-o", f"{result}.part"]
        subprocess.run(words, stderr=subprocess.DEVNULL)
        os.replace(f"{result}.part", result)
        return result

    def flags(self, source, precompiled=True):
        root = str(self.root(source.repository))
        own = [flag.replace("{root}", root) for flag in shlex.split(source.flags)]
        flags = [*own, *self.common_flags(source), "-include", "field.h", "-include",
                 "samedevice/nvcc_host_overloads.h", "-idirafter", str(self.stand_ins(source.repository)), "-w",
                 "-ferror-limit=0"]
        if precompiled:
            flags += ["-Xclang", "-fallow-pch-with-compiler-errors", "-include-pch", str(self.precompiled(source))]
        return flags

    def lay_out(self, wanted):
        """What can be analysed of these sources, and what is wrong with the rest: repository -> reason."""
        trouble = {}
        for source in wanted:
            if source.libtorch not in self.libtorch:
                trouble.setdefault(source.repository, f"wants libtorch {source.libtorch}: --libtorch")
            elif source.repository not in trouble:
                if reason := self.extract(source.repository, source.commit):
                    trouble[source.repository] = reason
        return [source for source in wanted if source.repository not in trouble], trouble

    def write_commands(self, ready, precompiled):
        """For clang-tidy or an editor, by hand; and the mark of where each project begins."""
        commands = collections.defaultdict(list)
        for source in ready:
            root = self.root(source.repository)
            commands[root].append({"directory": str(root), "file": source.file, "arguments": [
                CLANG, *self.flags(source, precompiled), "-fsyntax-only", source.file]})
        for root, entries in commands.items():
            self.write(root / "compile_commands.json", json.dumps(entries, indent=1))
