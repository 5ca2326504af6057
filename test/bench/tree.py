#!/usr/bin/env python3
"""Writes a project of as many sources as one likes, for measurements.

    test/bench/tree.py UNITS FOLDER [--one] [--lines N] [--flags=FLAGS]

Ten sources make a package: layers with their headers, helpers that call those of the next source, a loader, and a
`main` that trains; each uses the first package, too, as a library. With --one there is a single `main`, which calls all
packages. In every other package the loader hands out a batch on the CPU, and its caller forgets to move it: as many
mistakes are there to be found, none of which one source shows alone.
"""
import argparse
import json
import pathlib
import random

PER_PACKAGE = 10


def helper(package, unit, index, chance):
    """A function of some fifteen lines, which nothing is wrong with."""
    name = f"mix_{unit}_{index}"
    lines = [f"torch::Tensor {name}(const torch::Tensor &x, const torch::Tensor &w, int64_t n) {{",
             "  torch::Tensor y = x.matmul(w);",
             f"  auto scale = torch::ones({{{chance.randint(2, 9)}}}, y.options());"]
    for step in range(chance.randint(4, 8)):
        lines += chance.choice((
            [f"  y = y * scale + {step}.5;"],
            [f"  if (n > {step})", "    y = torch::relu(y) + w;", "  else", "    y = y.sigmoid();"],
            [f"  for (int64_t i = 0; i < n; ++i)", "    y = y + w * scale;"],
            [f"  auto part_{step} = y.narrow(0, 0, 1);", f"  y = torch::cat({{y, part_{step}.expand_as(y)}});"],
            [f"  std::vector<torch::Tensor> kept_{step}{{y, w}};", f"  y = torch::stack(kept_{step}).sum(0);"]))
    if index:
        lines.append(f"  y = mix_{unit}_{index - 1}(y, w, n - 1);")
    elif unit + 1 < PER_PACKAGE - 2:
        lines.append(f"  y = mix_{unit + 1}_0(y, w, n - 1);")
    return lines + ["  return y;", "}", ""]


def layer_header(package, unit, helpers):
    return ["#pragma once", "#include <torch/torch.h>", f"namespace p{package} {{",
            f"struct Layer{unit} : torch::nn::Module {{", f"  Layer{unit}(int64_t in, int64_t out);",
            "  torch::Tensor forward(const torch::Tensor &x);", "  torch::nn::Linear first{nullptr}, second{nullptr};",
            "  torch::Tensor offset;", "};",
            *(f"torch::Tensor mix_{unit}_{i}(const torch::Tensor &x, const torch::Tensor &w, int64_t n);"
              for i in range(helpers)), "}", ""]


def layer_source(package, unit, helpers, chance):
    lines = [f'#include "layer{unit}.h"']
    if unit + 1 < PER_PACKAGE - 2:
        lines.append(f'#include "layer{unit + 1}.h"')
    lines += [f"namespace p{package} {{", f"Layer{unit}::Layer{unit}(int64_t in, int64_t out) {{",
              '  first = register_module("first", torch::nn::Linear(in, 16));',
              '  second = register_module("second", torch::nn::Linear(16, out));',
              '  offset = register_buffer("offset", torch::zeros({out}));', "}",
              f"torch::Tensor Layer{unit}::forward(const torch::Tensor &x) {{",
              f"  auto y = mix_{unit}_{helpers - 1}(first(x), first->weight, 2);", "  return second(y) + offset;", "}", ""]
    for index in range(helpers):
        lines += helper(package, unit, index, chance)
    return lines + ["}", ""]


def last_source(package, is_wrong, is_program):
    """The loader, and who uses it: train() in the last source, called by its main()."""
    layers = range(PER_PACKAGE - 2)
    lines = [f'#include "layer{i}.h"' for i in layers] + ['#include "batch.h"']
    if package:
        lines.append('#include "../p0/layer0.h"')
    lines += [f"namespace p{package} {{", "struct Net : torch::nn::Module {", "  Net() {"]
    lines += [f'    layer{i} = register_module("layer{i}", std::make_shared<Layer{i}>(8, 8));' for i in layers]
    lines += ["  }", "  torch::Tensor forward(torch::Tensor x) {", *(f"    x = layer{i}->forward(x);" for i in layers),
              "    return x;", "  }", *(f"  std::shared_ptr<Layer{i}> layer{i};" for i in layers), "};",
              "void train() {", "  torch::Device device(torch::kCUDA);", "  auto net = std::make_shared<Net>();",
              "  net->to(device);", "  auto batch = nextBatch(4)" + (";" if is_wrong else ".to(device);"),
              "  auto out = net->forward(batch);"]
    if package:
        lines.append("  out = p0::mix_0_0(out, torch::ones({8, 8}, out.options()), 1);")
    lines += ["}", "}"]
    return lines + ([f"int main() {{ p{package}::train(); }}", ""] if is_program else [""])


def loader(package):
    return ['#include "batch.h"', f"namespace p{package} {{", "torch::Tensor nextBatch(int64_t n) {",
            "  return torch::randn({n, 8});", "}", "}", ""]


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines))
    return len(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("units", type=int)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--one", action="store_true", help="one program of all")
    parser.add_argument("--lines", type=int, default=360, help="to a source, about")
    parser.add_argument("--flags", default="", help="of the compiler, in one argument: --flags='-std=c++17 -I...'")
    options = parser.parse_args()
    chance = random.Random(1)
    helpers = max(2, options.lines * PER_PACKAGE // (PER_PACKAGE - 2) // 21)
    sources, lines, mistakes = [], 0, 0
    packages = max(1, options.units // PER_PACKAGE)
    for package in range(packages):
        folder = options.folder.resolve() / f"p{package}"
        for unit in range(PER_PACKAGE - 2):
            write(folder / f"layer{unit}.h", layer_header(package, unit, helpers))
            sources.append(folder / f"layer{unit}.cpp")
            lines += write(sources[-1], layer_source(package, unit, helpers, chance))
        write(folder / "batch.h", ["#pragma once", "#include <torch/torch.h>",
                                   f"namespace p{package} {{ torch::Tensor nextBatch(int64_t n); void train(); }}", ""])
        is_wrong = package % 2 == 1
        mistakes += is_wrong
        for name, text in (("batch", loader(package)), ("train", last_source(package, is_wrong, not options.one))):
            sources.append(folder / f"{name}.cpp")
            lines += write(sources[-1], text)
    if options.one:
        sources.append(options.folder.resolve() / "main.cpp")
        lines += write(sources[-1], [f'#include "p{p}/batch.h"' for p in range(packages)] + ["int main() {"] +
                       [f"  p{p}::train();" for p in range(packages)] + ["}", ""])
    database = [{"directory": str(options.folder.resolve()), "file": str(source),
                 "arguments": ["clang++", *options.flags.split(), "-c", str(source)]} for source in sources]
    (options.folder / "compile_commands.json").write_text(json.dumps(database, indent=1))
    print(f"{len(sources)} sources, {lines} lines, {mistakes} mistakes between them")


if __name__ == "__main__":
    main()
