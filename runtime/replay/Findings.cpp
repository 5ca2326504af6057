#include "Findings.h"

#include "Json.h"

#include <set>
#include <tuple>

namespace samedevice::runtime {

namespace {

constexpr std::size_t kMaxFindings = 100'000, kMaxSteps = 10'000, kMaxText = 64 << 10, kMaxName = 4 << 10;
constexpr std::int64_t kMaxId = 999'999, kMaxDevices = 16, kMaxRank = 8, kMaxLine = 1 << 30, kMaxTorch = 9999;

[[noreturn]] void fail(const std::string &what) { throw FindingsError(what); }

/// Reads the members of one object, and knows which of them nobody asked for.
class Members {
public:
  explicit Members(const Json &json) : json_(json) {
    if (json.kind != Json::Kind::Object)
      fail("expected an object");
  }

  const Json *find(const std::string &name) {
    known_.insert(name);
    return json_.find(name);
  }
  const Json &need(const std::string &name) {
    const Json *member = find(name);
    if (!member)
      fail("\"" + name + "\" is missing");
    return *member;
  }
  /// Somebody else's.
  void passOver(const std::string &name) { known_.insert(name); }
  bool has(const std::string &name) const { return json_.find(name) != nullptr; }

  static std::string textOf(const Json &json, const std::string &name, std::size_t limit = kMaxText) {
    if (json.kind != Json::Kind::String)
      fail("\"" + name + "\" must be a text");
    if (json.text.size() > limit)
      fail("\"" + name + "\" is too long");
    return json.text;
  }
  static std::int64_t numberOf(const Json &json, const std::string &name, std::int64_t least, std::int64_t most) {
    if (json.kind != Json::Kind::Integer)
      fail("\"" + name + "\" must be an integer");
    if (json.integer < least || json.integer > most)
      fail("\"" + name + "\" must be between " + std::to_string(least) + " and " + std::to_string(most));
    return json.integer;
  }
  static const std::vector<Json> &listOf(const Json &json, const std::string &name) {
    if (json.kind != Json::Kind::Array)
      fail("\"" + name + "\" must be a list");
    return json.items;
  }

  std::string text(const std::string &name, const std::string &otherwise = {}, std::size_t limit = kMaxText) {
    const Json *member = find(name);
    return member ? textOf(*member, name, limit) : otherwise;
  }
  int number(const std::string &name, std::int64_t least, std::int64_t most, int otherwise) {
    const Json *member = find(name);
    return member ? static_cast<int>(numberOf(*member, name, least, most)) : otherwise;
  }
  bool boolean(const std::string &name) {
    const Json *member = find(name);
    if (member && member->kind != Json::Kind::Bool)
      fail("\"" + name + "\" must be true or false");
    return member && member->boolean;
  }

