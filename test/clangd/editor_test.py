#!/usr/bin/env python3
"""samedevice-clangd as an editor sees it.  editor_test.py SERVER [TEST...]"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import lsp

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STAND_INS = ROOT / "test/stand_ins"
FLAGS = ["-std=c++17", "-isystem", str(STAND_INS)]
SERVER = ""

UNMOVED = """#include <torch/torch.h>
int main() {
  torch::nn::Linear net(2, 2);
  net->to(torch::kCUDA);
  auto x = torch::zeros({2, 2});
  net->forward(x);
}
"""
DROPPED = """#include <torch/types.h>
void f(torch::Tensor x) { x.to(torch::kCUDA); }
"""


class Editor(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        # The names of the whole standard library would cost each server twice what all the rest does.
        self.write("config/clangd/config.yaml", "Index:\n  StandardLibrary: No\n")
        variables = unittest.mock.patch.dict(os.environ, XDG_CONFIG_HOME=str(self.root / "config"))
        variables.start()
        self.addCleanup(variables.stop)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def database(self, *files, compiler="g++", flags=FLAGS):
        self.write("compile_commands.json", json.dumps(
            [{"directory": str(self.root), "file": file, "arguments": [compiler, *flags, "-c", file]} for file in files]))

    def client(self, **options):
        client = lsp.Client([SERVER, "--background-index=0"], self.root, **options)
        self.addCleanup(client.close)
        return client

    def told(self, name, text, **options):
        """What we say of a file, of which Clang says nothing."""
        client = self.client(**options)
        uri = client.open(self.write(name, text))
        said = client.wait(uri)
        self.assertEqual([one["message"] for one in said if one["severity"] == 1], [], "errors of Clang's")
        self.assertEqual(client.stop(), 0)
        return lsp.ours(said)

    def test_a_finding_is_told_with_its_story_and_mended(self):
        self.database("net.cpp")
        client = self.client()
        uri = client.open(self.write("net.cpp", UNMOVED))
        (finding,) = lsp.ours(client.wait(uri))
        self.assertEqual(finding["range"]["start"], {"line": 4, "character": 11})
        self.assertEqual(finding["severity"], 2)
        story = [(note["location"]["range"]["start"]["line"], note["message"]) for note in finding["relatedInformation"]]
        self.assertIn(3, [line for line, _ in story])
        self.assertTrue(all(note["location"]["uri"] == uri for note in finding["relatedInformation"]))
        (action, *_) = [one for one in client.actions(uri, finding) if one["kind"] == "quickfix"]
        client.apply(uri, action)
        self.assertNotEqual(client.texts[uri], UNMOVED)
        self.assertEqual(client.wait(uri), [], client.texts[uri])
        self.assertEqual(client.stop(), 0)

    def test_a_note_that_has_a_fix_of_its_own_is_told_and_offered(self):
        self.database("net.cpp")
        client = self.client()
        uri = client.open(self.write("net.cpp", """#include <torch/torch.h>
static torch::Tensor marked(const torch::Tensor &x) {
  auto mask = torch::zeros({2, 2});
  return x + mask;
}
int main() { marked(torch::ones({2, 2}, torch::kCUDA)); }
"""))
        (finding,) = lsp.ours(client.wait(uri))
        self.assertEqual(finding["range"]["start"]["line"], 2)
        self.assertIn(3, [note["location"]["range"]["start"]["line"] for note in finding["relatedInformation"]])
        (instead,) = [one for one in client.actions(uri, finding) if one["title"].lower() == "mend line 4 instead"]
        client.apply(uri, instead)
        self.assertIn("mask.to(", client.texts[uri].split("\n")[3])
        self.assertEqual(client.wait(uri), [])
        self.assertEqual(client.stop(), 0)

    def test_the_name_of_a_check_leads_to_its_page(self):
        self.database("net.cpp")
        (finding,) = self.told("net.cpp", DROPPED)
        self.assertEqual(finding["code"], "device-discarded-to")
        page = finding["codeDescription"]["href"]
        self.assertTrue(page.startswith("file:///"), page)
        self.assertIn("device-discarded-to", pathlib.Path(page[len("file://"):]).read_text())

    def test_clangds_own_checks_and_pages_stay(self):
        self.database("net.cpp")
        client = self.client()
        uri = client.open(self.write("net.cpp", "double part(int n) { return 1 / n; }\n"))
        (finding,) = [one for one in client.wait(uri) if one.get("code") == "bugprone-integer-division"]
        self.assertIn("clang.llvm.org", finding["codeDescription"]["href"])

    def test_clangd_may_want_fast_checks_only(self):
        self.database("net.cpp")
        self.write(".clangd", "Diagnostics:\n  ClangTidy:\n    FastCheckFilter: Strict\n")
        self.assertEqual(len(self.told("net.cpp", DROPPED)), 1)

    def test_a_clang_tidy_file_is_obeyed(self):
        self.database("net.cpp")
        client = self.client()
        for folder, checks, expected in (("others", "-*,bugprone-*", 1),  # says nothing of ours
                                         ("none", "-device-*", 0),
                                         ("but", "-device-discarded-to", 0),
                                         ("another", "-*,device-host-access", 0),
                                         ("this", "-*,device-discarded-to", 1)):
            with self.subTest(checks):
                self.write(folder + "/.clang-tidy", f"Checks: '{checks}'\n")
                uri = client.open(self.write(folder + "/net.cpp", DROPPED))
                self.assertEqual(len(lsp.ours(client.wait(uri))), expected)

    def test_nolint_and_options_mean_what_they_mean_elsewhere(self):
        self.database("net.cpp")
        self.assertEqual(self.told("net.cpp", DROPPED.replace("; }", "; } // NOLINT(device-discarded-to)")), [])
        self.write(".clang-tidy", f"CheckOptions: {{DeviceFindings: {self.root}/kept.json}}\n")
        self.assertEqual(len(self.told("net.cpp", DROPPED)), 1)
        self.assertFalse((self.root / "kept.json").exists(), "half a line is no finding to be kept")

    def test_commands_of_nvcc_are_translated(self):
        self.database("sum.cu", compiler="/usr/local/cuda/bin/nvcc", flags=[
            "-gencode=arch=compute_80,code=sm_80", "--expt-relaxed-constexpr", "-Xcompiler", "-fPIC", "-x", "c++", *FLAGS])
        self.assertEqual(len(self.told("sum.cu", DROPPED)), 1)
        self.assertEqual(len(self.told("near.cuh", DROPPED)), 1)  # a header takes its neighbour's

    def test_without_a_database_flags_are_worked_out(self):
        self.write("setup.py", f"""
