#include "Backward.h"

#include "StringSwitch.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/CharInfo.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace samedevice::clangfront {

using namespace clang;
using llvm::StringRef;

namespace {

using Words = std::vector<std::string>;

/// `ms_deform_attn_cuda_backward`, `PSAMaskBackwardCUDAKernelLauncher`: in lower case.
Words wordsOf(StringRef name) {
  Words words;
  std::string word;
  auto finish = [&] {
    if (!word.empty())
      words.push_back(std::move(word));
    word.clear();
  };
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool startsWord =
        isUppercase(c) && i > 0 && (!isUppercase(name[i - 1]) || (i + 1 < name.size() && isLowercase(name[i + 1])));
    if (startsWord || !llvm::isAlnum(c))
      finish();
    if (llvm::isAlnum(c))
      word += llvm::toLower(c);
  }
  finish();
  return words;
}

bool isForwardWord(StringRef word) {
  return StringSwitch<bool>(word).Cases({"forward", "fwd", "fw", "fprop"}, true).Default(false);
}
bool isBackwardWord(StringRef word) {
  return StringSwitch<bool>(word)
      .Cases({"backward", "backwards", "bwd", "bw", "bprop", "backprop"}, true)
      .Default(false);
}
bool isGradientWord(StringRef word) {
  return StringSwitch<bool>(word)
      .Cases({"grad", "grads", "gradient", "gradients", "gradinput", "gradoutput", "gradout"}, true)
      .Default(false);
}

bool isDirection(StringRef word) { return isForwardWord(word) || isBackwardWord(word) || isGradientWord(word); }

/// Says how it is done, not what.
bool isTechnical(StringRef word) {
  return StringSwitch<bool>(word)
      .Cases({"cuda", "gpu", "cu", "cpu", "kernel", "kernels", "launcher", "launch", "wrapper", "impl"}, true)
      .Cases({"tensor", "op", "fast", "out", "template"}, true)
      .Default(false);
}

bool contains(const Words &words, bool (*is)(StringRef)) {
  return std::any_of(words.begin(), words.end(), [&](const std::string &word) { return is(word); });
}

/// What is computed, or differentiated: the words before the direction, or all where there is none.
/// `spline_backward_x_cuda` and `spline_forward_cuda` are both about a spline; so is `spline_kernel`. The twin of
/// `backward_warp` says `forward_warp`.
std::string subjectOf(const Words &words) {
  std::string subject;
  if (!words.empty() && isDirection(words[0]))
    subject = "way of ";
  for (const std::string &word : words) {
    if (!isDirection(word) && !isTechnical(word))
      subject += word + ' ';
    else if (isDirection(word) && &word != &words.front())
      break;
  }
  return subject;
}

/// `grad_output`, `dy`, `dL_dout`, `v_color`, `top_diff`: the gradient that a backward is given.
bool isGradientName(StringRef name) {
  const Words words = wordsOf(name);
  if (words.empty())
    return false;
  const StringRef first = words.front();
  const StringRef differential = first == "d" && words.size() > 1 ? StringRef(words[1])
                                 : first.starts_with("d")         ? first.drop_front()
                                                                  : StringRef();
  return contains(words, isGradientWord) || (words.size() > 1 && (first == "v" || words.back() == "diff")) ||
         StringSwitch<bool>(differential)
             .Cases({"l", "o", "y", "z", "out", "output", "loss", "logits"}, true)
             .Default(false);
}

bool takesGradient(const FunctionDecl *function) {
  return llvm::any_of(function->parameters(),
                      [](const ParmVarDecl *parameter) { return isGradientName(parameter->getName()); });
}

StringRef nameOf(const FunctionDecl *function) {
  const IdentifierInfo *id = function->getIdentifier();
  return id ? id->getName() : StringRef();
}

/// From a gradient that it is given to one that it fills: `rms_norm_gradient(dout, input, grad_gamma)`. Not so
/// `clip_gradient(grad, norm)`.
bool handsGradientOn(const FunctionDecl *function) {
  const Words words = wordsOf(nameOf(function));
  return !words.empty() && isGradientWord(words.back()) &&
         llvm::count_if(function->parameters(),
                        [](const ParmVarDecl *parameter) { return isGradientName(parameter->getName()); }) > 1;
}

/// What `dgelu` and `clamped_dswiglu` are the differentials of: `gelu`, `clamped_swiglu`.
std::vector<std::string> subjectsOfDifferential(const Words &words) {
  std::vector<std::string> subjects;
  for (std::size_t at = 0; at < words.size(); ++at)
    if (words[at].size() > 2 && words[at][0] == 'd') {
      Words stripped = words;
      stripped[at].erase(0, 1);
      subjects.push_back(subjectOf(stripped));
    }
  return subjects;
}

bool isDirectedBack(const Words &words) { return contains(words, isBackwardWord) || contains(words, isGradientWord); }

} // namespace

bool isNameOfBackward(StringRef name) {
  const Words words = wordsOf(name);
  return contains(words, isBackwardWord) && !contains(words, isForwardWord);
}

StringRef nameInSchema(StringRef schema) {
  StringRef name = schema.take_until([](char c) { return c == '(' || c == '.'; }).trim();
  const size_t scope = name.rfind("::");
  return scope == StringRef::npos ? name : name.drop_front(scope + 2);
}

void Backward::declared(const FunctionDecl *function) { addForward(nameOf(function)); }

void Backward::bound(const FunctionDecl *function, StringRef schema) {
  names_[function->getCanonicalDecl()].push_back(nameInSchema(schema).str());
  addForward(nameInSchema(schema));
}

void Backward::addForward(StringRef name) {
  const Words words = wordsOf(name);
  if (isDirectedBack(words))
    return;
  if (std::string subject = subjectOf(words); !subject.empty())
    forward_.insert(subject);
}

bool Backward::computesGradient(StringRef name, bool takesGradient) const {
  const Words words = wordsOf(name);
  if (contains(words, isForwardWord)) // both at once: called on the way forward
    return false;
  const bool hasTwin = forward_.contains(subjectOf(words));
  if (contains(words, isBackwardWord))
    return hasTwin || takesGradient;
  if (!takesGradient) // `image_gradient` is no backward, nor is `dropout` beside `ropout`
    return false;
  return contains(words, isGradientWord)
             ? hasTwin
             : llvm::any_of(subjectsOfDifferential(words),
                            [this](const std::string &subject) { return forward_.contains(subject); });
}

bool Backward::includes(const FunctionDecl *function) const {
  const bool gradient = takesGradient(function);
  const auto names = names_.find(function->getCanonicalDecl());
  return handsGradientOn(function) || computesGradient(nameOf(function), gradient) ||
         (names != names_.end() &&
          llvm::any_of(names->second, [&](const std::string &name) { return computesGradient(name, gradient); }));
}

} // namespace samedevice::clangfront
