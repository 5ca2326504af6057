// The facts as text: what tests are written in and what a dump shows. A program printed and parsed again
// is the same program.
//
//   program mentions-devices torch=2.6 global-init=init        optional
//
//   class Net module @1                              module, lambda
//     bases Base
//     field head: module
//     constructors Net::Net
//     methods Net::forward
//     call Net::forward                              move-override Net::to
//
//   method Net::forward(x: tensor) -> tensor         short for a function of class Net with `this` before x
//     h = field head(this)
//     y: tensor = forward forward(h, x@12) @13
//     return y
//
//   function main() entry
//     d: device = device cuda
//     c = available
//     branch c yes no
//   yes:
//     x = new zeros [rank-n]
//     y = op add(self=x, other=x) [method]
//     jump no
//   no:
//     return
//
// What files know of each other: `link "name"` on a line of its own in a class or a function, `overrides f, g` and
// `bound "name"` in a function. What source ids stand for comes last:
//
//   sources
//     @1 "net.cpp" 12 3 in=main name="x"            label=, made-as=, callee=, member=Net, launch
//
// Instructions read `dest: type = opcode text(operands) [flags] @source`; all but the opcode may be missing.
// - Slots go by their names, `x#2` is the second slot named x, `%3` is a temporary. A slot is declared by
//   `var`, or by its first mention as a destination; then its type is the one the opcode gives, unless it is
//   stated. Types: `const ref list of tensor @source`, where module and record may name their class.
// - Operands: `name=slot@source!`, `_` for one left out, `!` for "may be written to".
// - The text of `call` is its targets, `f|g#2`; that of `object` its class; that of `const` a number, true,
//   false, or a "string". What does not fit there is spelled out: text="..", number=3, targets=4|5.
// - A block that does not say where it ends goes on to the next one; the last one returns.
// - `;` starts a comment. Names that hold anything but letters, digits, `_`, `:`, `~` are quoted.
#pragma once

#include "Program.h"

#include <optional>
#include <string>
#include <string_view>

namespace samedevice::facts {

std::string print(const Program &program);

/// One function alone, as it stands in print(program).
std::string print(const Program &program, FunctionId function);

/// Nothing, and a message that starts with the line's number, where the text is not a program.
std::optional<Program> parse(std::string_view text, std::string &error);

} // namespace samedevice::facts
