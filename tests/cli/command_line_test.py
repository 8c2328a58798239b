"""The contract of the command line: what goes to stdout and stderr, and the exit status.

    command_line_test.py CHUHE
"""

import json
import re
import subprocess
import sys
import unittest

CHUHE = sys.argv[1]
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
COMMANDS = ["engine", "analyze", "bench", "perft", "judge", "moves", "match",
            "games", "net", "version", "help"]


def chuhe(*arguments, stdout=subprocess.PIPE):
    return subprocess.run([CHUHE, *arguments], stdout=stdout, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True, check=False, timeout=60)


class CommandLineTest(unittest.TestCase):
    def expect_success(self, *arguments):
        """The output of a run that succeeds and has nothing to complain of."""
        done = chuhe(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def expect_failure(self, *arguments):
        """The complaint of a run that fails, with nothing on stdout."""
        done = chuhe(*arguments)
        self.assertEqual((done.returncode, done.stdout), (1, ""), arguments)
        self.assertNotEqual(done.stderr, "", arguments)
        return done.stderr


class MainTest(CommandLineTest):
    def test_help_lists_every_command(self):
        for text in [self.expect_success("--help"), self.expect_success("help")]:
            for command in COMMANDS:
                self.assertRegex(text, rf"(?m)^  {command} ")

    def test_every_command_has_help_with_an_example(self):
        for command in COMMANDS:
            text = self.expect_success(command, "--help")
            self.assertIn(f"chuhe {command}", text)
            self.assertRegex(text, "(?m)^Example")
            self.assertEqual(self.expect_success("help", command), text)

    def test_no_command_is_the_engine(self):
        self.assertEqual(self.expect_success(), "")

    def test_unknown_words_are_named(self):
        self.assertIn("prefT", self.expect_failure("prefT"))
        self.assertIn("--dept", self.expect_failure("perft", "--depth", "1", "--dept"))
        self.assertIn("nonsense", self.expect_failure("help", "nonsense"))

    def test_version_flag_prints_one_line(self):
        self.assertRegex(self.expect_success("--version"), r"\Achuhe \d+\.\d+\.\d+ \(\S+\)\n\Z")

    def test_output_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = chuhe("perft", "--depth", "1", stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output", done.stderr)


class VersionTest(CommandLineTest):
    def test_text_names_version_compiler_and_torch(self):
        text = self.expect_success("version")
        self.assertTrue(text.startswith("chuhe "), text)
        for word in ["compiler", "torch"]:
            self.assertRegex(text, rf"(?m)^{word} ")

    def test_json_has_every_key(self):
        info = json.loads(self.expect_success("version", "--json"))
        for key in ["version", "revision", "compiler", "target", "build_type", "arch", "torch",
                    "built_with_cuda", "cuda_devices"]:
            self.assertIn(key, info)
        if info["cuda_devices"] is None:
            self.assertNotEqual(info["cuda_devices_error"], "")
        if info["torch"] is not None:
            self.assertRegex(info["torch"]["version"], r"^\d+\.\d+")


class PerftTest(CommandLineTest):
    def nodes(self, *arguments):
        last = self.expect_success("perft", *arguments).splitlines()[-1]
        match = re.fullmatch(r"nodes (\d+) seconds (\d+\.\d+)", last)
        self.assertIsNotNone(match, last)
        return int(match[1])

    def test_counts_from_the_start_position(self):
        for depth, nodes in enumerate([1, 44, 1920, 79666]):
            self.assertEqual(self.nodes("--depth", str(depth)), nodes)
        self.assertEqual(self.nodes("--depth", "3", "--no-bulk"), 79666)
        self.assertEqual(self.nodes("--depth", "3", "--fen", START), 79666)

    def test_divide_lists_every_first_move(self):
        lines = self.expect_success("perft", "--depth", "3", "--divide").splitlines()
        counts = dict(line.split(": ") for line in lines[:-1])
        self.assertEqual(len(counts), 44)
        for move in counts:
            self.assertRegex(move, r"^[a-i]\d[a-i]\d$")
        self.assertIn("h2e2", counts)
        self.assertEqual(sum(int(count) for count in counts.values()), 79666)
        self.assertTrue(lines[-1].startswith("nodes 79666 seconds "))

    def test_divide_of_depth_one_and_of_depth_zero(self):
        lines = self.expect_success("perft", "--depth", "1", "--divide").splitlines()
        self.assertEqual(len(lines), 45)
        self.assertIn("h2e2: 1", lines)
        self.assertEqual(self.nodes("--depth", "0", "--divide"), 1)

    def test_refuses_bad_depths(self):
        for depth in ["-1", "12", "five", "", "1.5", "99999999999999999999"]:
            self.assertIn("--depth", self.expect_failure("perft", "--depth", depth))
        self.assertIn("--depth", self.expect_failure("perft"))

    def test_refuses_bad_positions_and_says_why(self):
        for fen in ["", "nonsense", START.replace("RNBAKABNR", "RNBA1ABNR"), "9/9/9/9/9/9/9/9/9/9 w"]:
            self.assertIn("--fen", self.expect_failure("perft", "--depth", "1", "--fen", fen))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