  void rejectOthers() const {
    for (const auto &[name, value] : json_.members)
      if (!known_.count(name))
        fail("unknown member \"" + name + "\"");
  }

private:
  const Json &json_;
  std::set<std::string> known_;
};

std::string checkedDevice(const std::string &device) {
  const bool isIndexed = device.rfind("cuda:", 0) == 0 && device.size() >= 6 && device.size() <= 7 &&
                         device.find_first_not_of("0123456789", 5) == std::string::npos &&
                         std::stoi(device.substr(5)) < kMaxDevices;
  if (device != "cpu" && device != "cuda" && !isIndexed)
    fail("\"" + device + "\" is no device: cpu, cuda or cuda:N");
  return device;
}

/// What an action takes. A letter for each member; those after '?' may be left out.
struct Grammar {
  const char *name;
  Action action;
  const char *members;
};

// i id, o of, f from (as of), p parent (as of), d dst, s src, c child, m module, t stream, L of as a list,
// A args as a list, N args by name, D device, S saved, K kind, W where, B by, n name, C class, T state, r rank,
// x index, b nonBlocking, q pinned, h method, v torch, w write, H how, a as
constexpr Grammar kGrammar[] = {
    {"tensor", Action::Tensor, "i?DrqH"},
    {"move", Action::Move, "ifD?b"},
    {"view", Action::View, "if?r"},
    {"op", Action::Op, "nN?ihrv"},
    {"copyInto", Action::CopyInto, "ds?b"},
    {"setData", Action::SetData, "ds"},
    {"release", Action::Release, "o"},
    {"module", Action::Module, "iC?DT"},
    {"register", Action::Register, "pnc?a"},
    {"unregister", Action::Unregister, "pn"},
    {"parameter", Action::Parameter, "ion"},
    {"moveModule", Action::MoveModule, "oD"},
    {"cloneModule", Action::CloneModule, "if?D"},
    {"loadState", Action::LoadState, "o?SD"},
    {"loadScript", Action::LoadScript, "i?SD"},
    {"forward", Action::Forward, "oA?ir"},
    {"optimizer", Action::Optimizer, "iL"},
    {"optimizerStep", Action::OptimizerStep, "o?m"},
    {"pointer", Action::Pointer, "io"},
    {"allocate", Action::Allocate, "i?W"},
    {"fromBlob", Action::FromBlob, "io?Dr"},
    {"hostRead", Action::HostRead, "o?Bw"},
    {"deviceUse", Action::DeviceUse, "o?B"},
    {"memcpy", Action::Memcpy, "ds?Kb"},
    {"setDevice", Action::SetDevice, "x"},
    {"stream", Action::Stream, "i"},
    {"launch", Action::Launch, "?tAw"},
    {"synchronize", Action::Synchronize, ""},
};

class StepReader {
public:
  Step read(const Json &json) {
    Members members(json);
    const std::string action = Members::textOf(members.need("do"), "do", kMaxName);
    for (const Grammar &grammar : kGrammar) {
      if (action != grammar.name)
        continue;
      Step step;
      step.action = grammar.action;
      step.file = members.text("file");
      step.line = members.number("line", 0, kMaxLine, 0);
      step.note = members.text("note");
      step.fails = members.boolean("fails");
      bool optional = false;
      for (const char *letter = grammar.members; *letter; ++letter) {
        if (*letter == '?')
          optional = true;
        else
          member(step, members, *letter, optional);
      }
      members.rejectOthers();
      define(step);
      return step;
    }
    fail("unknown step \"" + action + "\"");
  }

private:
  int used(const Json &json, const std::string &name) const {
    const int id = static_cast<int>(Members::numberOf(json, name, 0, kMaxId));
    if (!defined_.count(id))
      fail("\"" + name + "\" uses " + std::to_string(id) + ", which no step before has made");
    return id;
  }
  std::vector<int> usedList(const Json &json, const std::string &name) const {
    std::vector<int> ids;
    for (const Json &item : Members::listOf(json, name))
      ids.push_back(used(item, name));
    if (ids.size() > kMaxSteps)
      fail("\"" + name + "\" is too long");
    return ids;
  }
  void define(const Step &step) {
    if (step.id != kNoValue && !defined_.insert(step.id).second)
      fail("value " + std::to_string(step.id) + " is made twice");
  }

  static std::string oneOf(const std::string &name, const std::string &value,
                           std::initializer_list<const char *> allowed) {
    for (const char *candidate : allowed)
      if (value == candidate)
        return value;
    fail("\"" + name + "\" cannot be \"" + value + "\"");
  }

  void member(Step &step, Members &members, char letter, bool optional) {
    const auto present = [&](const char *name) {
      if (!optional)
        members.need(name);
      return members.find(name);
    };
    const auto value = [&](const char *name, int &target) {
      if (const Json *json = present(name))
        target = used(*json, name);
    };
    const auto text = [&](const char *name, std::string &target) {
      if (const Json *json = present(name))
        target = Members::textOf(*json, name, kMaxName);
    };
    switch (letter) {
    case 'i':
      if (const Json *json = present("id"))
        step.id = static_cast<int>(Members::numberOf(*json, "id", 0, kMaxId));
      break;
    case 'o':
      value("of", step.of);
      break;
    case 'f':
      value("from", step.of);
      break;
    case 'p':
      value("parent", step.of);
      break;
    case 'd':
      value("dst", step.to);
      break;
    case 's':
      value("src", step.from);
      break;
    case 'c':
      value("child", step.to);
      break;
    case 'm':
      value("module", step.to);
      break;
    case 't':
      value("stream", step.to);
      break;
    case 'L':
      if (const Json *json = present("of"))
        step.ids = usedList(*json, "of");
      break;
    case 'A':
      if (const Json *json = present("args"))
        step.ids = usedList(*json, "args");
      break;
    case 'N':
      namedArguments(step, *present("args"));
      break;
    case 'D':
      if (const Json *json = present("device"))
        step.device = checkedDevice(Members::textOf(*json, "device", kMaxName));
      break;
    case 'S':
      step.kind = checkedDevice(members.text("saved", "cpu", kMaxName));
      break;
    case 'K':
      step.kind = oneOf("kind", members.text("kind", "default", kMaxName),
                        {"host-to-device", "device-to-host", "device-to-device", "host-to-host", "default"});
      break;
    case 'W':
      step.kind =
          oneOf("where", members.text("where", "host", kMaxName), {"host", "device", "pinned", "managed", "symbol"});
      break;
    case 'a':
      step.kind = oneOf("as", members.text("as", "module", kMaxName), {"module", "parameter", "buffer"});
      break;
    case 'B':
      text("by", step.name);
      break;
    case 'H':
      text("how", step.name);
      break;
    case 'n':
      text("name", step.name);
      break;
    case 'C':
      text("class", step.name);
      break;
    case 'T':
      step.state = {"weight"};
      if (const Json *json = present("state")) {
        step.state.clear();
        for (const Json &item : Members::listOf(*json, "state"))
          step.state.push_back(Members::textOf(item, "state", kMaxName));
        if (step.state.size() > kMaxSteps)
          fail("\"state\" is too long");
      }
      break;
    case 'r':
      step.rank = members.number("rank", 0, kMaxRank, -1);
      break;
    case 'x':
      step.index = static_cast<int>(Members::numberOf(*present("index"), "index", -1, kMaxDevices));
      break;
    case 'b':
      step.nonBlocking = members.boolean("nonBlocking");
      break;
    case 'q':
      step.pinned = members.boolean("pinned");
      break;
    case 'h':
      step.method = members.boolean("method");
      break;
    case 'v':
      step.torch = static_cast<unsigned>(members.number("torch", 0, kMaxTorch, 0));
      break;
    case 'w':
      step.write = members.boolean("write");
      break;
    default:
      break;
    }
  }

