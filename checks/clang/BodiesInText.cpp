#include "BodiesInText.h"

#include "StringSwitch.h"
#include "TextOfCpp.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <set>

namespace samedevice::clangfront {

using namespace clang;
using llvm::StringRef;

namespace {

constexpr int kDeepest = 3; ///< calls of other functions in the same file that are followed

bool isName(const Piece &word) { return word.kind == tok::raw_identifier; }

/// Where the bracket that opens at `open` is closed.
size_t closing(Pieces words, size_t open) {
  int depth = 0;
  for (size_t i = open; i < words.size(); ++i)
    switch (words[i].kind) {
    case tok::l_paren:
    case tok::l_brace:
    case tok::l_square:
      ++depth;
      break;
    case tok::r_paren:
    case tok::r_brace:
    case tok::r_square:
      if (--depth == 0)
        return i;
      break;
    default:
      break;
    }
  return words.size();
}

/// What stands between commas, in no bracket; `<` is one where types are written.
std::vector<Pieces> parts(Pieces words, bool areTypes) {
  std::vector<Pieces> found;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    const tok::TokenKind kind = words[i].kind;
    if (kind == tok::l_paren || kind == tok::l_brace || kind == tok::l_square || (areTypes && kind == tok::less))
      ++depth;
    else if (kind == tok::r_paren || kind == tok::r_brace || kind == tok::r_square ||
             (areTypes && kind == tok::greater))
      --depth;
    else if (areTypes && kind == tok::greatergreater)
      depth -= 2;
    else if (kind == tok::comma && depth == 0) {
      found.push_back(words.slice(begin, i - begin));
      begin = i + 1;
    }
  }
  if (!words.empty())
    found.push_back(words.drop_front(begin));
  return found;
}

/// `x` of `const at::Tensor &x = {}`.
StringRef nameOfParameter(Pieces parameter) {
  StringRef name;
  for (const Piece &word : parameter) {
    if (word.kind == tok::equal || word.kind == tok::l_square)
      break;
    if (isName(word))
      name = word.text;
  }
  return name;
}

bool givesMemory(StringRef method) {
  return method == "data_ptr" || method == "mutable_data_ptr" || method == "const_data_ptr" || method == "data" ||
         method.starts_with("packed_accessor") || method.starts_with("generic_packed_accessor");
}

bool isElementType(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases({"kFloat", "kDouble", "kHalf", "kBFloat16", "kInt", "kLong", "kShort", "kByte", "kChar", "kBool"}, true)
      .Cases({"scalar_type", "dtype", "kInt32", "kInt64", "kFloat32", "kFloat64"}, true)
      .Default(false);
}

struct Definition {
  Pieces parameters, body;
};

/// A file's functions, by their names, and what was found in them: a launcher may be called from many places.
struct File {
  llvm::StringMap<std::vector<Definition>> definitions;
  std::map<std::pair<const Piece *, int>, BodyInText> read; ///< by body, and how many calls led there
};

/// "f", and "Solver::f" of what is defined as a member of a class, or of a namespace: which of the two, no text says.
std::string nameWithin(Pieces head, const Piece *named) {
  const bool isQualified = named - head.data() >= 2 && (named - 1)->kind == tok::coloncolon && isName(*(named - 2));
  return isQualified ? ((named - 2)->text + "::" + named->text).str() : named->text.str();
}

File fileOf(Pieces words) {
  File file;
  std::vector<size_t> heads{0};
  bool inBody = false;
  size_t bodyDepth = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].kind == tok::l_brace) {
      const Pieces head = words.slice(heads.back(), i - heads.back());
      if (const Piece *named = inBody ? nullptr : nameOfBody(head)) {
        inBody = true;
        bodyDepth = heads.size();
        const size_t open = static_cast<size_t>(named - words.data()) + 1, end = closing(words, i);
        file.definitions[nameWithin(head, named)].push_back(
            {words.slice(open + 1, closing(words, open) - open - 1), words.slice(i + 1, end - i - 1)});
      }
      heads.push_back(i + 1);
    } else if (words[i].kind == tok::r_brace) {
      if (heads.size() > 1)
        heads.pop_back();
      heads.back() = i + 1;
      inBody = inBody && heads.size() > bodyDepth;
    } else if (words[i].kind == tok::semi) {
      heads.back() = i + 1;
    }
  }
  return file;
}

