"""scripts/tactics.py: scoring with a network, and making a suite with the real reference engine.

    tactics_test.py CHUHE SOURCE_FOLDER
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CHUHE = os.path.abspath(sys.argv[1])
SOURCE = pathlib.Path(sys.argv[2]).resolve()
SCRIPT = SOURCE / "scripts" / "tactics.py"
REFERENCE = shutil.which("fairy-stockfish", path=os.environ.get("PATH", "") + ":/usr/games")
SHARED = os.environ.get("CHUHE_SHARED")
HEADER = "fen\tmove\tkind\tscore\tsecond\tgame\tply"
# A rook mates on the last rank; a rook that hangs is taken, once as it is and once as no move says.
SUITE = [
    "4k4/R8/9/9/9/9/9/9/9/1R1K5 w - - 0 1\tb0b9\tmate\tmate 1\t600\tmade\t0",
    "3k5/9/9/4r4/9/9/4R4/9/9/4K4 w - - 0 1\te3e6\tcapture\t900\t0\tmade\t0",
    "3k5/9/9/4r4/9/9/4R4/9/9/4K4 w - - 0 1\te3d3\tquiet\t900\t0\tmade\t0",
]


def run(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True,
                          text=True, check=False, timeout=300)


class TacticsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.suite = self.folder / "suite.tsv"

    def test_counts_what_a_network_finds_by_kind(self):
        net = self.folder / "fresh.safetensors"
        subprocess.run([CHUHE, "net", "init", "--size", "1x16", "--out", net], capture_output=True,
                       check=True, timeout=60)
        self.suite.write_text("\n".join([HEADER, *SUITE]) + "\n")
        done = run("score", "--suite", self.suite, "--chuhe", CHUHE, "--net", net, "--nodes",
                   "400")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[0], "| nodes | mate | capture | quiet | all |")
        self.assertEqual(done.stdout.splitlines()[2],
                         "| 400 | 1 of 1 (100.0 %) | 1 of 1 (100.0 %) | 0 of 1 (0.0 %) | "
                         "2 of 3 (66.7 %) |")

    def test_the_suite_that_comes_with_the_program_is_of_legal_positions(self):
        rows = (SOURCE / "tests" / "data" / "tactics.tsv").read_text().splitlines()
        self.assertEqual(rows[0], HEADER)
        self.assertGreaterEqual(len(rows), 301)
        self.assertEqual(len({row.split("\t")[0] for row in rows}), len(rows))
        fields = [row.split("\t") for row in rows[1:]]
        self.assertEqual({kind for _, _, kind, *_ in fields},
                         {"mate", "check", "capture", "quiet"})
        read = subprocess.run([CHUHE, "moves", "--lines"], capture_output=True, text=True,
                              input="".join(f"{fen}\t{move}\n" for fen, move, *_ in fields),
                              check=True, timeout=20)
        self.assertEqual(read.stdout.split(), [move for _, move, *_ in fields])

    def test_refuses_another_file(self):
        self.suite.write_text("something else\n")
        done = run("score", "--suite", self.suite, "--chuhe", CHUHE)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(f"{self.suite}: expected the line 'fen", done.stderr)

    @unittest.skipUnless(REFERENCE, "no fairy-stockfish")
    @unittest.skipUnless(SHARED, "CHUHE_SHARED is not set")
    def test_makes_a_suite_from_games_and_goes_on_with_it(self):
        games = pathlib.Path(SHARED) / "data" / "ccpd-games.tsv.zst"
        arguments = ["make", games, "--reference", REFERENCE, "--depth", "6", "--out", self.suite]
        first = run(*arguments, "--count", "1")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(first.stdout, "1 positions\n")
        rows = self.suite.read_text().splitlines()
        more = run(*arguments, "--count", "3")
        self.assertEqual(more.returncode, 0, more.stderr)
        self.assertEqual(self.suite.read_text().splitlines()[:2], rows)
        self.assertEqual(len(self.suite.read_text().splitlines()), 4)
        for row in self.suite.read_text().splitlines()[1:]:
            self.assertEqual(len(row.split("\t")), len(HEADER.split("\t")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