  void namedArguments(Step &step, const Json &json) {
    for (const Json &item : Members::listOf(json, "args")) {
      Members members(item);
      NamedValue argument;
      argument.name = members.text("name", {}, kMaxName);
      argument.isList = members.has("ids");
      if (argument.isList)
        argument.ids = usedList(members.need("ids"), "ids");
      else
        argument.ids = {used(members.need("id"), "id")};
      members.rejectOthers();
      step.arguments.push_back(std::move(argument));
    }
    if (step.arguments.size() > kMaxSteps)
      fail("\"args\" is too long");
  }

  std::set<int> defined_;
};

Witness readWitness(const Json &json) {
  Members members(json);
  const std::vector<Json> &steps = Members::listOf(members.need("steps"), "steps");
  members.rejectOthers();
  if (steps.size() > kMaxSteps)
    fail("more than " + std::to_string(kMaxSteps) + " steps");
  Witness witness;
  StepReader reader;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    try {
      witness.steps.push_back(reader.read(steps[i]));
    } catch (const FindingsError &error) {
      fail("step " + std::to_string(i + 1) + ": " + error.what());
    }
  }
  return witness;
}

Finding readFinding(const Json &json) {
  Members members(json);
  Finding finding;
  finding.check = Members::textOf(members.need("check"), "check", kMaxName);
  finding.message = Members::textOf(members.need("message"), "message");
  finding.file = Members::textOf(members.need("file"), "file");
  finding.line = static_cast<int>(Members::numberOf(members.need("line"), "line", 0, kMaxLine));
  finding.column = members.number("column", 0, kMaxLine, 0);
  finding.devices = members.number("devices", 1, kMaxDevices, 1);
  finding.fix = members.boolean("fix");
  finding.unsupported = members.text("unsupported");
  if (const Json *witness = members.find("witness")) {
    finding.hasWitness = true;
    finding.witness = readWitness(*witness);
  }
  if (const Json *witness = members.find("fixedWitness")) {
    finding.hasFixedWitness = true;
    finding.fixedWitness = readWitness(*witness);
  }
  members.passOver("told");
  members.passOver("verdict");
  members.rejectOthers();
  return finding;
}

} // namespace

std::vector<Finding> readFindings(std::string_view text) {
  std::vector<Json> documents;
  try {
    documents = readJson(text);
  } catch (const JsonError &error) {
    fail(error.what());
  }
  if (documents.empty())
    fail("there is no findings document in it");
  std::vector<Finding> findings;
  std::size_t count = 0;
  std::set<std::tuple<std::string, std::string, int, int, std::string>> seen;
  for (const Json &document : documents) {
    Members members(document);
    if (Members::numberOf(members.need("samedevice"), "samedevice", 0, kMaxLine) != 1)
      fail("written in version " + std::to_string(members.need("samedevice").integer) +
           " of the format; this reads version 1");
    for (const Json &item : Members::listOf(members.need("findings"), "findings")) {
      if (count++ == kMaxFindings)
        fail("more than " + std::to_string(kMaxFindings) + " findings");
      try {
        Finding finding = readFinding(item);
        if (seen.emplace(finding.check, finding.file, finding.line, finding.column, finding.message).second)
          findings.push_back(std::move(finding));
      } catch (const FindingsError &error) {
        fail("finding " + std::to_string(count) + ": " + error.what());
      }
    }
    members.passOver("run");
    members.rejectOthers();
  }
  return findings;
}

const char *actionName(Action action) {
  for (const Grammar &grammar : kGrammar)
    if (grammar.action == action)
      return grammar.name;
  return "";
}

} // namespace samedevice::runtime