/// The function of that name and so many parameters; nullptr where there is none, or several.
const Definition *definitionIn(const File &file, StringRef name, size_t parameters) {
  const auto named = file.definitions.find(name);
  const Definition *only = nullptr;
  if (named == file.definitions.end())
    return nullptr;
  for (const Definition &one : named->second)
    if (parts(one.parameters, true).size() == parameters) {
      if (only)
        return nullptr;
      only = &one;
    }
  return only;
}

class Reader {
public:
  Reader(File &file, const Definition &definition, int depth, BodyElsewhere elsewhere)
      : file_(file), body_(definition.body), depth_(depth), elsewhere_(elsewhere) {
    for (Pieces parameter : parts(definition.parameters, true))
      parameters_.push_back(nameOfParameter(parameter));
    for (unsigned n = 0; n < parameters_.size(); ++n)
      where_[parameters_[n]] = n;
    result_.isRebound.resize(parameters_.size());
  }

  BodyInText read() {
    bool isOneResult = true;
    for (size_t i = 0; i < body_.size(); ++i) {
      const Piece &word = body_[i];
      result_.isGuarded |= isName(word) && isGuardName(word.text);
      if (word.kind == tok::equal && i > 0 && isName(body_[i - 1]))
        assign(i);
      else if (word.kind == tok::lesslessless)
        launch(i);
      else if (word.text == "accessor")
        readOnHost(i);
      else if (word.kind == tok::l_paren && i > 0 && isName(body_[i - 1]))
        call(i);
      else if (word.text == "return" && !isInLambda(i)) {
        const std::optional<unsigned> like = placeOf(statementFrom(i + 1));
        isOneResult = isOneResult && like && (!result_.resultLike || *like == *result_.resultLike);
        if (like && !result_.resultLike)
          result_.resultLike = like;
      }
    }
    if (!isOneResult)
      result_.resultLike.reset();
    result_.isGuarded |= isToldWhichGpu();
    if (asksWhere()) // and goes by the answer
      result_.readOnHost.clear();
    return result_;
  }

private:
  using Memory = std::set<std::pair<unsigned, std::string>>; ///< parameters, and members of them

  /// Up to the end of the statement, or of the bracket that it stands in.
  Pieces statementFrom(size_t begin) const {
    int depth = 0;
    for (size_t i = begin; i < body_.size(); ++i) {
      const tok::TokenKind kind = body_[i].kind;
      depth += kind == tok::l_paren || kind == tok::l_brace || kind == tok::l_square;
      depth -= kind == tok::r_paren || kind == tok::r_brace || kind == tok::r_square;
      if (kind == tok::semi || depth < 0)
        return body_.slice(begin, i - begin);
    }
    return body_.drop_front(begin);
  }

  /// A `return` of a lambda, of which dispatch macros make many, is not the function's.
  bool isInLambda(size_t at) const {
    std::vector<bool> braces;
    for (size_t i = 0; i < at; ++i)
      if (body_[i].kind == tok::l_brace)
        braces.push_back(
            i > 0 && (body_[i - 1].kind == tok::r_square || (body_[i - 1].kind == tok::r_paren && opensLambda(i - 1))));
      else if (body_[i].kind == tok::r_brace && !braces.empty())
        braces.pop_back();
    return llvm::is_contained(braces, true);
  }
  bool opensLambda(size_t close) const {
    int depth = 0;
    for (size_t i = close + 1; i-- > 0;) {
      depth += body_[i].kind == tok::r_paren;
      depth -= body_[i].kind == tok::l_paren;
      if (depth == 0)
        return i > 0 && body_[i - 1].kind == tok::r_square;
    }
    return false;
  }

