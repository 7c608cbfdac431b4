#!/usr/bin/env python3
"""Holds the sources to the rules of this repository that clang-format does not know.

Usage: style_check.py [ROOT]; prints one line a violation, and exits 1 if there is any.
"""
import re
import subprocess
import sys
from pathlib import Path

COLUMNS_MAX = 100
LINES_MAX = 500
FUNCTION_LINES_MAX = 70
CHAIN_MAX = 12  # a source and the headers on its longest way
SHOWN_MAX = 60
STAGES = "base trace effects record model explore check inject disk explain campaign cli".split()
# Commands run there on crash states, whoever judges what comes of it.
ROOM = "harness/check/run/"
SOURCES = {".h", ".cc", ".c", ".py", ".sh", ".cmake", ".js", ".css"}
# Programs made after public reports keep the manners of the language and the project they imitate.
FOREIGN = ("fixtures/cases/",)

# Written so that this file does not break its own rules.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
# A folder of somebody's machine has no place in the text.
MACHINE_PATH = re.compile(r"(?<![\w.*}/$)-])/(wo" r"rk|ro" r"ot|tmp/e" r"c)/")
# The first line of a function as clang-format leaves it: in the first column, or in a class two
# columns further. (Blocks within a function look the same there, and are shorter than it.)
FUNCTION_START = re.compile(r"(?:  )?(?!namespace|struct|class|enum|union|extern \"C\" {|[}#/\s:])")
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def tracked_files(root):
    """The files under version control, or all where there is none (a source archive)."""
    listing = subprocess.run(["git", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z",
                              "--cached", "--others", "--exclude-standard"],
                             capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        return sorted(root / name for name in listing.stdout.split("\0") if name)
    return sorted(p for p in root.rglob("*") if p.is_file() and "build" not in p.parts)


def is_source(path):
    return path.suffix in SOURCES or path.name == "CMakeLists.txt"


def stage_of(name):
    """The stage of a path like harness/trace/x.h, or None."""
    parts = name.split("/")
    return parts[1] if len(parts) > 2 and parts[0] == "harness" and parts[1] in STAGES else None


def include_problem(name, included):
    """Why a file may not include another, or None."""
    theirs = stage_of(included)
    if name.startswith("reports/"):
        if theirs not in (None, "base"):
            return "reports are drawn from the result document alone"
        return None
    mine = stage_of(name)
    if mine is None:
        return None
    if included.startswith("scenarios/"):
        return "the harness knows no scenario"
    if included.startswith("reports/") and mine != "cli":
        return "only cli joins stages and reports"
    if name.startswith(ROOM) and theirs == "check" and not included.startswith(ROOM):
        return "the room where commands run knows no judge"
    if theirs is not None and STAGES.index(theirs) > STAGES.index(mine):
        return f"stage {mine} is left of {theirs}"
    return None


def line_problems(name, number, line):
    where = f"{name}:{number}"
    if "\t" in line and not name.endswith("Makefile"):
        yield f"{where}: tab"
    if line != line.rstrip():
        yield f"{where}: space at the end of the line"
    if UNFINISHED.search(line):
        yield f"{where}: mark of unfinished work"
    if MACHINE_PATH.search(line):
        yield f"{where}: path of one machine"
    if not is_source(Path(name)) or name.startswith(FOREIGN):
        return
    if len(line) > COLUMNS_MAX:
        yield f"{where}: {len(line)} columns, {COLUMNS_MAX} are allowed"
    if name.endswith((".cc", ".h")):
        if re.match(r"\s*using\s+namespace\b", line):
            yield f"{where}: using namespace"
        match = INCLUDE.match(line)
        problem = include_problem(name, match.group(1)) if match else None
        if problem:
            yield f"{where}: includes {match.group(1)}, but {problem}"


def functions(lines, indent):
    """(first, last) line of each function whose first line begins with INDENT, from 1.

    What it takes and how it initializes may go on over lines before its body begins.
    """
    start, in_body = None, False
    for number, line in enumerate(lines, 1):
        line = re.sub(r"\s+// .*", "", line)
        is_outermost = line.startswith(indent) and line[len(indent):len(indent) + 1].strip() != ""
        if in_body:
            if is_outermost and line[len(indent)] == "}":
                if line == indent + "}":
                    yield start, number
                start, in_body = None, False
            continue
        if is_outermost:
            start = number if FUNCTION_START.match(line) else None
        if start is not None and line.endswith("{"):
            in_body = True
        elif line.endswith((";", "}")):
            start = None


def long_functions(name, text):
    # What a raw string holds looks like code, and is none.
    lines = RAW_STRING.sub(lambda raw: "\n" * raw[0].count("\n"), text).split("\n")
    for indent in ("", "  "):
        for start, end in functions(lines, indent):
            if end - start + 1 > FUNCTION_LINES_MAX:
                yield (f"{name}:{start}: a function of {end - start + 1} lines, "
                       f"{FUNCTION_LINES_MAX} are allowed")


def file_problems(root, path):
    name = str(path.relative_to(root))
    try:
        text = path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, OSError):
        return  # binary, or gone
    lines = text.split("\n")
    if text and not text.endswith("\n"):
        yield f"{name}: no newline at the end"
    if is_source(path) and not name.startswith(FOREIGN) and len(lines) - 1 > LINES_MAX:
        yield f"{name}: {len(lines) - 1} lines, {LINES_MAX} are allowed"
    if name.endswith(".h") and not lines[0].startswith(("//", "/*")):
        yield f"{name}: a header begins with a comment that says what it is"
    if name.endswith((".cc", ".c")) and not name.startswith(FOREIGN):
        yield from long_functions(name, text)
    for number, line in enumerate(lines, 1):
        yield from line_problems(name, number, line)


