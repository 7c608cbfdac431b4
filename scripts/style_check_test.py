#!/usr/bin/env python3
"""Each rule of style_check.py finds its violation and lets the right form pass."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import style_check


class StyleCheckTest(unittest.TestCase):
    def problems(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return list(style_check.file_problems(Path(folder), path))

    def test_accepts_a_plain_source(self):
        self.assertEqual(self.problems("harness/base/x.cc", "int f() { return 1; }\n"), [])

    def test_finds_long_lines(self):
        self.assertTrue(self.problems("harness/base/x.cc", "//" + "x" * 99 + "\n"))
        self.assertFalse(self.problems("harness/base/x.cc", "//" + "x" * 98 + "\n"))

    def test_finds_tabs_and_trailing_space(self):
        self.assertTrue(self.problems("harness/base/x.cc", "\tint x;\n"))
        self.assertTrue(self.problems("harness/base/x.cc", "int x; \n"))

    def test_finds_long_files(self):
        self.assertTrue(self.problems("harness/base/x.cc", "int x;\n" * 501))
        self.assertFalse(self.problems("harness/base/x.cc", "int x;\n" * 500))

    def test_finds_long_functions(self):
        for calls, problems in ((68, 0), (69, 1)):
            text = "int f() {\n" + "  g();\n" * calls + "}\n"
            self.assertEqual(len(self.problems("harness/base/x.cc", text)), problems)

    def test_finds_long_functions_whose_signature_is_wrapped(self):
        for calls, problems in ((67, 0), (68, 1)):
            for text in ("int f(int a,\n      int b) {\n" + "  g();\n" * calls + "}\n",
                         "F::F(int a)\n    : a_(a) {  // why\n" + "  g();\n" * calls + "}\n",
                         "class F {\n  int f(int a,\n        int b) {\n" +
                         "    g();\n" * calls + "  }\n};\n"):
                self.assertEqual(len(self.problems("harness/base/x.cc", text)), problems, text)

    def test_takes_no_declaration_for_the_beginning_of_a_function(self):
        text = ("int f(int a,\n      int b);\n" + "int x;\n" * 70 +
                "const char* const kText = R\"(f() {\n" + "g\n" * 70 + "}\n)\";\n" +
                "int f(int a) {\n  return a;\n}\n")
        self.assertEqual(self.problems("harness/base/x.cc", text), [])

    def test_finds_includes_to_the_right(self):
        self.assertTrue(self.problems("harness/trace/x.cc", '#include "harness/model/y.h"\n'))
        self.assertFalse(self.problems("harness/model/x.cc", '#include "harness/trace/y.h"\n'))

    def test_lets_reports_know_base_alone(self):
        self.assertTrue(self.problems("reports/x.cc", '#include "harness/explore/y.h"\n'))
        self.assertFalse(self.problems("reports/x.cc", '#include "harness/base/y.h"\n'))

    def test_finds_a_header_without_a_comment(self):
        self.assertTrue(self.problems("harness/base/x.h", "#pragma once\n"))
        self.assertFalse(self.problems("harness/base/x.h", "// What it is.\n#pragma once\n"))

    def test_finds_marks_of_unfinished_work(self):
        self.assertTrue(self.problems("README.md", "TO" + "DO: more\n"))

    def test_finds_paths_of_one_machine(self):
        self.assertTrue(self.problems("README.md", "see /wo" + "rk/main\n"))
        self.assertFalse(self.problems("README.md", "see state/wo" + "rk/main\n"))

    def test_finds_two_types_of_one_name(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, space in (("a.h", "x"), ("b.h", "x"), ("c.h", "y")):
                (root / name).write_text(f"namespace {space} {{\nstruct Same {{}};\n}}\n",
                                         encoding="utf-8")
            found = list(style_check.type_problems(root, sorted(root.iterdir())))
        self.assertEqual(found, ["b.h: x::Same is also the name of a type in a.h"])

    def includes_of(self, sources):
        """SOURCES as the rules see them: for each file what it includes."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, included in sources.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text("".join(f'#include "{each}"\n' for each in included),
                                         encoding="utf-8")
            return style_check.includes_in(root, [root / name for name in sources])

    def cycles(self, sources):
        return list(style_check.cycle_problems(self.includes_of(sources)))

    def test_finds_includes_that_run_in_a_circle(self):
        sources = {"a.h": ["b.h"], "b.h": ["c.h"], "c.h": ["a.h"], "d.h": ["a.h"]}
        self.assertEqual(self.cycles(sources), ["a: include cycle: a > b > c > a"])

    def test_takes_a_header_and_its_source_for_one_component(self):
        sources = {"a.h": [], "a.cc": ["a.h", "b.h"], "b.h": ["a.h"]}
        self.assertEqual(self.cycles(sources), ["a: include cycle: a > b > a"])

    def test_lets_two_ways_to_one_header_pass(self):
        sources = {"a.h": [], "b.h": ["a.h"], "c.h": ["a.h"], "d.cc": ["b.h", "c.h", "d.h"],
                   "d.h": ["a.h"]}
        self.assertEqual(self.cycles(sources), [])

    def test_finds_long_chains_of_includes(self):
        for headers, problems in ((11, 0), (12, 1)):
            sources = {f"{i}.h": [f"{i - 1}.h"] if i else [] for i in range(headers)}
            sources["x.cc"] = ["0.h", f"{headers - 1}.h"]
            found = list(style_check.chain_problems(self.includes_of(sources)))
            self.assertEqual(len(found), problems)
        self.assertIn("x.cc: a chain of 13 includes, 12 are allowed: 0.h < 1.h < ", found[0])

    def test_does_not_count_what_is_none_of_the_project(self):
        sources = {"a.h": ["fmt/format.h"], "b.cc": ["a.h", "gone.h"]}
        self.assertEqual(self.includes_of(sources), {"a.h": set(), "b.cc": {"a.h"}})

    def test_finds_using_namespace(self):
        self.assertTrue(self.problems("harness/base/x.cc", "using namespace std;\n"))


if __name__ == "__main__":
    unittest.main()