  /// The parameters whose memory is meant: `x.data_ptr<float>()`, `group.sizes.data_ptr()`, a pointer to them.
  Memory memoryIn(Pieces words) const {
    if (llvm::any_of(words, [](const Piece &word) { return word.kind == tok::question; }))
      return memoryOfEither(words);
    Memory found;
    for (size_t i = 0; i < words.size(); ++i) {
      if (!isName(words[i]) || (i > 0 && isAccess(words[i - 1])) || isElement(words, i))
        continue;
      if (auto known = pointers_.find(words[i].text); known != pointers_.end())
        found.insert(known->second.begin(), known->second.end());
      const bool isParameter = where_.count(words[i].text) != 0;
      const std::optional<unsigned> parameter = placeNamed(words[i].text);
      if (!parameter)
        continue;
      size_t next = i + 1;
      std::string member;
      while (next + 1 < words.size() && isAccess(words[next]) && isName(words[next + 1])) {
        if (givesMemory(words[next + 1].text)) {
          if (!isReadAt(words, next + 2))
            found.insert({*parameter, member});
          break;
        }
        const bool isCall = next + 2 < words.size() && words[next + 2].kind == tok::l_paren;
        if (isCall && words[next + 1].text != "contiguous")
          break;
        if (isCall) {
          next = closing(words, next + 2) + 1;
          continue;
        }
        if (!member.empty())
          member += '.';
        member += words[next + 1].text.str();
        next += 2;
      }
      if (isParameter && (next == words.size() || (next == i + 1 && !isAccess(words[next])))) // a pointer, handed in
        found.insert({*parameter, ""});
    }
    return found;
  }
  /// `last ? out : scratch`; none, where it may be none: `mask.defined() ? mask.data_ptr<float>() : nullptr`.
  Memory memoryOfEither(Pieces words) const {
    const auto *asked = llvm::find_if(words, [](const Piece &word) { return word.kind == tok::question; });
    const auto *other = std::find_if(asked, words.end(), [](const Piece &word) { return word.kind == tok::colon; });
    if (other == words.end())
      return {};
    Memory found = memoryIn({asked + 1, other});
    const Memory second = memoryIn({other + 1, words.end()});
    if (found.empty() || second.empty())
      return {};
    found.insert(second.begin(), second.end());
    return found;
  }
  /// `sizes[0]`, `*count`: what the host reads there, and hands on by value. Not `&sizes[0]`, nor
  /// `tensors[0].data_ptr()`.
  static bool isElement(Pieces words, size_t at) {
    const tok::TokenKind before = at > 0 ? words[at - 1].kind : tok::comma;
    if (at + 1 < words.size() && words[at + 1].kind == tok::l_square && before != tok::amp) {
      const size_t end = closing(words, at + 1) + 1;
      return end + 1 >= words.size() || !isAccess(words[end]) || !givesMemory(words[end + 1].text);
    }
    const tok::TokenKind front = at > 1 ? words[at - 2].kind : tok::comma;
    return before == tok::star && (front == tok::comma || front == tok::l_paren);
  }
  /// `[0]` of `x.data_ptr<int>()[0]`.
  static bool isReadAt(Pieces words, size_t at) {
    if (at >= words.size() || (words[at].kind != tok::less && words[at].kind != tok::l_paren))
      return false;
    while (at < words.size() && words[at].kind != tok::l_paren)
      ++at;
    const size_t end = closing(words, at) + 1;
    return end < words.size() && words[end].kind == tok::l_square;
  }
  static bool isAccess(const Piece &word) { return word.kind == tok::period || word.kind == tok::arrow; }

  /// The parameter that a name stands for, or on whose device the local tensor of that name is.
  std::optional<unsigned> placeNamed(StringRef name) const {
    if (const auto parameter = where_.find(name); parameter != where_.end())
      return parameter->second;
    const auto local = places_.find(name);
    return local == places_.end() ? std::nullopt : local->second;
  }

  /// The parameter whose device something is on that is made of these words.
  std::optional<unsigned> placeOf(Pieces words) const {
    if (std::optional<Pieces> several = tupleIn(words)) {
      std::optional<unsigned> first;
      for (Pieces part : parts(*several, false)) {
        const std::optional<unsigned> place = placeOf(part);
        if (!place)
          return std::nullopt;
        first = first ? first : place;
      }
      return first;
    }
    std::optional<unsigned> found;
    for (size_t i = 0; i < words.size(); ++i) {
      if (!isName(words[i]))
        continue;
      if (leadsElsewhere(words, i))
        return std::nullopt;
      if (i > 0 && (isAccess(words[i - 1]) || words[i - 1].kind == tok::coloncolon))
        continue;
      if (i + 1 < words.size() && words[i + 1].kind == tok::l_paren)
        return std::nullopt; // another function: nobody knows what it does
      const auto local = places_.find(words[i].text);
      const bool isKnown = local != places_.end() && local->second; // options, among the arguments of a factory
      if ((!isTensorHere(words, i) && !isKnown) || (local == places_.end() && !where_.count(words[i].text)))
        continue;
      const std::optional<unsigned> place = placeNamed(words[i].text);
      if (!place)
        return std::nullopt;
      found = found ? found : place;
    }
    return found;
  }

