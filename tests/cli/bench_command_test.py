"""`chuhe bench`: the figures are there and make sense; the signature is the same on every run.

    bench_command_test.py CHUHE
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHUHE = sys.argv[1]


class BenchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.net = str(pathlib.Path(folder.name) / "net.safetensors")
        done = subprocess.run([CHUHE, "net", "init", "--size", "1x16", "--out", self.net],
                              check=True, capture_output=True, text=True)
        self.sha256 = done.stdout.strip()

    def bench(self, *arguments):
        return subprocess.run([CHUHE, "bench", "--rounds", "1", "--seconds", "0.01", *arguments],
                              capture_output=True, text=True, check=False, timeout=100)

    def test_json_holds_what_programs_read(self):
        done = self.bench("--json", "--net", self.net, "--precision", "int8", "--batch", "1", "8")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        figures = json.loads(done.stdout)
        self.assertRegex(figures["signature"], "^[0-9a-f]{16}$")
        self.assertEqual(figures["net"], self.sha256)
        self.assertEqual(figures["precision"], "int8")
        self.assertEqual(list(figures["evaluations_per_s"]), ["1", "8"])
        for key in ["search_nodes_per_s", "network_search_nodes_per_s", "bytes_per_node",
                    "selfplay_positions_per_s", "selfplay_evaluations_per_s",
                    "selfplay_to_evaluator", "mflop_per_evaluation", "peak_flop_per_s",
                    "peak_fraction"]:
            self.assertGreater(figures[key], 0, key)
        self.assertLess(figures["bytes_per_node"], 160)
        self.assertLess(figures["network_search_share"], 1)

        again = self.bench("--net", self.net, "--batch", "1", "--precision", "int8")
        self.assertEqual(again.returncode, 0)
        self.assertIn(figures["signature"], again.stdout)
        self.assertIn("evaluations/s", again.stdout)

    def test_what_is_not_there_is_an_error(self):
        for arguments, text in [(["--net", "no such file"], "no such file"),
                                (["--net", self.net, "--device", "gpu"], "gpu"),
                                (["--net", self.net, "--precision", "fp7"], "fp7")]:
            done = self.bench(*arguments)
            self.assertEqual((done.returncode, done.stdout), (1, ""), arguments)
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    unittest.main()
