// Mangled names as a person says them.
#include <cxxabi.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

#include "harness/explain/symbols.h"

namespace everycrash {
namespace {

constexpr size_t kNameLengthMax = 80;

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

/// What compilers append to the name of a copy that they made of a function.
void cut_clone_suffix(std::string& name) {
  constexpr std::array<std::string_view, 7> kSuffixes = {
      ".constprop.", ".isra.", ".part.", ".cold", ".llvm.", ".lto_priv.", "@"};
  for (const std::string_view suffix : kSuffixes) {
    const size_t at = name.find(suffix);
    if (at != std::string::npos && at > 0) name.resize(at);
  }
}

/// Position behind the bracket that closes the one at OPEN, or npos.
size_t behind_closing(std::string_view name, size_t open, char opening, char closing) {
  int depth = 0;
  for (size_t at = open; at < name.size(); ++at) {
    if (name[at] == opening) ++depth;
    if (name[at] == closing && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

/// Leaves out every parameter list, those of functions around a lambda or local class too.
std::string without_parameters(std::string_view name) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)";
  constexpr std::string_view kCall = "operator()";
  std::string out;
  while (!name.empty()) {
    size_t keep = 1;
    if (name.starts_with(kUnnamed)) {
      keep = kUnnamed.size();
    } else if (name.starts_with(kCall)) {
      keep = kCall.size();
    } else if (name[0] == '(') {
      const size_t end = behind_closing(name, 0, '(', ')');
      if (end == std::string_view::npos) return out + std::string(name);
      name.remove_prefix(end);
      for (const std::string_view suffix : {" const", " volatile", " &&", " &"}) {
        if (name.starts_with(suffix)) name.remove_prefix(suffix.size());
      }
      continue;
    }
    out += name.substr(0, keep);
    name.remove_prefix(keep);
  }
  return out;
}

/// The part behind the return type, which only templates have: after the last space outside of
/// brackets.
std::string without_return_type(const std::string& name) {
  if (name.find("operator") != std::string::npos) return name;
  int depth = 0;
  for (size_t at = name.size(); at-- > 0;) {
    const char c = name[at];
    if (c == '>' || c == ')' || c == ']' || c == '}') ++depth;
    if (c == '<' || c == '(' || c == '[' || c == '{') --depth;
    if (c == ' ' && depth == 0) return name.substr(at + 1);
  }
  return name;
}

/// "store<...>": what is inside the outermost template brackets of a name too long to read.
std::string without_template_arguments(const std::string& name) {
  if (name.size() <= kNameLengthMax || name.find("operator") != std::string::npos) return name;
  std::string out;
  size_t at = 0;
  while (at < name.size()) {
    const size_t end = name[at] == '<' ? behind_closing(name, at, '<', '>') : std::string::npos;
    if (end == std::string::npos) {
      out += name[at++];
    } else {
      out += "<...>";
      at = end;
    }
  }
  return out;
}

/// Rust writes characters that C++ has no place for as "$LT$" or "$u7b$", and "::" as "..".
std::string with_rust_characters(std::string name) {
  struct Escape {
    std::string_view escape, text;
  };
  constexpr std::array<Escape, 14> kEscapes = {{{"_$", "$"},
                                                {"$LT$", "<"},
                                                {"$GT$", ">"},
                                                {"$LP$", "("},
                                                {"$RP$", ")"},
                                                {"$RF$", "&"},
                                                {"$BP$", "*"},
                                                {"$C$", ","},
                                                {"$u7b$", "{"},
                                                {"$u7d$", "}"},
                                                {"$u20$", " "},
                                                {"$u5b$", "["},
                                                {"$u5d$", "]"},
                                                {"..", "::"}}};
  for (const Escape& escape : kEscapes) {
    for (size_t at = 0; (at = name.find(escape.escape, at)) != std::string::npos;) {
      name.replace(at, escape.escape.size(), escape.text);
      at += escape.text == "$" ? 1 : 0;
    }
  }
  return name;
}

/// Rust's older mangling is C++'s, with a hash as the last name: "app::save::h0123456789abcdef".
bool has_rust_hash(std::string_view name) {
  constexpr size_t kHashDigits = 16;
  constexpr size_t kHash = kHashDigits + 3;
  return name.size() > kHash && name.substr(name.size() - kHash).starts_with("::h") &&
         name.substr(name.size() - kHashDigits).find_first_not_of("0123456789abcdef") ==
             std::string_view::npos;
}

/// OCaml writes the value save of its module Store as "camlStore__save_81".
std::string with_ocaml_modules(std::string name) {
  constexpr std::string_view kPrefix = "caml";
  const bool module = name.size() > kPrefix.size() && name.starts_with(kPrefix) &&
                      name[kPrefix.size()] >= 'A' && name[kPrefix.size()] <= 'Z' &&
                      name.find("__") != std::string::npos;
  if (!module) return name;
  name.erase(0, kPrefix.size());
  const size_t number = name.find_last_not_of("0123456789");
  if (number + 1 < name.size() && name[number] == '_') name.resize(number);
  for (size_t at = 0; (at = name.find("__", at)) != std::string::npos;) name.replace(at, 2, ".");
  return name;
}

}  // namespace

std::string readable_name(std::string_view mangled) {
  // glibc's name for its own use of a function that it also exports.
  constexpr std::string_view kInternal = "__GI_";
  constexpr size_t kRustHash = 19;
  if (mangled.starts_with(kInternal)) mangled.remove_prefix(kInternal.size());
  std::string name(mangled);
  cut_clone_suffix(name);
  if (!name.starts_with("_Z")) return with_ocaml_modules(std::move(name));
  std::string text = demangled(name);
  if (text == name) return name;
  if (has_rust_hash(text)) {
    return with_rust_characters(text.substr(0, text.size() - kRustHash));
  }
  return without_template_arguments(without_return_type(without_parameters(text)));
}

}  // namespace everycrash
