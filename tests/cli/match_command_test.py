"""Matches as a user plays them: results, journals that survive being killed, and complaints.

    match_command_test.py CHUHE
"""

import json
import math
import os
import pathlib
import pty
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


def read_to_end(terminal):
    """What comes until the other end of a pseudo-terminal is closed."""
    shown = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # which is how Linux says that it is closed
            return shown
        if not part:
            return shown
        shown += part


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

    def turns(self, journal):
        """The moves and times of games under way, as a killed match has left them."""
        games = {}
        path = pathlib.Path(journal + ".turns")
        for line in path.read_text(encoding="utf-8").splitlines(True)[1:]:
            if line.endswith("\n"):
                game, number, move, microseconds = json.loads(line[17:])[:4]
                self.assertEqual(len(games.setdefault(game, [])), number)
                games[game].append([move, microseconds])
        return games

    def play_with_kills(self, arguments, journal, kills, longest):
        """Kills the match in the middle of its games; the result, and how often one went on."""
        left = []
        for kill in range(kills):
            process = subprocess.Popen([CHUHE, "match", *arguments, "--journal", journal, "--quiet"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                # Moments that are spread over the match.
                process.wait(timeout=longest * (0.3 + 0.7 * (kill * 0.618 % 1)))
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                if os.path.exists(journal + ".turns"):
                    left.append(self.turns(journal))
        result = self.play(*arguments, "--journal", journal)
        self.assertFalse(os.path.exists(journal + ".turns"))
        games = {}
        for line in pathlib.Path(journal).read_text(encoding="utf-8").splitlines()[1:]:
            game = json.loads(line[17:])
            games[game["game"]] = [ply[:2] for ply in game["plies"]]
        went_on = 0
        for turns in left:
            for game, plies in turns.items():
                self.assertEqual(games[game][:len(plies)], plies)
                went_on += len(plies) > 1
        return result, went_on

    def test_games_go_on_in_their_middle_after_a_kill(self):
        arguments = ["--engine", "name=A,cmd=alphabeta:4,proto=builtin",
                     "--engine", "name=B,cmd=alphabeta:3,proto=builtin", "--games", "6",
                     "--max-plies", "80", "--concurrency", "2"]
        begin = time.monotonic()
        expected = without_times(self.play(*arguments))
        longest = (time.monotonic() - begin) / 2
        result, went_on = self.play_with_kills(arguments, self.path("journal"), 8, longest)
        self.assertEqual(without_times(result), expected)
        self.assertGreater(went_on, 1)

    def test_games_of_other_programs_go_on_in_their_middle_after_a_kill(self):
        fairy, hoi = (shutil.which(name, path=SEARCH_PATH)
                      for name in ("fairy-stockfish", "hoixiangqi"))
        if not fairy or not hoi:
            self.skipTest("fairy-stockfish or hoixiangqi is not installed")
        arguments = ["--engine", f"name=fairy,cmd={fairy},proto=uci",
                     "--engine", f"name=hoi,cmd={hoi},proto=cecp", "--tc", "40/20:20/10",
                     "--margin", "2000", "--games", "4", "--max-plies", "60", "--concurrency", "2"]
        result, went_on = self.play_with_kills(arguments, self.path("journal"), 6, 8)
        self.assertEqual(result["games"], 4)
        failures = {"late", "died", "hung", "time", "illegal-move", "unreadable-move", "no-move",
                    "false-claim", "refused-move"}
        self.assertEqual(failures & set(result["ends"]), set(), result["ends"])
        self.assertGreater(went_on, 1)

    def test_table_on_a_terminal(self):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        # Games that take so long that some are under way whenever the table is drawn.
        arguments = ["--engine", "name=A,cmd=alphabeta:6,proto=builtin", *BUILTIN[2:], "--games",
                     "400", "--random-plies", "4", "--concurrency", "2", "--sprt",
                     "elo0=0,elo1=800"]
        with subprocess.Popen([CHUHE, "match", *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=slave, text=True) as process:
            os.close(slave)
            shown = read_to_end(master)
            process.stdout.read()
        self.assertEqual(process.returncode, 0)
        text = shown.decode()
        # Drawn again and again in its place.
        self.assertRegex(text, r"\x1b\[[0-9]+A")
        last = text[max(match.end() for match in re.finditer(r"\x1b\[[0-9]+A", text)):]
        lines = [line.replace("\x1b[K", "").rstrip() for line in last.split("\n")]
        self.assertRegex(lines[0], r"engine +points +games +W-D-L +Elo")
        self.assertRegex(lines[1], r"  1  A +[0-9.]+ +[0-9]+  [0-9]+-[0-9]+-[0-9]+ .*%")
        self.assertRegex(lines[2], r"  2  R ")
        self.assertRegex(lines[3], r"^SPRT 0 to 800 Elo: LLR ")
        self.assertRegex(text, r"game [0-9]+: [AR] - [AR], ply")
        self.assertRegex(text, r"[0-9]+/400 games, .* a minute, .* left, [0-9] under way")
        self.assertTrue(all(len(line) < 80 for line in lines))

    def test_interrupt_adjourns(self):
        journal = self.path("journal")
        arguments = [*SMALL, "--games", "4000", "--journal", journal]
        process = subprocess.Popen([CHUHE, "match", *arguments], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.assertNotIn("\x1b", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("The match is not over.", output)
        self.assertIn("the same command goes on with it", errors)

    def test_interrupt_adjourns_on_a_terminal(self):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        arguments = [*SMALL, "--games", "100000", "--journal", self.path("journal")]
        with subprocess.Popen([CHUHE, "match", *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=slave, text=True) as process:
            os.close(slave)
            shown = b""
            while b" under way" not in shown:
                shown += os.read(master, 4096)
            process.send_signal(signal.SIGINT)
            shown += read_to_end(master)
            output = process.stdout.read()
        self.assertEqual(process.returncode, 1)
        self.assertIn("The match is not over.", output)
        self.assertIn(b"the same command goes on with it", shown)

    def test_engine_that_cannot_be_started_loses_and_the_match_goes_on(self):
        script = self.path("engine")
        with open(script, "w", encoding="utf-8") as file:
            file.write("#!/no/interpreter\n")
        os.chmod(script, 0o755)
        result = self.play(*BUILTIN[:2], "--engine", f"name=none,cmd={script},proto=uci,depth=1",
                           "--engine", "name=true,cmd=true,proto=ucci,depth=1",
                           "--format", "gauntlet", "--games", "2")
        self.assertEqual(result["ends"], {"late": 4})
        self.assertEqual(result["players"][0]["name"], "A")
        self.assertEqual(result["players"][0]["points"], 4)

    def network(self, name, seed):
        subprocess.run([CHUHE, "net", "init", "--size", "1x16", "--seed", str(seed), "--force",
                        "--out", self.path(name)], check=True, stdout=subprocess.DEVNULL)
        return self.path(name)

    def test_network_file_that_is_gone_is_no_loss(self):
        network = self.network("a.safetensors", 1)
        environment = {**os.environ, "CHUHE_NET": self.network("default.safetensors", 1)}
        arguments = [*BUILTIN, "--engine", f"name=N,cmd=net:{network}:4,proto=builtin",
                     "--engine", "name=D,cmd=net:default:4,proto=builtin",
                     "--games", "4", "--random-plies", "4", "--max-plies", "20"]
        # Between its games others play, so that nobody needs the network for a while.
        with subprocess.Popen([CHUHE, "match", *arguments, "--json"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=environment, text=True) as process:
            self.assertIn("game 1:", process.stderr.readline())
            os.remove(network)
            os.remove(environment["CHUHE_NET"])
            output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(json.loads(output)["games"], 24)

    def test_journal_of_another_network_is_refused(self):
        network = self.network("a.safetensors", 1)
        arguments = [*BUILTIN[2:], "--engine", f"name=N,cmd=net:{network}:4,proto=builtin",
                     "--max-plies", "20", "--journal", self.path("journal")]
        result = without_times(self.play(*arguments))
        self.network("a.safetensors", 1)  # the same bytes
        self.assertEqual(without_times(self.play(*arguments)), result)
        self.network("a.safetensors", 2)
        self.assertIn("journal of another match", self.complaint(*arguments))

    def test_sequential_test_stops_the_match(self):
        result = self.play(*SMALL, "--games", "1000", "--sprt", "elo0=0,elo1=200")
        self.assertEqual(result["sprt"]["decision"], "H1")
        self.assertLess(result["games"], 1000)
        self.assertGreaterEqual(result["sprt"]["llr"], result["sprt"]["upper_bound"])

    def test_what_cannot_be_written_is_an_error_before_the_first_game(self):
        (self.folder / "text").write_text("no database, but long enough to look like one\n" * 40)
        with sqlite3.connect(self.path("other.sqlite")) as database:
            database.execute("CREATE TABLE encounters(something)")
        for option, path, words in [
                ("--pgn", "missing/a.pgn", "there is no folder"), ("--html", ".", "a folder"),
                ("--ratings", "text", "not a database"), ("--ratings", "other.sqlite", "red")]:
            done = match(*SMALL, "--games", "2", "--journal", self.path("j"), option,
                         self.path(path))
            self.assertEqual(done.returncode, 1, option)
            self.assertIn(words, done.stderr)
            self.assertIn(pathlib.Path(path).name, done.stderr)
            self.assertFalse((self.folder / "j").exists(), option)

    def test_only_finite_numbers_are_numbers(self):
        for arguments in [("--scale", "nan"), ("--audit", "nan"), ("--sprt", "elo0=0,elo1=inf"),
                          ("--sprt", "elo0=nan,elo1=10"), ("--sprt", "elo0=0,elo1=1e9"),
                          ("--engine", "name=N,cmd=random,proto=builtin,anchor=nan")]:
            done = match(*SMALL, "--games", "2", *arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertRegex(done.stderr, "finite|from -2000 to 2000")

    def test_files_are_written(self):
        done = match(*SMALL, "--games", "4", "--pgn", self.path("a.pgn"), "--html",
                     self.path("a.html"), "--ratings", self.path("r.sqlite"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("A - R:", done.stdout)
        self.assertIn("4/4 games", done.stderr)
        pgn = (self.folder / "a.pgn").read_text(encoding="utf-8")
        self.assertEqual(pgn.count("[Game \"Chinese Chess\"]"), 4)
        self.assertIn("<svg", (self.folder / "a.html").read_text(encoding="utf-8"))
        self.assertIn("{", pgn)
        match(*SMALL, "--games", "2", "--pgn", self.path("b.pgn"), "--pgn-plain")
        self.assertNotIn("{", (self.folder / "b.pgn").read_text(encoding="utf-8"))
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
            ([*BUILTIN, "--engine", "name=none,cmd=/no/engine,proto=uci", "--depth", "1"],
             "engine none: /no/engine is no program"),
            ([*BUILTIN, "--max-plies", "8"], "expected more than 8, the plies of the longest"),
            ([*BUILTIN, "--random-plies", "4", "--max-plies", "3"], "expected more than 4"),
            ([*BUILTIN, "--teams", "0"], "--teams"),
            ([*BUILTIN, "--engine", "cmd=x,proto=uci"], "no limit for x"),
            ([*BUILTIN, "--engine", "cmd=x,prot=uci"], "proto"),
            ([*BUILTIN, "--journal", "/no/folder/j"], "/no/folder/j"),
            ([*BUILTIN, "--engine", "name=N,cmd=net:/no/net:8,proto=builtin"], "N: "),
            ([*BUILTIN, "--engine", "name=N,cmd=net:8,proto=builtin"], "net:FILE:VISITS"),
            ([*BUILTIN, "--engine", "name=N,cmd=random,proto=builtin,option.cpuct=1"],
             "random has no options"),
            ([*BUILTIN, "--engine", "name=N,cmd=net:default:8,proto=builtin,option.cpuc=1"],
             "cpuct"),
            ([*BUILTIN, "--engine", "name=N,cmd=net:default:8,proto=builtin,option.fpu=9"],
             "a number from -2 to 2"),
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