from torch.utils.cpp_extension import CppExtension
CppExtension('ext', ['src/net.cpp'], include_dirs=['{STAND_INS}'], extra_compile_args=['-DFROM_SETUP=1'])
""")
        self.write("include/mine/shape.h", "#pragma once\nstruct Shape {};\n")
        code = "#include <mine/shape.h>\n#if FROM_SETUP != 1\n#error\n#endif\n" + DROPPED
        self.assertEqual(len(self.told("src/net.cpp", code)), 1)
        self.assertEqual(len(self.told("include/mine/net.h", "#pragma once\n" + DROPPED)), 1)

    def test_the_editors_fallback_flags_come_behind_those(self):
        self.write("setup.py", f"CppExtension('ext', [], include_dirs=['{STAND_INS}'])\n")
        code = "#if MINE != 1\n#error\n#endif\n" + DROPPED
        self.assertEqual(len(self.told("net.cpp", code, options={"fallbackFlags": ["-DMINE=1"]})), 1)

    def test_what_the_users_headers_declare_is_known(self):
        self.database("net.cpp")
        self.write("net.h", "#pragma once\n#include <torch/torch.h>\nconst torch::Device kDevice(torch::kCUDA);\n"
                   "struct Net : torch::nn::Module {\n  Net();\n  torch::Tensor forward(torch::Tensor x);\n"
                   "  torch::nn::Linear fc{nullptr};\n};\n")
        (finding,) = self.told("net.cpp", '#include "net.h"\nNet::Net() { fc = register_module("fc", torch::nn::Linear(2, 2)); }\n'
                               "torch::Tensor Net::forward(torch::Tensor x) { return fc(x); }\n"
                               "int main() {\n  Net net;\n  net.to(kDevice);\n  net.forward(torch::zeros({2, 2}));\n}\n")
        self.assertEqual(finding["range"]["start"]["line"], 6)

    def halves(self):
        """A program of two files, the second of which hands out what is on the CPU."""
        self.database("main.cpp", "frame.cpp")
        self.write("frame.h", "#pragma once\n#include <torch/torch.h>\ntorch::Tensor frame(torch::Device device);\n")
        frame = '#include "frame.h"\ntorch::Tensor frame(torch::Device device) { return torch::zeros({2}); }\n'
        main = """#include "frame.h"
