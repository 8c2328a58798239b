"""Matches as a user plays them: results, journals that survive being killed, and complaints.

    match_command_test.py CHUHE
"""

import json
import math
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

CHUHE = os.path.abspath(sys.argv[1])
SEARCH_PATH = os.environ.get("PATH", "") + ":/usr/games"
BUILTIN = ["--engine", "name=A,cmd=alphabeta:2,proto=builtin",
           "--engine", "name=R,cmd=random,proto=builtin"]
SMALL = [*BUILTIN, "--random-plies", "4"]


def match(*arguments, timeout=100):
    return subprocess.run([CHUHE, "match", *arguments], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False, timeout=timeout)


def without_times(result):
    """What two runs of one match have in common."""
    result = {key: value for key, value in result.items()
              if key not in ("notes", "runner_us_per_move")}
    for player in result["players"]:
        for key in ("seconds", "overhead_ms"):
            player.pop(key)
    return result


class MatchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def path(self, name):
        return str(self.folder / name)

    def play(self, *arguments):
        done = match(*arguments, "--json", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def complaint(self, *arguments):
        done = match(*arguments)
        self.assertEqual((done.returncode, done.stdout), (1, ""), arguments)
        return done.stderr

    def test_numbers_agree_with_an_independent_calculation(self):
        result = self.play(*SMALL, "--games", "40", "--max-plies", "30")
        [meeting] = result["meetings"]
        pairs = meeting["pairs"]
        self.assertEqual(sum(pairs), 20)
        score = sum(k / 4 * n for k, n in enumerate(pairs)) / 20
        self.assertAlmostEqual(score, (meeting["wins"] + meeting["draws"] / 2) / 40)
        error = math.sqrt(sum(n * (k / 4 - score) ** 2 for k, n in enumerate(pairs))) / 20
        self.assertGreater(error, 0)

        def elo(s):
            return -400 * math.log10(1 / s - 1)

        self.assertAlmostEqual(meeting["elo"], elo(score), places=6)
        self.assertAlmostEqual(meeting["elo_lower"], elo(score - 1.959964 * error), places=3)
        los = 0.5 * math.erfc(-(score - 0.5) / error / math.sqrt(2))
        self.assertAlmostEqual(meeting["los"], los, places=9)

    def test_match_that_is_killed_goes_on_to_the_same_result(self):
        arguments = [*SMALL, "--games", "60", "--max-plies", "300", "--concurrency", "2"]
        expected = without_times(self.play(*arguments))
        journal = self.path("journal")
        kills = 0
        for _ in range(100):
            process = subprocess.Popen(
                [CHUHE, "match", *arguments, "--journal", journal, "--json"],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            with process:
                for _ in range(5):  # games that it may play
                    if not process.stderr.readline():
                        break
                if process.poll() is None:
                    process.kill()
                    kills += 1
                output = process.stdout.read()
            if process.returncode == 0:
                break
        self.assertEqual(without_times(json.loads(output or match(
            *arguments, "--journal", journal, "--json", "--quiet").stdout)), expected)
        self.assertGreater(kills, 2)

    def test_interrupt_adjourns(self):
        journal = self.path("journal")
        arguments = [*SMALL, "--games", "4000", "--journal", journal]
        process = subprocess.Popen([CHUHE, "match", *arguments], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("The match is not over.", output)
        self.assertIn("the same command goes on with it", errors)

    def test_engine_that_cannot_be_started_loses_and_the_match_goes_on(self):
        result = self.play(*BUILTIN[:2], "--engine", "name=none,cmd=/no/engine,proto=uci,depth=1",
                           "--engine", "name=true,cmd=true,proto=ucci,depth=1",
                           "--format", "gauntlet", "--games", "2")
        self.assertEqual(result["ends"], {"late": 4})
        self.assertEqual(result["players"][0]["name"], "A")
        self.assertEqual(result["players"][0]["points"], 4)

    def test_sequential_test_stops_the_match(self):
        result = self.play(*SMALL, "--games", "1000", "--sprt", "elo0=0,elo1=200")
        self.assertEqual(result["sprt"]["decision"], "H1")
        self.assertLess(result["games"], 1000)
        self.assertGreaterEqual(result["sprt"]["llr"], result["sprt"]["upper_bound"])

    def test_files_are_written(self):
        done = match(*SMALL, "--games", "4", "--pgn", self.path("a.pgn"), "--html",
                     self.path("a.html"), "--ratings", self.path("r.sqlite"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("A - R:", done.stdout)
        self.assertIn("4/4 games", done.stderr)
        pgn = (self.folder / "a.pgn").read_text(encoding="utf-8")
        self.assertEqual(pgn.count("[Game \"Chinese Chess\"]"), 4)
        self.assertIn("<svg", (self.folder / "a.html").read_text(encoding="utf-8"))
        with sqlite3.connect(self.path("r.sqlite")) as database:
            rows = database.execute("SELECT player, games FROM ratings ORDER BY elo DESC")
            self.assertEqual(rows.fetchall(), [("A", 4), ("R", 4)])
        # Our own reader takes the moves of the PGN.
        moves = pgn.split("\n\n")[1]
        done = subprocess.run([CHUHE, "moves", "--to", "uci", moves], capture_output=True, text=True,
                              check=False, timeout=20)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_openings_from_a_file(self):
        (self.folder / "book.txt").write_text("startpos moves h2e2 h9g7\n", encoding="utf-8")
        match(*BUILTIN, "--max-plies", "6", "--openings", self.path("book.txt"), "--pgn",
              self.path("a.pgn"))
        self.assertEqual((self.folder / "a.pgn").read_text(encoding="utf-8").count("1. H2-E2 H9-G7"),
                         2)

    def test_complaints_name_what_is_wrong(self):
        cases = [
            (["--make-openings", "/no/file"], "/no/file"),
            (["--engine", "name=A,cmd=random,proto=builtin"], "two engines"),
            ([*BUILTIN, "--tc", "60:40"], "60:40"),
            ([*BUILTIN, "--sprt", "elo2=3"], "elo2=3"),
            ([*BUILTIN, "--rules", "chess"], "chess"),
            ([*BUILTIN, "--format", "knockout"], "knockout"),
            ([*BUILTIN, "--openings", "/no/file"], "/no/file"),
            ([*BUILTIN, "--teams", "0"], "--teams"),
            ([*BUILTIN, "--engine", "cmd=x,proto=uci"], "no limit for x"),
            ([*BUILTIN, "--engine", "cmd=x,prot=uci"], "proto"),
            ([*BUILTIN, "--journal", "/no/folder/j"], "/no/folder/j"),
        ]
        for arguments, words in cases:
            self.assertIn(words, self.complaint(*arguments))

    def test_engines_of_every_protocol_that_are_installed(self):
        programs = {"fairy-stockfish": ["uci,nodes=50", "ucci,depth=2"],
                    "hoixiangqi": ["cecp,depth=2"], "maxqi": ["cecp,depth=2"]}
        engines = [f"name={name}-{spec[:3]},cmd={path},proto={spec}"
                   for name, specs in programs.items() for spec in specs
                   if (path := shutil.which(name, path=SEARCH_PATH))]
        if not engines:
            self.skipTest("none of them is installed")
        arguments = [part for engine in engines for part in ("--engine", engine)]
        result = self.play(*BUILTIN[:2], *arguments, "--format", "gauntlet", "--games", "2",
                           "--random-plies", "2", "--max-plies", "60", "--concurrency", "2")
        self.assertEqual(result["games"], 2 * len(engines))
        failures = {"late", "died", "hung", "time", "illegal-move", "unreadable-move", "no-move",
                    "false-claim", "refused-move"}
        self.assertEqual(failures & set(result["ends"]), set(), result["ends"])
        self.assertEqual(result["notes"], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
