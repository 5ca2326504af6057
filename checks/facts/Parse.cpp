#include "ParseDetail.h"
#include "Text.h"

#include <algorithm>

namespace samedevice::facts {
namespace {

using namespace detail;

struct Section {
  enum Kind { Program, Class, Function, Method, Constructor, Sources } kind;
  Line header;
  std::vector<Line> body;
  std::uint32_t id = kNone; ///< the class or function it declares
};

std::string_view withoutComment(std::string_view line) {
  bool inString = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (inString && line[i] == '\\')
      ++i;
    else if (line[i] == '"')
      inString = !inString;
    else if (!inString && line[i] == ';')
      return line.substr(0, i);
  }
  return line;
}

class Parser {
public:
  std::optional<Program> run(std::string_view text, std::string &error) {
    split(text);
    for (Section &section : sections_)
      declare(section);
    for (Section &section : sections_)
      header(section);
    for (bool isClass : {true, false}) // what a member is, functions need to know
      for (Section &section : sections_)
        if ((section.kind == Section::Class) == isClass)
          body(section);
    error = error_;
    return error_.empty() ? std::optional(std::move(program_)) : std::nullopt;
  }

private:
  // Lines and sections.

  void fail(const Line &line, const std::string &message) {
    if (error_.empty())
      error_ = "line " + std::to_string(line.number) + ": " + message;
  }

  void finish(Cursor &cursor, const Line &line) {
    cursor.expectEnd();
    if (cursor.failed())
      fail(line, cursor.error());
  }

  void split(std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const Line line{withoutComment(text.substr(0, end)), number};
      text.remove_prefix(std::min(end + 1, text.size()));
      if (Cursor(line.text).atEnd())
        continue;
      if (auto kind = headerKind(line))
        sections_.push_back({*kind, line, {}});
      else if (sections_.empty())
        fail(line, "expected 'program', 'class' or 'function' first");
      else
        sections_.back().body.push_back(line);
    }
  }

  static std::optional<Section::Kind> headerKind(const Line &line) {
    static constexpr std::pair<std::string_view, Section::Kind> kWords[] = {
        {"program", Section::Program},         {"class", Section::Class},
        {"function", Section::Function},       {"method", Section::Method},
        {"constructor", Section::Constructor}, {"sources", Section::Sources}};
    for (auto [word, kind] : kWords)
      if (Cursor cursor(line.text); cursor.eatWord(word) && !cursor.startsWith("=") && !cursor.startsWith(":"))
        return kind;
    return std::nullopt;
  }

  static Cursor afterKeyword(const Section &section) {
    Cursor cursor(section.header.text);
    cursor.kebab();
    return cursor;
  }

  void declare(Section &section) {
    Cursor cursor = afterKeyword(section);
    if (section.kind == Section::Program || section.kind == Section::Sources)
      return;
    const std::string name = cursor.name();
    if (section.kind == Section::Class) {
      section.id = static_cast<ClassId>(program_.classes.size());
      program_.classes.emplace_back().name = name;
      names_.classes[keyOf(name, names_.classes)] = section.id;
    } else {
      section.id = static_cast<FunctionId>(program_.functions.size());
      program_.functions.emplace_back().name = name;
      names_.functions[keyOf(name, names_.functions)] = section.id;
    }
  }

  void header(Section &section) {
    Cursor cursor = afterKeyword(section);
    switch (section.kind) {
    case Section::Program:
      program_.mentionsDevices = cursor.eatWord("mentions-devices");
      program_.isUnfinished = cursor.eatWord("unfinished");
      if (cursor.eat("torch=")) {
        program_.torch = 100 * cursor.number<TorchVersion>();
        cursor.expect(".");
        program_.torch += cursor.number<TorchVersion>();
      }
      if (cursor.eat("global-init="))
        references(cursor, program_.globalInits, names_.functions, "function", "|");
      break;
    case Section::Sources:
      break;
    case Section::Class: {
      Class &cls = program_.classes[section.id];
      cursor.name();
      cls.isModule = cursor.eatWord("module");
      cls.isLambda = cursor.eatWord("lambda");
      cls.source = cursor.source();
      break;
    }
    default:
      signature(cursor, section);
    }
    finish(cursor, section.header);
  }

  void body(Section &section) {
    if (section.kind == Section::Program) {
      if (!section.body.empty())
        fail(section.body.front(), "expected 'class' or 'function'");
    } else if (section.kind == Section::Sources) {
      for (const Line &line : section.body)
        source(line);
    } else if (section.kind == Section::Class) {
      for (const Line &line : section.body)
        classMember(line, program_.classes[section.id]);
    } else {
      Line at = section.header;
      std::string error = parseBody(program_, names_, section.id, section.body, at);
      if (!error.empty())
        fail(at, error);
    }
  }

  // Types, classes and signatures.