int main() {
  torch::Device device(torch::kCUDA, 0);
  torch::nn::Linear net(2, 2);
  net->to(device);
  net->forward(frame(device));
}
"""
        self.write(".clang-tidy", f"CheckOptions: {{DeviceFacts: {self.root}/facts}}\n")
        return self.write("main.cpp", main), self.write("frame.cpp", frame), frame.replace("{2}", "{2}, device")

    def make_facts(self, source):
        (self.root / "facts").mkdir(exist_ok=True)
        subprocess.run([pathlib.Path(SERVER).parent / "samedevice", "facts", "-o", f"facts/{source.stem}.facts",
                        source.name, "--", *FLAGS], cwd=self.root, check=True)

    def typed(self, client, uri):
        """What is told once a key was pressed."""
        client.change(uri, client.texts[uri] + " ")
        return lsp.ours(client.wait(uri))

    def test_bodies_of_other_files_come_from_the_facts_folder(self):
        main, frame, mended = self.halves()
        client = self.client()
        uri = client.open(main)
        self.assertEqual(lsp.ours(client.wait(uri)), [], "nobody knows what is in the other file")
        self.make_facts(frame)
        (finding,) = self.typed(client, uri)
        self.assertEqual(finding["range"]["start"]["line"], 5)
        self.assertEqual([note["location"]["uri"] for note in finding["relatedInformation"]].count(frame.as_uri()), 1)
        frame.write_text(mended)
        self.assertEqual(self.typed(client, uri), [], "what is stale counts as unknown")
        self.make_facts(frame)
        self.assertEqual(self.typed(client, uri), [])
        self.assertEqual(client.stop(), 0)

    def test_what_is_edited_in_another_file_counts_at_once(self):
        main, frame, mended = self.halves()
        client = self.client()
        other, uri = client.open(frame), client.open(main)
        client.wait(other)
        client.wait(uri)
        self.assertEqual(len(self.typed(client, uri)), 1)
        client.change(other, mended)
        client.wait(other)
        frame.write_text(mended)
        client.notify("textDocument/didSave", {"textDocument": {"uri": other}})
        self.assertEqual(self.typed(client, uri), [])
        self.assertEqual(client.stop(), 0)

    def shown(self, client, uri, count):
        """What is shown of a file in which nobody types, once it is so much."""
        findings = lsp.ours(client.wait_until(uri, lambda said: len(lsp.ours(said)) == count))
        self.assertEqual(len(findings), count, findings)
        return findings

    def test_a_save_changes_what_is_said_of_other_open_files(self):
        main, frame, mended = self.halves()
        client = self.client()
        other, uri = client.open(frame), client.open(main)
        broken = client.texts[other]
        client.wait(other)
        client.save(other)
        self.shown(client, uri, 1)
        for text, count in ((mended, 0), (broken, 1)):
            with self.subTest("when it was analysed before", count=count):
                client.change(other, text)
                client.wait(other)
                client.save(other)
                self.shown(client, uri, count)
        for text, count in ((mended, 0), (broken, 1)):
            with self.subTest("when it is saved with the last key", count=count):
                client.change(other, text)
                client.save(other)
                self.shown(client, uri, count)
        self.assertEqual(client.stop(), 0)

    def test_a_save_reads_no_headers_again(self):
        main, frame, mended = self.halves()
        log = self.root / "log"
        client = self.client(log=log)
        other, uri = client.open(frame), client.open(main)
        client.wait(other)
        client.save(other)
        self.shown(client, uri, 1)
        client.change(other, mended)
        client.save(other)
        self.shown(client, uri, 0)
        self.assertEqual(client.stop(), 0)
        self.assertEqual(log.read_text().count("Built preamble of size"), 2, log.read_text())

    def check(self):
        """As in a terminal."""
        run = subprocess.run([pathlib.Path(SERVER).parent / "samedevice", "check", "."], cwd=self.root,
                             capture_output=True, text=True, check=False)
        self.assertLessEqual(run.returncode, 1, run.stderr)

    def test_what_check_has_left_is_found_by_itself(self):
        main, frame, mended = self.halves()
        (self.root / ".clang-tidy").unlink()
        with unittest.mock.patch.dict(os.environ, XDG_CACHE_HOME=str(self.root / "cache")):
            self.check()
            client = self.client()
            uri = client.open(main)
            (finding,) = lsp.ours(client.wait(uri))
            self.assertEqual(finding["range"]["start"]["line"], 5)
            self.assertIn(frame.as_uri(), [note["location"]["uri"] for note in finding["relatedInformation"]])
            frame.write_text(mended)  # by another program
            self.assertEqual(self.typed(client, uri), [], "what is stale counts as unknown")
            frame.write_text(mended.replace(", device", ""))
            self.check()
            client.save(uri)
            self.shown(client, uri, 1)
            self.assertEqual(client.stop(), 0)

    def test_what_check_leaves_meanwhile_is_found_at_the_next_save(self):
        main, _, _ = self.halves()
        (self.root / ".clang-tidy").unlink()
        with unittest.mock.patch.dict(os.environ, XDG_CACHE_HOME=str(self.root / "cache")):
            client = self.client()
            uri = client.open(main)
            self.assertEqual(lsp.ours(client.wait(uri)), [])
            self.check()
            client.save(uri)
            self.shown(client, uri, 1)
            self.assertEqual(client.stop(), 0)

    def test_a_variable_says_where_the_facts_are(self):
        main, frame, _ = self.halves()
        (self.root / ".clang-tidy").unlink()
        self.make_facts(frame)
        with unittest.mock.patch.dict(os.environ, SAMEDEVICE_FACTS=str(self.root / "facts")):
            client = self.client()
            self.assertEqual(len(lsp.ours(client.wait(client.open(main)))), 1)
            self.assertEqual(client.stop(), 0)

    def test_half_a_line_is_no_reason_to_fall_silent_for_good(self):
        self.database("net.cpp")
        client = self.client()
        path = self.write("net.cpp", DROPPED)
        uri = client.open(path)
        self.assertEqual(len(lsp.ours(client.wait(uri))), 1)
        for end in range(len(DROPPED) - 3, DROPPED.index("x.to"), -4):
            client.change(uri, DROPPED[:end])
            client.wait(uri, timeout=10)
        client.change(uri, DROPPED)
        self.assertEqual(len(lsp.ours(client.wait(uri))), 1)


if __name__ == "__main__":
    SERVER = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
