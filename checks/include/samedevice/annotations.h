// What Samedevice cannot see, said by you: put these on declarations of functions, parameters and members whose code
// is elsewhere. Other compilers see nothing. docs/annotations.md has examples, and the same through options.
#pragma once

#if defined(__clang__)
#define SAMEDEVICE_SAYS(text) [[clang::annotate("samedevice:" text)]]
#else
#define SAMEDEVICE_SAYS(text)
#endif

/// A parameter or member that lives on "cpu", "cuda" (any of them) or "cuda:1".
#define SAMEDEVICE_ON(device) SAMEDEVICE_SAYS("on=" device)
/// A function whose result lives there.
#define SAMEDEVICE_RESULT_ON(device) SAMEDEVICE_SAYS("on=" device)
/// A function whose result lives where the named parameter does.
#define SAMEDEVICE_RESULT_LIKE(parameter) SAMEDEVICE_SAYS("like=" parameter)
/// A function that reads its tensors and pointers on the host, or one such parameter.
#define SAMEDEVICE_READS_ON_HOST SAMEDEVICE_SAYS("host")
/// A function whose pointers a kernel uses, or one such parameter.
#define SAMEDEVICE_USED_ON_DEVICE SAMEDEVICE_SAYS("device")
/// A function that moves the modules and tensors given to it to where the named parameter says (or "cuda:0", "cpu").
#define SAMEDEVICE_MOVES_TO(parameter) SAMEDEVICE_SAYS("moves=" parameter)
/// A member that is moved where nobody can see it.
#define SAMEDEVICE_MOVED_ELSEWHERE SAMEDEVICE_SAYS("moved")
/// A function that returns only if the tensors given to it are on CUDA.
#define SAMEDEVICE_CHECKS_CUDA SAMEDEVICE_SAYS("checks-cuda")
/// A class whose objects, or a function that, makes the device of its argument the current one.
#define SAMEDEVICE_GUARD SAMEDEVICE_SAYS("guard")
/// A function: all its callers hold a guard for the tensors they pass.
#define SAMEDEVICE_GUARDED SAMEDEVICE_SAYS("guarded")
