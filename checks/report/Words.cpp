#include "Words.h"

#include <cctype>

namespace samedevice::report {
using analysis::Finding;
using analysis::When;
using analysis::Where;

namespace {

/// TORCH_MODULE(Net) makes the holder `Net` of a `NetImpl`: people say Net.
std::string className(const std::string &name) {
  constexpr std::string_view suffix = "Impl";
  std::string_view text = name;
  if (std::size_t scope = text.rfind("::"); scope != text.npos)
    text.remove_prefix(scope + 2);
  if (text.size() > suffix.size() && text.ends_with(suffix))
    text.remove_suffix(suffix.size());
  return std::string(text);
}

/// What a device that somebody chooses must be, so that it matters.
std::string choice(When when, const Where &where) {
  switch (when) {
  case When::Always:
    return {};
  case When::IfCuda:
    return "CUDA";
  case When::IfCpu:
    return "cpu";
  case When::IfAnotherGpu:
    return where.kind == Where::Picked ? "another one" : "another GPU";
  }
  return {};
}

/// Which one it is was chosen, but not whether it is one.
bool isSomeGpu(const Where &where, When when) { return where.isCuda && when != When::IfAnotherGpu; }

} // namespace

std::string quoted(const std::string &name, const std::string &otherwise) {
  return name.empty() ? otherwise : "'" + name + "'";
}

std::string place(const Where &where) {
  switch (where.kind) {
  case Where::Device:
    return where.name;
  case Where::Chosen:
    return quoted(where.name, "a device chosen at run time");
  case Where::Picked:
    return where.name.empty() ? "a GPU chosen at run time" : "the GPU that '" + where.name + "' picks";
  case Where::Callers:
    return "where '" + where.name + "' is";
  case Where::Owners:
    return "where the parameters of '" + className(where.name) + "' are";
  case Where::Recorded:
    return "where it was saved from";
  case Where::Unsaid:
    break;
  }
  return "another device";
}

std::string on(const Where &where) {
  const bool isWhere = where.kind == Where::Callers || where.kind == Where::Owners || where.kind == Where::Recorded;
  return (isWhere ? "" : "on ") + place(where);
}

std::string isWhere(const Where &where, When when, const std::string &who) {
  const std::string may = choice(when, where);
  const bool isOpen = !may.empty();
  if (isSomeGpu(where, when))
    return "is on cuda";
  switch (where.kind) {
  case Where::Chosen:
  case Where::Picked:
    return "is on " + place(where) + (isOpen ? ", which may be " + may : "");
  case Where::Callers:
    if (who == "'" + where.name + "'")
      return "comes from the caller" + (isOpen ? " and may be on " + may : "");
    return "follows '" + where.name + "'" + (isOpen ? ", which may be on " + may : "");
  case Where::Owners:
    return "follows the parameters of '" + className(where.name) + "'" + (isOpen ? ", which may be on " + may : "");
  case Where::Recorded:
    return "is " + place(where);
  case Where::Device:
  case Where::Unsaid:
    break;
  }
  return "is on " + place(where);
}

std::string things(const char *what, const Where &where, When when) {
  const std::string may = choice(when, where), thing = what;
  if (isSomeGpu(where, when))
    return thing + " on cuda";
  switch (where.kind) {
  case Where::Callers:
    return thing + " that follows '" + where.name + "'" + (may.empty() ? "" : ", which may be on " + may);
  case Where::Owners:
    return thing + " that follows the parameters of '" + className(where.name) + "'" +
           (may.empty() ? "" : ", which may be on " + may);
  case Where::Recorded:
    return thing + " of a file, on the device it was saved from";
  default:
    return thing + " on " + place(where) + (may.empty() || where.kind == Where::Device ? "" : ", which may be " + may);
  }
}

std::string consequence(const std::string &what, When when) {
  if (what.empty())
    return {};
  // "operator*" is '*' to people; a class is a module that is called.
  constexpr std::string_view prefix = "operator";
  const bool isOperator = what.starts_with(prefix) && !std::isalnum(static_cast<unsigned char>(what[prefix.size()]));
  const bool isModule = std::isupper(static_cast<unsigned char>(what[0])) || what.find("::") != std::string::npos;
  const std::string fails = isModule || what == "operator()"
                                ? "the call throws"
                                : "'" + (isOperator ? what.substr(prefix.size()) : what) + "' throws";
  return when == When::Always ? ": " + fails : ": then " + fails;
}

std::string throwsHere(const Finding &finding) {
  const Where &open = finding.otherDevice.kind == Where::Device ? finding.device : finding.otherDevice;
  const std::string may = choice(finding.when, open);
  if (may.empty())
    return ": this throws";
  if (finding.device.kind == Where::Recorded || open.kind == Where::Recorded)
    return ": this throws if it was saved from another device";
  const std::string name = open.kind == Where::Owners ? className(open.name) : open.name;
  if (open.kind == Where::Picked)
    return name.empty() ? ": this throws if it is " + may : ": this throws if '" + name + "' picks " + may;
  const bool isDevice = open.kind == Where::Chosen;
  return name.empty() ? ": this throws if the device is " + may
                      : ": this throws if '" + name + (isDevice ? "' is " : "' is on ") + may;
}

std::string leftBehind(const Finding &finding, const Names &names) {
  const bool isNamed =
      !finding.detail.empty() && finding.detail.find(' ') == std::string::npos && !std::isdigit(finding.detail[0]);
  return isNamed ? finding.detail : names.name(finding.subject);
}

std::string userOf(const Finding &finding) {
  return finding.detail.find(' ') == std::string::npos ? quoted(finding.detail, "it") : finding.detail;
}

std::string bothSides(const std::string &subject, const std::string &other, const Finding &finding) {
  return subject + " " + isWhere(finding.device, finding.when, subject) + ", but " + other + " " +
         isWhere(finding.otherDevice, finding.when, other);
}

} // namespace samedevice::report
