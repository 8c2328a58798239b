"""`chuhe games`: numbers, single games, faults and PGN of the files that hold games.

    games_command_test.py CHUHE SAMPLE_WRITER

SAMPLE_WRITER FOLDER writes two files of records there, a.games with 3 games and b.games with 2.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHUHE, WRITER = sys.argv[1:3]
TSV = ("result\tstart\tmoves\n"
       "1-0\tstartpos\th2e2 h9g7 h0g2\n"
       "1/2-1/2\tstartpos\tc3c4 c6c5\n")


def games(*arguments):
    return subprocess.run([CHUHE, "games", *map(str, arguments)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False, timeout=60)


class GamesTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)
        subprocess.run([WRITER, self.folder], check=True)
        self.tsv = self.folder / "games.tsv"
        self.tsv.write_text(TSV, encoding="utf-8")

    def expect_success(self, *arguments):
        done = games(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def expect_failure(self, *arguments):
        done = games(*arguments)
        self.assertEqual(done.returncode, 1, arguments)
        self.assertNotEqual(done.stderr, "")
        return done.stderr

    def test_stats_count_all_paths(self):
        numbers = json.loads(self.expect_success("stats", "--json", self.folder, self.tsv))
        self.assertEqual(numbers["games"], 7)
        self.assertEqual(numbers["red_wins"] + numbers["black_wins"] + numbers["draws"], 7)
        self.assertEqual(numbers["ends"]["resignation"], 1)
        self.assertGreater(numbers["capped_share"], 0)
        self.assertGreater(numbers["searched_plies"], 0)
        text = self.expect_success("stats", self.tsv)
        self.assertRegex(text, r"(?m)^games +2$")
        self.assertRegex(text, r"(?m)^  red wins +1 +50\.0%$")
        self.assertIn("mean 2.5", text)

    def test_show_writes_moves_in_any_notation(self):
        text = self.expect_success("show", self.tsv)
        self.assertRegex(text, r"(?m)^   1  h2e2$")
        self.assertIn("result   1-0", text)
        text = self.expect_success("show", "--game", "2", "--to", "chinese", self.tsv)
        self.assertIn("兵七进一", text)
        text = self.expect_success("show", "--game", "4", self.folder)
        self.assertIn("b.games: game 1", text)
        self.assertIn("network  aaaa", text)
        self.assertIn("there are 2", self.expect_failure("show", "--game", "3", self.tsv))

    def test_verify_names_every_fault(self):
        self.assertEqual(self.expect_success("verify", self.folder), "5 good games, 0 faults\n")
        good = (self.folder / "a.games").read_bytes()
        (self.folder / "a.games").write_bytes(good[:-1])
        done = games("verify", self.folder)
        self.assertEqual((done.returncode, done.stdout), (1, "4 good games, 1 fault\n"))
        self.assertIn("a.games: byte", done.stderr)
        self.assertIn("not all there", done.stderr)
        (self.folder / "a.games").write_bytes(good[:70] + b"x" + good[71:])
        done = games("verify", self.folder)
        self.assertEqual((done.returncode, done.stdout), (1, "4 good games, 1 fault\n"))
        self.assertIn("a.games: game 1 (byte 32): ", done.stderr)

    def test_export_is_read_back(self):
        for notation in ["iccs", "wxf", "chinese", "traditional"]:
            pgn = self.folder / f"{notation}.pgn"
            self.expect_success("export", "--notation", notation, "--out", pgn, self.folder)
            self.assertEqual(self.expect_success("verify", pgn), "5 good games, 0 faults\n")
            numbers = [json.loads(self.expect_success("stats", "--json", path))
                       for path in [pgn, self.folder]]
            for key in ["plies", "draws", "red_wins", "black_wins"]:
                self.assertEqual(numbers[0][key], numbers[1][key], notation)
        self.assertIn("1. H2-E2 H9-G7 2. H0-G2 1-0", self.expect_success("export", self.tsv))

    def test_errors_name_the_path(self):
        self.assertIn("nothing.games", self.expect_failure("stats", self.folder / "nothing.games"))
        other = self.folder / "other.txt"
        other.write_text("x", encoding="utf-8")
        self.assertIn("expected a folder", self.expect_failure("stats", other))
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertIn("no files *.games", self.expect_failure("stats", empty))
        self.assertEqual(games("stats").returncode, 1)
        self.assertEqual(games().returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