def types_in(text):
    """The types that a header defines at the top of its (first) namespace, with that namespace."""
    namespace = re.search(r"^namespace ([\w:]+) {", text, re.MULTILINE)
    space = namespace[1] if namespace else ""
    pattern = r"^(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;{]*)? {"
    return [f"{space}::{name}" for name in re.findall(pattern, text, re.MULTILINE)]


def type_problems(root, files):
    """Two types of one name in one program are one to the linker, whatever they hold."""
    first = {}
    for path in files:
        if path.suffix != ".h":
            continue
        name = path.relative_to(root).as_posix()
        for known in types_in(path.read_text(encoding="utf-8")):
            if first.setdefault(known, name) != name:
                yield f"{name}: {known} is also the name of a type in {first[known]}"


def component_of(name):
    """A header and the source of the same name are one component."""
    return re.sub(r"\.(h|cc|c)$", "", name)


def includes_in(root, files):
    """For each of FILES the project's headers that it includes."""
    headers = {p.relative_to(root).as_posix() for p in files if p.suffix == ".h"}
    found = {}
    for path in files:
        if path.suffix not in {".h", ".cc", ".c"}:
            continue
        lines = path.read_text(encoding="utf-8").split("\n")
        names = {match[1] for match in map(INCLUDE.match, lines) if match}
        found[path.relative_to(root).as_posix()] = names & headers
    return found


def cycle_problems(includes):
    """Components that include each other, by whatever way, cannot be understood one at a time."""
    graph = {}
    for name, included in includes.items():
        mine = component_of(name)
        graph.setdefault(mine, set()).update(component_of(each) for each in included)
        graph[mine].discard(mine)
    done = set()
    for start in sorted(graph):
        path, waiting = [], [(start, iter(sorted(graph[start])))]
        while waiting:
            node, rest = waiting[-1]
            if node not in path:
                path.append(node)
            for each in rest:
                if each in path:
                    cycle = path[path.index(each):] + [each]
                    yield f"{each}: include cycle: {' > '.join(cycle)}"
                elif each not in done and each in graph:
                    waiting.append((each, iter(sorted(graph[each]))))
                    break
            else:
                done.add(node)
                path.pop()
                waiting.pop()


def chain_problems(includes):
    """The longest way from a source through headers: what a reader has to go through at most."""
    longest = {}

    def chain(name):
        if name not in longest:
            longest[name] = []  # of a cycle, which is told already
            longest[name] = max((chain(each) for each in sorted(includes.get(name, ()))), key=len,
                                default=[]) + [name]
        return longest[name]

    for name in includes:
        if len(chain(name)) > CHAIN_MAX:
            yield (f"{name}: a chain of {len(chain(name))} includes, {CHAIN_MAX} are allowed: "
                   f"{' < '.join(chain(name))}")


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    files = [p for p in tracked_files(root) if p.is_file() and not p.is_symlink()]
    problems = [problem for path in files for problem in file_problems(root, path)]
    problems += type_problems(root, [p for p in files if p.relative_to(root).parts[0] == "harness"])
    includes = includes_in(root, [p for p in files if not p.relative_to(root).as_posix()
                                  .startswith(("fixtures/", *FOREIGN))])
    problems += cycle_problems(includes)
    problems += chain_problems(includes)
    for problem in problems[:SHOWN_MAX]:
        print(problem)
    print(f"{len(files)} files, {len(problems) or 'no'} violation{'s' * (len(problems) != 1)}")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
