// A launch passes the addresses of its arguments, but not their types. Those are in the kernel's mangled name, and that
// is in the symbol table of the program, which knows static functions too.
#include "KernelArguments.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>

namespace samedevice::runtime {

namespace {

using Symbols = std::unordered_map<const void *, std::string>;

void readSymbols(const char *file, std::size_t size, ElfW(Addr) base, Symbols &symbols) {
  const auto *header = reinterpret_cast<const ElfW(Ehdr) *>(file);
  if (size < sizeof(*header) || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return;
  const auto *sections = reinterpret_cast<const ElfW(Shdr) *>(file + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB)
      continue;
    const char *names = file + sections[sections[i].sh_link].sh_offset;
    const auto *symbol = reinterpret_cast<const ElfW(Sym) *>(file + sections[i].sh_offset);
    for (std::size_t n = sections[i].sh_size / sizeof(*symbol); n != 0; --n, ++symbol)
      if (symbol->st_value != 0 && (symbol->st_info & 0xf) <= STT_FUNC)
        symbols.emplace(reinterpret_cast<const void *>(base + symbol->st_value), names + symbol->st_name);
  }
}

Symbols symbolsOfProgram() {
  Symbols symbols;
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (file < 0 || fstat(file, &status) != 0)
    return symbols;
  const auto size = static_cast<std::size_t>(status.st_size);
  void *mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (mapped == MAP_FAILED)
    return symbols;
  ElfW(Addr) base = 0;
  // The first object is the program itself.
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *out) {
        *static_cast<ElfW(Addr) *>(out) = info->dlpi_addr;
        return 1;
      },
      &base);
  readSymbols(static_cast<const char *>(mapped), size, base, symbols);
  munmap(mapped, size);
  return symbols;
}

std::vector<std::string> parametersOf(const std::string &mangled) {
  int status = 0;
  char *demangled = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  const std::string name = demangled ? demangled : "";
  std::free(demangled);
  std::vector<std::string> parameters;
  const std::size_t end = name.rfind(')');
  if (end == std::string::npos)
    return parameters;
  // Back from the closing parenthesis to its partner: the return type before it may hold some, too.
  std::size_t begin = end;
  for (int depth = 0; begin > 0; --begin) {
    depth += name[begin] == ')' ? 1 : name[begin] == '(' ? -1 : 0;
    if (depth == 0)
      break;
  }
  std::string parameter;
  int depth = 0;
  for (std::size_t i = begin + 1; i <= end; ++i) {
    const char c = name[i];
    if ((c == ',' && depth == 0) || i == end) {
      parameters.push_back(parameter);
      parameter.clear();
      continue;
    }
    depth += c == '(' || c == '<' ? 1 : c == ')' || c == '>' ? -1 : 0;
    if (c != ' ' || !parameter.empty())
      parameter += c;
  }
  return parameters;
}

bool endsWith(const std::string &text, const char *end) {
  const std::size_t length = std::strlen(end);
  return text.size() >= length && text.compare(text.size() - length, length, end) == 0;
}

bool leadsWithPointer(const std::string &type) {
  for (const char *end : {"*", "* const", "* __restrict", "*restrict"})
    if (endsWith(type, end))
      return true;
  return type.find("PackedTensorAccessor") != std::string::npos;
}

} // namespace

const std::vector<std::size_t> &pointerParameters(const void *function) {
  static const Symbols symbols = symbolsOfProgram();
  static std::unordered_map<const void *, std::vector<std::size_t>> known;
  const auto [entry, isNew] = known.try_emplace(function);
  const auto symbol = symbols.find(function);
  if (!isNew || symbol == symbols.end())
    return entry->second;
  const std::vector<std::string> parameters = parametersOf(symbol->second);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (leadsWithPointer(parameters[i]))
      entry->second.push_back(i);
  return entry->second;
}

} // namespace samedevice::runtime