  void classMember(const Line &line, Class &cls) {
    Cursor cursor(line.text);
    const std::string word = cursor.kebab();
    if (word == "field") {
      SlotInfo &info = cls.fields.emplace_back().slot;
      info.name = cursor.name();
      cursor.expect(":");
      type(cursor, info, names_);
      info.source = cursor.source();
    } else if (word == "link") {
      cls.link = cursor.string();
    } else if (word == "bases") {
      references(cursor, cls.bases, names_.classes, "class");
    } else if (word == "constructors") {
      references(cursor, cls.constructors, names_.functions, "function");
    } else if (word == "methods") {
      references(cursor, cls.methods, names_.functions, "function");
    } else if (word == "move-override") {
      cls.moveOverride = reference(cursor, names_.functions, "function");
    } else if (word == "call") {
      cls.call = reference(cursor, names_.functions, "function");
    } else {
      cursor.fail("expected field, link, bases, constructors, methods, move-override or call");
    }
    finish(cursor, line);
  }

  void signature(Cursor &cursor, const Section &section) {
    Function &function = program_.functions[section.id];
    cursor.name();
    if (section.kind != Section::Function)
      joinClass(cursor, section);
    cursor.expect("(");
    while (!cursor.failed() && !cursor.eat(")")) {
      SlotInfo &info = function.slots.emplace_back();
      info.name = slotName(slotKey(cursor));
      if (cursor.eat(":")) {
        type(cursor, info, names_);
        info.source = cursor.source();
      }
      if (!cursor.startsWith(")"))
        cursor.expect(",");
    }
    function.paramCount = static_cast<Slot>(function.slots.size());
    if (cursor.eat("->"))
      result(cursor, function.result);
    if (cursor.eatWord("of"))
      function.cls = reference(cursor, names_.classes, "class");
    for (auto [member, word] : {std::pair{&Function::isConstructor, "constructor"},
                                {&Function::isDestructor, "destructor"},
                                {&Function::isStatic, "static"},
                                {&Function::isEntry, "entry"},
                                {&Function::isGuarded, "guarded"},
                                {&Function::isForCuda, "for-cuda"},
                                {&Function::isPrivate, "private"},
                                {&Function::isElsewhere, "elsewhere"}})
      if (cursor.eatWord(word))
        function.*member = true;
    function.source = cursor.source();
  }

  void result(Cursor &cursor, SlotInfo &info) {
    const bool parenthesized = cursor.eat("(");
    if (Cursor ahead = cursor; !ahead.name().empty() && ahead.eat(":")) {
      info.name = cursor.name();
      cursor.expect(":");
    }
    type(cursor, info, names_);
    if (parenthesized) {
      info.source = cursor.source();
      cursor.expect(")");
    }
  }

  void source(const Line &line) {
    Cursor cursor(line.text);
    const SourceId id = cursor.source();
    // They come in their order, so that a wrong number cannot ask for all memory there is.
    if (!id || id != std::max<std::size_t>(program_.sources.size(), 1))
      cursor.fail("expected @ and the next number");
    program_.sources.resize(std::max<std::size_t>(program_.sources.size(), 1) + 1);
    Source &source = program_.sources.back();
    if (cursor.atQuote()) {
      source.file = file(cursor.string());
      source.line = cursor.number<std::uint32_t>();
      source.column = cursor.number<std::uint32_t>();
    }
    if (cursor.eat("in="))
      source.function = reference(cursor, names_.functions, "function");
    if (cursor.eat("member="))
      source.member = reference(cursor, names_.classes, "class");
    for (auto [member, word] : {std::pair{&Source::name, "name="},
                                {&Source::label, "label="},
                                {&Source::madeAs, "made-as="},
                                {&Source::callee, "callee="}})
      if (cursor.eat(word))
        source.*member = cursor.string();
    source.isLaunch = cursor.eatWord("launch");
    finish(cursor, line);
  }

  std::uint32_t file(std::string path) {
    auto [place, isNew] = files_.try_emplace(path, static_cast<std::uint32_t>(program_.files.size()));
    if (isNew)
      program_.files.push_back(std::move(path));
    return place->second;
  }

  /// `method Net::forward(...)` is short for a function of class Net with `this`.
  void joinClass(Cursor &cursor, const Section &section) {
    Function &function = program_.functions[section.id];
    const std::string owner = function.name.substr(0, std::min(function.name.rfind("::"), function.name.size()));
    auto found = names_.classes.find(owner);
    if (found == names_.classes.end())
      return cursor.fail("unknown class '" + owner + "'");
    Class &cls = program_.classes[found->second];
    function.cls = found->second;
    function.isConstructor = section.kind == Section::Constructor;
    (function.isConstructor ? cls.constructors : cls.methods).push_back(section.id);
    SlotInfo &self = function.slots.emplace_back();
    self.name = "this";
    self.type = cls.isModule ? Type::Module : Type::Record;
    self.cls = found->second;
    self.reference = true;
  }

  std::vector<Section> sections_;
  Names names_;
  Numbering files_;
  Program program_;
  std::string error_;
};

} // namespace

std::optional<Program> parse(std::string_view text, std::string &error) { return Parser().run(text, error); }

} // namespace samedevice::facts
