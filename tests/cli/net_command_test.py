"""`chuhe net`: files that are made, shown and checked, and what it says of bad ones.

    net_command_test.py CHUHE
"""

import hashlib
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

CHUHE = sys.argv[1]


def limit_file_size():
    """As on a full disk: writing beyond the first 1,000 bytes of a file fails."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


class NetTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "a.safetensors"

    def net(self, *arguments, **options):
        return subprocess.run([CHUHE, "net", *map(str, arguments)], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False, timeout=60, **options)

    def succeed(self, *arguments):
        done = self.net(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def fail_with(self, *arguments, **options):
        done = self.net(*arguments, **options)
        self.assertEqual((done.returncode, done.stdout), (1, ""), arguments)
        return done.stderr

    def init(self, *arguments, size="1x16"):
        """The SHA-256 that init prints."""
        out = self.succeed("init", "--size", size, "--out", self.file, *arguments)
        self.assertRegex(out, r"\A[0-9a-f]{64}\n\Z")
        return out.strip()

    def info(self):
        return json.loads(self.succeed("info", "--json", self.file))


class InitTest(NetTest):
    def test_prints_the_hash_of_the_file(self):
        self.assertEqual(self.init(), hashlib.sha256(self.file.read_bytes()).hexdigest())

    def test_same_options_same_file(self):
        first = self.init("--seed", "7")
        self.assertEqual(self.init("--seed", "7", "--force"), first)
        self.assertNotEqual(self.init("--seed", "8", "--force"), first)

    def test_refuses_to_overwrite_unless_forced(self):
        self.file.write_text("precious")
        self.assertIn("--force", self.fail_with("init", "--size", "1x16", "--out", self.file))
        self.assertEqual(self.file.read_text(), "precious")
        self.init("--force")
        self.assertEqual([path.name for path in self.folder.iterdir()], [self.file.name])

    def test_options_reach_the_file(self):
        self.init("--fp16", "--global-blocks", "0,2", "--rules", "AXF", "--note", "楚河 \x1b[2J",
                  size="3x32")
        info = self.info()
        self.assertEqual(info["architecture"]["global_blocks"], [0, 2])
        self.assertEqual((info["storage"], info["rule_set"], info["note"]),
                         ("fp16", "axf", "楚河 \x1b[2J"))
        self.assertNotIn("\x1b", self.succeed("info", self.file))
        size = self.file.stat().st_size
        self.init("--force", "--global-blocks", "0,2", size="3x32")
        self.assertAlmostEqual(self.file.stat().st_size / size, 2, delta=0.1)

    def test_bad_options_are_named_and_nothing_is_written(self):
        for arguments, word in [
                (["--size", "huge"], "huge"), (["--size", "0x16"], "blocks"),
                (["--size", "1x16", "--global-blocks", "1"], "global_blocks"),
                (["--size", "1x16", "--global-blocks", "x"], "--global-blocks"),
                (["--size", "1x16", "--seed", "-1"], "--seed"),
                (["--size", "1x16", "--seed", "x"], "--seed"),
                (["--size", "1x16", "--rules", "chess"], "chess"),
                (["--size", "1x16", "--note", b"\xff"], "UTF-8"),
                ([], "--size")]:
            text = self.fail_with_bytes("init", "--out", self.file, *arguments)
            self.assertIn(word, text)
        self.assertIn("--out", self.fail_with("init", "--size", "1x16"))
        self.assertEqual(list(self.folder.iterdir()), [])

    def fail_with_bytes(self, *arguments):
        command = [os.fsencode(CHUHE), b"net", *map(os.fsencode, arguments)]
        done = subprocess.run(command, capture_output=True, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (1, b""), arguments)
        return done.stderr.decode(errors="replace")

    def test_a_full_disk_leaves_the_old_file(self):
        self.file.write_text("precious")
        error = self.fail_with("init", "--size", "1x16", "--out", self.file, "--force",
                               preexec_fn=limit_file_size)
        self.assertIn("cannot be written", error)
        self.assertEqual(self.file.read_text(), "precious")
        self.assertEqual([path.name for path in self.folder.iterdir()], [self.file.name])

    def test_folders_that_are_not_there_are_named(self):
        missing = self.folder / "missing" / "a"
        self.assertIn(str(missing), self.fail_with("init", "--size", "1x16", "--out", missing))


class GrowTest(NetTest):
    def setUp(self):
        super().setUp()
        self.large = self.folder / "b.safetensors"

    def test_makes_a_larger_network_and_names_its_parent(self):
        small = self.init("--rules", "axf", size="2x16")
        sha256 = self.succeed("grow", self.file, "--size", "3x32", "--out", self.large,
                              "--note", "larger", "--fp16").strip()
        self.assertEqual(sha256, hashlib.sha256(self.large.read_bytes()).hexdigest())
        info = json.loads(self.succeed("info", "--json", self.large))
        self.assertEqual([info[key] for key in ("size", "parent", "note", "rule_set", "storage",
                                                "calibrated")],
                         ["3x32", small, "larger", "axf", "fp16", True])

    def test_refuses_what_is_smaller_or_there_already_and_writes_nothing(self):
        self.init(size="2x32")
        error = self.fail_with("grow", self.file, "--size", "2x16", "--out", self.large)
        self.assertIn("cannot grow to 2x16: channels would be 16, expected 32", error)
        self.assertIn("missing", self.fail_with("grow", self.folder / "missing", "--size", "2x32",
                                                "--out", self.large))
        self.assertEqual(list(self.folder.iterdir()), [self.file])
        before = self.file.read_bytes()
        self.assertIn("--force", self.fail_with("grow", self.file, "--size", "3x32", "--out",
                                                self.file))
        self.assertEqual(self.file.read_bytes(), before)


class InfoTest(NetTest):
    def test_says_what_the_file_is(self):
        sha256 = self.init(size="small")
        info = self.info()
        expected = {
            "file": str(self.file), "sha256": sha256, "size": "small", "parameters": 528382,
            "storage": "fp32", "norm_statistics": False, "feature_set": 1,
            "rule_set": "computer", "training_steps": 0, "parent": "", "note": ""}
        self.assertEqual({key: info[key] for key in expected}, expected)
        self.assertEqual(info["architecture"], {
            "blocks": 6, "channels": 64, "policy_channels": 64, "value_channels": 8,
            "value_hidden": 64, "global_blocks": []})
        self.assertAlmostEqual(info["mflop_per_evaluation"], 85.5, delta=0.5)
        self.assertIs(info["calibrated"], True)
        text = self.succeed("info", self.file)
        for value in [sha256, "small", "528382", "fp32", "computer"]:
            self.assertIn(value, text)

    def test_needs_one_of_its_commands_and_a_file(self):
        self.assertNotEqual(self.fail_with(), "")
        self.assertIn("FILE", self.fail_with("info"))
        self.assertIn("FILE", self.fail_with("verify"))
        for command in ["init", "info", "verify"]:
            self.assertIn("Example: chuhe net " + command, self.succeed(command, "--help"))


class VerifyTest(NetTest):
    def test_accepts_what_init_made(self):
        sha256 = self.init("--fp16")
        self.assertEqual(self.succeed("verify", self.file), f"ok {sha256}\n")
        self.assertEqual(self.succeed("verify", self.file, "--sha256", sha256), f"ok {sha256}\n")

    def test_a_wrong_hash_is_an_error(self):
        sha256 = self.init()
        other = "0" * 64
        error = self.fail_with("verify", self.file, "--sha256", other)
        for text in [str(self.file), sha256, other]:
            self.assertIn(text, error)
        self.assertIn("64 hex digits", self.fail_with("verify", self.file, "--sha256", "abc"))

    def test_damage_is_an_error_for_info_too(self):
        self.init()
        good = self.file.read_bytes()
        header = 8 + int.from_bytes(good[:8], "little")
        for bad, word in [(b"", "0 bytes"), (good[:-1], "truncated"), (good + b"x", "too many"),
                          (good[:header] + b"\xff" * (len(good) - header), "nan"),
                          (b"\xff" * 8 + good[8:], "18446744073709551615"),
                          (re.sub(rb'feature_set":"1"', rb'feature_set":"9"', good), "feature set 9")]:
            self.file.write_bytes(bad)
            for command in ["verify", "info"]:
                error = self.fail_with(command, self.file)
                self.assertTrue(error.startswith(f"chuhe net {command}: {self.file}: "), error)
                self.assertIn(word, error)

    def test_files_that_are_not_there_are_named(self):
        self.assertIn(str(self.file), self.fail_with("verify", self.file))
        self.assertIn(str(self.folder), self.fail_with("verify", self.folder))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