  /// What `{a, b}` and `std::make_tuple(a, b)` put together.
  static std::optional<Pieces> tupleIn(Pieces words) {
    size_t open = 0;
    while (open < words.size() && words[open].kind != tok::l_paren && words[open].kind != tok::l_brace)
      ++open;
    const bool isList = open == 0 && !words.empty() && words[0].kind == tok::l_brace;
    const bool isCall = open > 0 && open < words.size() &&
                        (words[open - 1].text == "make_tuple" || words[open - 1].text == "make_pair");
    if ((!isList && !isCall) || closing(words, open) + 1 != words.size())
      return std::nullopt;
    return words.slice(open + 1, words.size() - open - 2);
  }

  /// `empty_like(x)`, `x.options()`, `return x;`: as against a number among sizes.
  static bool isTensorHere(Pieces words, size_t at) {
    if (at + 2 < words.size() && isAccess(words[at + 1]))
      return !StringSwitch<bool>(words[at + 2].text)
                  .Cases({"size", "sizes", "numel", "dim", "stride", "strides", "scalar_type"}, true)
                  .Cases({"dtype", "data_ptr", "ndimension", "defined", "type", "is_cuda"}, true)
                  .Default(false);
    return words.size() == 1 ||
           (at >= 2 && words[at - 1].kind == tok::l_paren && words[at - 2].text.ends_with("_like"));
  }

  /// Words after which nobody knows where something is.
  bool leadsElsewhere(Pieces words, size_t at) const {
    const StringRef word = words[at].text;
    if (word == "to")
      return llvm::none_of(words.slice(at, std::min<size_t>(words.size() - at, 8)),
                           [](const Piece &near) { return isElementType(near.text); });
    if (word == "device") {
      const bool isOf = at > 1 && isAccess(words[at - 1]) && placeNamed(words[at - 2].text);
      const bool isGiven = at + 2 < words.size() && where_.count(words[at + 2].text);
      return !isOf && !isGiven;
    }
    return StringSwitch<bool>(word)
        .Cases({"cpu", "cuda", "kCPU", "kCUDA", "Device", "item"}, true)
        .Cases({"pin_memory", "pinned_memory", "accessor", "from_blob"}, true)
        .Default(false);
  }

  void assign(size_t at) {
    const StringRef name = body_[at - 1].text;
    const bool isMember = at > 1 && isAccess(body_[at - 2]);
    if (isMember)
      return;
    const Pieces value = statementFrom(at + 1);
    if (const auto parameter = where_.find(name); parameter != where_.end()) {
      const bool isSame = value.size() >= 3 && value[0].text == name && value[2].text == "contiguous";
      result_.isRebound[parameter->second] = result_.isRebound[parameter->second] || !isSame;
      return;
    }
    if (Memory memory = memoryIn(value); !memory.empty())
      pointers_[name].insert(memory.begin(), memory.end());
    const std::optional<unsigned> place = placeOf(value);
    const auto [known, isNew] = places_.try_emplace(name, place);
    if (!isNew && known->second != place)
      known->second.reset();
  }

  /// `cost.accessor<float, 2>()`, of a parameter or of what is where that is.
  void readOnHost(size_t at) {
    const bool isOf = at > 1 && isAccess(body_[at - 1]) && isName(body_[at - 2]);
    const std::optional<unsigned> parameter = isOf ? placeNamed(body_[at - 2].text) : std::nullopt;
    if (parameter && !result_.isRebound[*parameter] && !llvm::is_contained(result_.readOnHost, *parameter))
      result_.readOnHost.push_back(*parameter);
  }

  /// `void radon(const float *x, int device)`: somewhere below it is made current.
  bool isToldWhichGpu() const {
    auto isGpu = [](StringRef name) {
      const std::string lower = name.lower();
      return StringRef(lower).starts_with("device") || StringRef(lower).starts_with("dev_id") ||
             StringRef(lower).starts_with("gpu");
    };
    return llvm::any_of(body_, [&](const Piece &word) { return where_.count(word.text) && isGpu(word.text); });
  }

  bool asksWhere() const {
    return llvm::any_of(body_, [](const Piece &word) {
      return StringSwitch<bool>(word.text)
          .Cases({"is_cuda", "is_cpu", "device", "device_type", "is_available", "catch"}, true)
          .Default(false);
    });
  }

