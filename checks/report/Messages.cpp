// What each check says: one function for each, in the order of the list.
#include "Messages.h"

#include "Words.h"

#include <cctype>

namespace samedevice::report {
using namespace analysis;

namespace {

std::string moduleAfterTo(const Finding &finding, const Names &names) {
  if (finding.variant == "call") {
    const std::string callee = names.callee(finding.at);
    return "what " + quoted(callee, "this call") + " puts in comes after the move to " + place(finding.otherDevice) +
           " and stays " + on(finding.device);
  }
  const std::string what = finding.variant == "tensor" ? "tensor" : "module";
  const std::string name = leftBehind(finding, names);
  const std::string late = (name.empty() ? "this " + what : what + " '" + name + "'") + " is " +
                           (finding.variant == "unregistered" ? "put in" : "registered") + " after the move to " +
                           place(finding.otherDevice) + " and stays " + on(finding.device);
  return finding.variant == "unregistered" ? late + "; it is not registered, so no later 'to()' moves it" : late;
}

std::string unmovedModule(const Finding &finding, const Names &names) {
  // Where it is made it may have another name than where it is used.
  std::string name = finding.variant == "used" ? std::string() : names.label(finding.at);
  if (name.empty() && names.isSeenFrom(finding.subject, finding.at))
    name = names.name(finding.subject);
  if (name.empty())
    name = names.madeAs(finding.at);
  const std::string module = name.empty() ? "this module" : "module '" + name + "'";
  if (finding.variant == "others")
    return "others of the same list are moved here, but " + module + " is not and stays " + on(finding.device) +
           ", and is given " + things("a tensor", finding.otherDevice, finding.when);
  return module + " is never moved and stays " + on(finding.device) + ", but it is given " +
         things("a tensor", finding.otherDevice, finding.when);
}

std::string unregisteredMember(const Finding &finding, const Names &names) {
  const std::string name =
      finding.detail.empty() || finding.variant == "module" ? names.name(finding.subject) : finding.detail;
  if (finding.variant == "assigned-over")
    return quoted(name, "this tensor") +
           " is assigned over, but 'to()' moves the tensor that was registered before it: " + "the new one stays " +
           on(finding.device) + ", and meets " + things("a tensor", finding.otherDevice, finding.when);
  if (finding.variant == "replaced")
    return quoted(name, "this module") + " is replaced by another one in its parent here, but is still used: 'to()' " +
           "leaves it " + on(finding.device) + ", and it meets " +
           things("a tensor", finding.otherDevice, finding.when);
  if (finding.variant == "structure")
    return "what " + quoted(names.name(finding.at), "this structure") + " holds is not registered, so 'to()' leaves " +
           quoted(name, "its tensor") + " " + on(finding.device) + ", but it meets " +
           things("a tensor", finding.otherDevice, finding.when);
  return quoted(name, finding.variant == "tensor" ? "this tensor" : "this module") +
         " is not registered, so 'to()' leaves it " + on(finding.device) + ", but it meets " +
         things("a tensor", finding.otherDevice, finding.when);
}

std::string hostAccess(const Finding &finding, const Names &names) {
  const std::string name = names.name(finding.subject);
  if (finding.variant == "dangling")
    return "this pointer looks into " + quoted(name, "a temporary host copy") +
           ", a temporary that is gone at the end of the statement";
  const std::string tensor = quoted(name, "this tensor");
  if (finding.variant == "kernels")
    return tensor + " is accessed on the host, but its memory goes to " + quoted(finding.detail, "a kernel") + ", too";
  if (finding.variant == "argument")
    return tensor + " " + isWhere(finding.device, finding.when, tensor) + ", but " +
           quoted(finding.detail, "this operator") + " needs it on cpu";
  if (finding.variant == "registered")
    return tensor + " is accessed on the host, but " + quoted(names.name(finding.other), "this function") +
           " is registered for CUDA";
  const bool isDirect = finding.detail.empty() || finding.detail == "dereference" || finding.detail == "accessor";
  const std::string accessed =
      isDirect ? "but is accessed on the host" : "but " + quoted(finding.detail, "") + " accesses it on the host";
  if (finding.variant == "pointer")
    return quoted(name, "this pointer") + " points to " + things("memory", finding.device, finding.when) + ", " +
           accessed;
  if (finding.variant == "left") // where those beside it are brought to the host
    return tensor + " is not brought to the host with the others: it " + isWhere(finding.device, finding.when, tensor) +
           ", " + accessed;
  return tensor + " " + isWhere(finding.device, finding.when, tensor) + ", " + accessed;
}

std::string mixedOperands(const Finding &finding, const Names &names) {
  const std::string name = names.name(finding.subject), subject = quoted(name, "one operand");
  const std::string met = names.isSeenFrom(finding.other, finding.at) ? names.name(finding.other) : std::string();
  if (finding.variant == "left")
    return quoted(name, "this tensor") + " stays " + on(finding.device) + ", but is used with " +
           things("a tensor", finding.otherDevice, finding.when);
  if (finding.variant == "kept")
    return "what is kept here under a device is on cpu, but it is used with " +
           things("a tensor", finding.otherDevice, finding.when);
  if (finding.variant == "omitted")
    return "no device is given here, so " + quoted(name, "what this makes") + " is " + on(finding.device) +
           ", but is used with " + things("a tensor", finding.otherDevice, finding.when);
  if (finding.variant == "sister")
    return quoted(name, "a member") + " is not moved here with the others and stays " + on(finding.device) +
           ", but is used with " + things("a tensor", finding.otherDevice, finding.when);
  if (finding.variant == "away")
    return quoted(name, "the module") + " is moved to " + place(finding.device) +
           " here and left there, but is used with " + things("a tensor", finding.otherDevice, finding.when);
  if (finding.variant == "again")
    return "the module is moved to " + place(finding.otherDevice) + " here, away from " + place(finding.device) +
           ", where it is used: who copies a handle shares the module";
  if (finding.variant == "before")
    return quoted(names.isSeenFrom(finding.subject, finding.at) ? name : std::string(), "the module") +
           " is copied here, " + on(finding.device) + ", before it is moved to " + place(finding.otherDevice) +
           ": the copies stay behind";
  if (finding.variant == "call") {
    const std::string callee = names.callee(finding.use ? finding.use : finding.at),
                      called = callee.empty() ? finding.detail : callee;
    if (!name.empty() && !met.empty() && met != name)
      return bothSides(subject, quoted(met, ""), finding) + consequence(called, finding.when);
    return quoted(name, "an argument") + " " + isWhere(finding.device, finding.when, subject) + ", but '" + called +
           "' uses it with " + things("a tensor", finding.otherDevice, finding.when);
  }
  if (finding.variant == "keeper")
    return quoted(name, "this object") + " keeps a tensor that " + isWhere(finding.device, finding.when, "") +
           ", but " + quoted(met, "what it is given") + " " + isWhere(finding.otherDevice, finding.when, "") +
           consequence(finding.detail, finding.when);
  if (finding.detail == "mutable_grad")
    return "this gradient is " + on(finding.device) + ", but its tensor is " + on(finding.otherDevice) +
           ": the optimizer's next step throws";
  const std::string other = met == name ? std::string() : met;
  const char *unnamed = finding.variant == "generator" ? "the tensor that it fills"
                        : name.empty()                 ? "another one"
                                                       : "what it meets";
  return bothSides(subject, quoted(other, unnamed), finding) + consequence(finding.detail, finding.when);
}

std::string discardedTo(const Finding &finding, const Names &names) {
  const std::string name = names.name(finding.subject);
  if (finding.variant == "copy")
    return quoted(name, "this tensor") + " is a copy that is not used again: moving it moves nothing else";
  if (finding.variant == "turn")
    return quoted(finding.detail, "this variable") +
           " is a copy of each element in turn: to move it moves none of them";
  if (finding.variant == "by-value")
    return quoted(finding.detail, "this function") + " gets a copy and moves that: " + quoted(name, "what is passed") +
           " itself does not move";
  if (finding.variant == "frozen")
    return quoted(name, "this script") + " is frozen: its weights are constants, which 'to' does not move";
  if (finding.variant == "options")
    return "the result of 'device' is dropped: " + quoted(name, "these options") +
           (name.empty() ? " themselves do not change" : " itself does not change");
  return "the result of '" + (finding.detail.empty() ? std::string("to") : finding.detail) +
         "' is dropped: " + quoted(name, "the tensor") + " itself does not move";
}

std::string defaultFactory(const Finding &finding, const Names &names) {
  const std::string name = finding.variant == "options" ? names.label(finding.subject) : names.name(finding.subject);
  const std::string made = finding.variant != "options"
                               ? quoted(name, "this tensor") + " is made without a device, so on cpu"
                           : name.empty() ? std::string("the options here name no device, so what they make is on cpu")
                                          : "'" + name + "' names no device, so what it makes is on cpu";
  const std::string other = names.isSeenFrom(finding.other, finding.at) ? names.name(finding.other) : std::string();
  if (other.empty() || other == name)
    return made + ", but meets " + things("a tensor", finding.otherDevice, finding.when);
  return made + ", but " + quoted(other, "") + " " + isWhere(finding.otherDevice, finding.when, quoted(other, ""));
}

std::string pinnedIndex(const Finding &finding, const Names &names) {
  const std::string name = finding.variant == "script" ? names.label(finding.subject) : names.name(finding.subject);
  if (finding.variant == "current")
    return "kernels are launched on " + place(finding.device) + " from here on, but " + quoted(name, "their tensor") +
           " may be on another GPU";
  const std::string met = names.isSeenFrom(finding.other, finding.at) ? names.name(finding.other) : std::string();
  const std::string subject = quoted(name, finding.variant == "script" ? "this script module" : "this tensor");
  // What is found under a key may have been made in a function of its own.
  const std::string kept =
      names.isSeenFrom(finding.subject, finding.at) ? quoted(name, "this tensor") : std::string("what is kept here");
  if (finding.variant == "kept")
    return kept + " stays where the first caller's tensors are, but " +
           quoted(met.empty() ? names.name(finding.other) : met, "a later caller's tensor") + " may be on another GPU";
  if (finding.variant == "kept-memory")
    return quoted(name, "this memory") + " is on the GPU of the first call, and nowhere else, but " +
           quoted(met.empty() ? names.name(finding.other) : met, "a later caller's tensor") + " may be on another GPU";
  if (finding.variant == "found")
    return kept + " stays where the first caller wanted it, on " + place(finding.device) + ", but " +
           quoted(met.empty() ? names.name(finding.other) : met, "what it is used with") + " " +
           isWhere(finding.otherDevice, finding.when, "");
  const std::string fixed =
      finding.variant == "script"    ? subject + " is loaded without a device, so it is where it was saved from"
      : finding.variant == "omitted" ? "no device is given here, so " + subject + " is " + on(finding.device)
      : finding.variant == "kind"
          ? "the type of a device leaves out which GPU it is, so " + subject + " is " + on(finding.device)
          : subject + " is always " + on(finding.device);
  if (met.empty() || met == name)
    return fixed + ", but meets " + things("a tensor", finding.otherDevice, finding.when);
  return fixed + ", but " + quoted(met, "") + " " + isWhere(finding.otherDevice, finding.when, quoted(met, ""));
}

std::string staleLoad(const Finding &finding, const Names &names) {
  const std::string name = names.name(finding.subject);
  const std::string apart = on(finding.device) + ", but the parameters are " + on(finding.otherDevice);
  if (finding.variant == "optimizer-omitted")
    return "no device is given here, so the optimizer's state is loaded " + apart;
  if (finding.variant == "optimizer-onto")
    return quoted(name, "the optimizer") + " is loaded with its state " + apart;
  if (finding.variant == "optimizer")
    return quoted(name, "the optimizer") + " is loaded without a device, so its state is " + apart;
  if (finding.variant == "state")
    return quoted(name, "this") +
           " is loaded without a device, so it goes back to where it was saved from, but what the optimizer keeps for "
           "its parameters stays " +
           on(finding.device);
  if (finding.variant == "onto")
    return quoted(name, "this") + " comes back " + on(finding.device) +
           " from this load, which was told so, but it meets " + things("a tensor", finding.otherDevice, finding.when);
  if (finding.variant == "data")
    return quoted(name, "this parameter") + " gets data " + on(finding.device) +
           " here, in the place of its own, but it meets " + things("a tensor", finding.otherDevice, finding.when);
  return quoted(name, "this") +
         " is loaded without a device, so it goes back to where it was saved from, but it meets " +
         things("a tensor", finding.otherDevice, finding.when);
}

std::string asyncCopy(const Finding &finding, const Names &names) {
  if (finding.variant == "copy")
    return "nothing waits for this asynchronous copy before " +
           quoted(names.isSeenFrom(finding.subject, finding.at) ? names.name(finding.subject) : std::string(), "it") +
           " is read";
  return quoted(names.name(finding.subject), "this tensor") +
         (finding.variant == "overwritten" ? " is overwritten before the asynchronous copy out of it has ended"
                                           : " is read before the asynchronous copy into it has ended");
}

std::string missingGuard(const Finding &finding, const Names &names) {
  const std::string elsewhere = " the current GPU, which need not be the one that " +
                                quoted(names.name(finding.subject), "its tensor") + " is on";
  if (finding.variant == "temporary")
    return "this guard has no name, so it ends with its own statement: what follows is for" + elsewhere;
  if (finding.variant == "one-way")
    return "this guard is set on some ways only: on the others, what follows is for" + elsewhere;
  if (finding.variant == "another")
    return "this guard is for a device that need not be the one that " +
           quoted(names.name(finding.subject), "the tensor") + " is on";
  if (finding.variant == "helper")
    return "the guard that " + quoted(names.callee(finding.at), "this helper") +
           " sets ends with it: what follows is for" + elsewhere;
  // A launch may be told of at the call of what launches: a library's, or a launcher's.
  const bool isLaunch = names.isLaunch(finding.at);
  const std::string what = finding.variant == "stream"   ? "this stream is one of"
                           : finding.variant != "launch" ? "this memory is allocated on"
                           : isLaunch                    ? "this kernel is launched on"
                                                         : "kernels are launched here on";
  return what + elsewhere + ": no device guard is in force here";
}

std::string rawPointer(const Finding &finding, const Names &names) {
  const std::string name = quoted(names.name(finding.subject), "this pointer");
  const std::string user = userOf(finding);
  const std::string memory = things("memory", finding.device, finding.when);
  if (finding.variant == "from-blob-device")
    return "'from_blob' takes " + name + " for host memory, but it points to " + memory;
  if (finding.variant == "from-blob-host")
    return "'from_blob' takes " + name + " for " + things("memory", finding.otherDevice, finding.when) +
           ", but it points to host memory";
  if (finding.variant == "host-read")
    return name + " points to " + memory + ", but is accessed on the host";
  if (finding.variant == "host-pointer")
    return name + " points to host memory, but " + user + " needs device memory";
  if (finding.variant == "kept")
    return "what is kept here under a device is on cpu, but " + user + " needs its memory on the device";
  if (finding.variant == "default-result")
    return quoted(names.label(finding.at), "what this returns") + " is on cpu, but " + user +
           " needs its memory on the device";
  if (finding.variant == "default-tensor")
    return quoted(names.label(finding.at), "this tensor") + " is made without a device, so on cpu, but " + user +
           " needs its memory on the device";
  return name + " points to " + memory + ", but " + user + " needs host memory";
}

std::string staleOptimizer(const Finding &finding, const Names &names) {
  if (finding.variant == "state")
    return quoted(names.name(finding.subject), "the module") + " is moved to " + place(finding.otherDevice) +
           ", but what the optimizer keeps for its parameters stays " + on(finding.device) +
           ": build the optimizer after the move";
  if (finding.variant == "replaced")
    return quoted(names.name(finding.subject), "this tensor") + " is replaced by a copy " + on(finding.device) +
           " after the optimizer took it, so the optimizer updates a tensor that is no longer used";
  if (finding.variant == "early")
    return "the optimizer takes tensors here that are replaced later, by copies " + on(finding.device) +
           ": it updates some that are no longer used";
  if (finding.variant == "early-module") {
    const bool isNumber = finding.detail.find_first_not_of("0123456789") == std::string::npos; // in a list of modules
    return "the optimizer takes the parameters here, and " + quoted(isNumber ? "" : finding.detail, "a module") +
           " is put in later: the optimizer never updates it";
  }
  if (finding.variant == "call")
    return "this puts in " + quoted(leftBehind(finding, names), "a module") +
           " after the optimizer took the parameters, so the optimizer never updates it";
  return quoted(leftBehind(finding, names), "this module") +
         " is put in after the optimizer took the parameters, so the optimizer never updates it";
}

std::string defaultStream(const Finding &finding, const Names &names) {
  const std::string tensor = quoted(names.name(finding.subject), "its tensor");
  if (finding.variant == "kept")
    return "this is the stream that is current here, but the kernel is launched on it when another one has been made "
           "current, on which PyTorch computes " +
           tensor + ": nothing keeps the kernel from running first";
  const bool isCall = finding.variant.rfind("call", 0) == 0; // of a library
  const std::string runs = isCall                       ? "'" + finding.detail + "' runs on"
                           : names.isLaunch(finding.at) ? "this kernel is launched on"
                                                        : "kernels are launched here on";
  if (finding.variant.ends_with("-pool"))
    return runs + " the default stream, but other kernels work on " + tensor +
           " in a stream of the pool: nothing keeps one from running while the other does";
  const std::string current = finding.variant.empty() ? " on its current stream: once that is another one, "
                                                      : " on another stream, which was made current: ";
  return runs + " the default stream, but PyTorch computes " + tensor + current + "nothing keeps " +
         (isCall ? "it" : "the kernel") + " from running first";
}

} // namespace

std::string message(const Finding &finding, const Names &names) {
  switch (finding.check) {
  case Check::ModuleAfterTo:
    return moduleAfterTo(finding, names);
  case Check::UnmovedModule:
    return unmovedModule(finding, names);
  case Check::UnregisteredMember:
    return unregisteredMember(finding, names);
  case Check::HostAccess:
    return hostAccess(finding, names);
  case Check::MixedOperands:
    return mixedOperands(finding, names);
  case Check::DiscardedTo:
    return discardedTo(finding, names);
  case Check::DefaultFactory:
    return defaultFactory(finding, names);
  case Check::PinnedIndex:
    return pinnedIndex(finding, names);
  case Check::StaleLoad:
    return staleLoad(finding, names);
  case Check::AsyncCopy:
    return asyncCopy(finding, names);
  case Check::MissingGuard:
    return missingGuard(finding, names);
  case Check::RawPointer:
    return rawPointer(finding, names);
  case Check::StaleOptimizer:
    return staleOptimizer(finding, names);
  case Check::DefaultStream:
    return defaultStream(finding, names);
  }
  return {};
}

} // namespace samedevice::report