  void use(const Memory &memory, StringRef kernel) {
    for (const auto &[parameter, member] : memory) {
      BodyInText::Use made{parameter, member, kernel.str()};
      const bool isKnown = llvm::any_of(result_.uses, [&](const BodyInText::Use &known) {
        return known.parameter == parameter && known.member == member;
      });
      if (!isKnown && !result_.isRebound[parameter])
        result_.uses.push_back(std::move(made));
    }
  }

  /// The last word of `>>>`, or of `>> >`, before what a kernel is given.
  bool endsConfiguration(size_t at) const {
    const tok::TokenKind kind = body_[at].kind;
    const bool isApart = kind == tok::greater && at > 0 && body_[at - 1].kind == tok::greatergreater;
    return (kind == tok::greatergreatergreater || isApart) && at + 1 < body_.size() &&
           body_[at + 1].kind == tok::l_paren;
  }

  /// `kernel<T><<<grid, block>>>(x.data_ptr<T>(), n)`
  void launch(size_t at) {
    size_t open = at;
    while (open < body_.size() && body_[open].kind != tok::semi && !endsConfiguration(open))
      ++open;
    if (open >= body_.size() || body_[open].kind == tok::semi)
      return;
    ++open;
    size_t name = at;
    for (int depth = 0; name > 0;) {
      const tok::TokenKind kind = body_[--name].kind;
      depth += kind == tok::greater ? 1 : kind == tok::greatergreater ? 2 : 0;
      depth -= kind == tok::less;
      if (depth <= 0 && kind == tok::raw_identifier)
        break;
    }
    for (Pieces part : parts(body_.slice(open + 1, closing(body_, open) - open - 1), false))
      use(memoryIn(part), body_[name].text);
  }

  /// Another function that hands it on, of this file or, where memory is handed to it, of another one.
  void call(size_t open) {
    const StringRef name = body_[open - 1].text;
    const bool isMember = open > 1 && isAccess(body_[open - 2]);
    if (depth_ >= kDeepest || isMember || name.size() < 3)
      return;
    const std::vector<Pieces> given = parts(body_.slice(open + 1, closing(body_, open) - open - 1), false);
    const bool isQualified = open > 2 && body_[open - 2].kind == tok::coloncolon && isName(body_[open - 3]);
    const std::string qualified = isQualified ? (body_[open - 3].text + "::" + name).str() : std::string();
    const Definition *called = definitionIn(file_, name, given.size());
    if (!called && isQualified)
      called = definitionIn(file_, qualified, given.size());
    if (called) {
      const auto [known, isNew] = file_.read.try_emplace({called->body.data(), depth_ + 1});
      if (isNew)
        known->second = Reader(file_, *called, depth_ + 1, elsewhere_).read();
      handOn(known->second, given);
    } else if (elsewhere_ && llvm::any_of(given, [&](Pieces part) { return !memoryIn(part).empty(); })) {
      const auto parameters = static_cast<unsigned>(given.size());
      const BodyInText *other = elsewhere_(name, parameters);
      if (!other && isQualified)
        other = elsewhere_(qualified, parameters);
      if (other)
        handOn(*other, given);
    }
  }

  void handOn(const BodyInText &inner, const std::vector<Pieces> &given) {
    for (const BodyInText::Use &used : inner.uses)
      if (used.member.empty() && used.parameter < given.size() && !given[used.parameter].empty()) {
        use(memoryIn(given[used.parameter]), used.kernel);
        result_.isGuarded |= inner.isGuarded;
      }
  }

  File &file_;
  Pieces body_;
  int depth_;
  BodyElsewhere elsewhere_;
  std::vector<StringRef> parameters_;
  llvm::StringMap<unsigned> where_;
  llvm::StringMap<Memory> pointers_;
  llvm::StringMap<std::optional<unsigned>> places_;
  BodyInText result_;
};

} // namespace

std::optional<BodyInText> bodyInCpp(StringRef text, StringRef name, unsigned parameters, BodyElsewhere elsewhere) {
  if (!text.contains(name))
    return std::nullopt;
  const std::vector<Piece> words = wordsOfCpp(text);
  File file = fileOf(words);
  const Definition *definition = definitionIn(file, name, parameters);
  return definition ? std::optional(Reader(file, *definition, 0, elsewhere).read()) : std::nullopt;
}

} // namespace samedevice::clangfront
