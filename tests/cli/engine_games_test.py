"""Whole games against other people's engines, and the adapter uci2wb between.

    engine_games_test.py CHUHE

`chuhe judge` is the referee. Engines that are not installed are skipped.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from engine_players import START, CecpPlayer, UcciPlayer, UciPlayer
from engine_process import EngineProcess

CHUHE = os.path.abspath(sys.argv[1])
# The built-in alpha-beta plays here; network_engine_test.py has a network.
os.environ["CHUHE_NET"] = "none"
SEARCH_PATH = os.environ.get("PATH", "") + ":/usr/games"
MAX_PLIES = 60
CLOCK = {"clock_ms": 2500, "increment_ms": 20}

MOVE = r"[a-i](\d|10)[a-i](\d|10)"
KNOWN_LINES = re.compile(
    rf"id \w+ .*|option .*|uciok|ucciok|readyok|bye|nobestmove|info (string|message) .*"
    rf"|info depth \d+ seldepth \d+ multipv \d+ score (cp |mate )?-?\d+ nodes \d+ nps \d+ "
    rf"hashfull \d+ time \d+ pv( {MOVE})+|bestmove {MOVE}( ponder {MOVE})?")

# Of positions without a move, `probe`, `go perft` and `d`.
OTHER_ANSWERS = re.compile(
    r"bestmove \(none\)|info depth 0 score .*|pophash|([a-i]\d+){2}: \d+|Nodes searched: \d+|"
    r"|\d+ ( [A-Za-z.]){9} ?|    ?a b c d e f g h i|(Fen|Key): .*")


def program(name):
    return shutil.which(name, path=SEARCH_PATH)


def needs(name):
    return unittest.skipUnless(program(name), f"{name} is not installed")


def judge(moves):
    """The verdict's first words; an illegal move is an error."""
    done = subprocess.run([CHUHE, "judge", "--rules", "computer", "--fen", START, "--moves",
                           " ".join(moves)], capture_output=True, text=True, check=False,
                          timeout=20)
    if done.returncode != 0:
        raise AssertionError(f"{done.stderr} in {' '.join(moves)}")
    return done.stdout.strip()


class GameTestCase(unittest.TestCase):
    def play(self, red, black, max_plies=MAX_PLIES):
        """Plays a game to its end or to the limit of plies; gives the moves."""
        moves = []
        verdict = "undecided"
        while verdict.startswith("undecided") and len(moves) < max_plies:
            player = red if len(moves) % 2 == 0 else black
            moves.append(player.move(moves))
            verdict = judge(moves)
        print(f"{self.id()}: {len(moves)} plies, {verdict}", file=sys.stderr)
        return moves

    def check_chuhe(self, player):
        """No time loss, a clean end, and nothing that a GUI would not understand."""
        self.assertGreater(player.clock_ms, 0)
        self.assertEqual(player.quit(), 0)
        for line in player.engine.lines:
            self.assertTrue(KNOWN_LINES.fullmatch(line.decode("ascii")), line)


class GameTest(GameTestCase):
    def play_both_colors(self, make_opponent):
        for chuhe_is_red in [True, False]:
            protocol = UcciPlayer if chuhe_is_red else UciPlayer
            chuhe = protocol(CHUHE, **CLOCK)
            opponent = make_opponent()
            players = (chuhe, opponent) if chuhe_is_red else (opponent, chuhe)
            moves = self.play(*players)
            self.assertGreater(len(moves), 4)
            self.check_chuhe(chuhe)
            opponent.quit()

    @needs("hoixiangqi")
    def test_game_against_hoixiangqi(self):
        self.play_both_colors(
            lambda: CecpPlayer(program("hoixiangqi"), setup=["easy", "sd 3"]))

    @needs("maxqi")
    def test_game_against_maxqi(self):
        self.play_both_colors(lambda: CecpPlayer(program("maxqi"), setup=["easy", "sd 3"]))

    @needs("fairy-stockfish")
    def test_game_against_fairy_stockfish_as_uci_engine(self):
        self.play_both_colors(
            lambda: UciPlayer(program("fairy-stockfish"), go="go nodes 300",
                              options=["UCI_Variant value xiangqi"]))

    @needs("fairy-stockfish")
    def test_game_against_fairy_stockfish_as_ucci_engine(self):
        self.play_both_colors(
            lambda: UcciPlayer(program("fairy-stockfish"), go="go nodes 300"))

    def test_game_in_the_squares_of_fairy_stockfish(self):
        red = UciPlayer(CHUHE, **CLOCK, options=["UCI_Variant value xiangqi"])
        black = UcciPlayer(CHUHE, **CLOCK)
        self.play(red, black)
        self.check_chuhe(red)
        self.check_chuhe(black)


@needs("uci2wb")
class AdapterTest(GameTestCase):
    """uci2wb speaks xboard on one side and UCCI or the Cyclone dialect of UCI on the other."""

    def play_through(self, flag):
        for chuhe_is_red in [True, False]:
            adapted = CecpPlayer(program("uci2wb"), flag, CHUHE, usermove=True,
                                 setup=["hard", "post", "memory 32", "cores 1", "sd 5"])
            other = UcciPlayer(CHUHE, **CLOCK)
            self.play(*((adapted, other) if chuhe_is_red else (other, adapted)), max_plies=20)
            self.check_chuhe(other)
            adapted.quit()

    def test_game_through_ucci(self):
        self.play_through("-x")

    def test_game_through_cyclone(self):
        self.play_through("-c")

    def analyse_through(self, flag):
        engine = EngineProcess(program("uci2wb"), flag, CHUHE)
        with engine:
            engine.send("xboard\nprotover 2")
            engine.expect_done()
            engine.send("new\nvariant xiangqi\npost\nforce\n"
                        "setboard 3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1\nst 1\ngo")
            self.assertRegex(engine.expect("move "), r"^move [a-i]\d[a-i]\d$")
            engine.send("force\nnew\nvariant xiangqi\nanalyze")
            engine.expect("  4 ", " 4 ", "4 ")
            engine.send("usermove h2e2")
            engine.expect("  4 ", " 4 ", "4 ")
            engine.send("exit\nping 3")
            engine.expect("pong 3")
            engine.send("quit")
            engine.rest()

    def test_analysis_through_ucci(self):
        self.analyse_through("-x")

    def test_analysis_through_cyclone(self):
        self.analyse_through("-c")


@unittest.skipUnless(os.environ.get("CHUHE_SHARED"), "CHUHE_SHARED is not set")
class ReplayTest(unittest.TestCase):
    """The GUI's side of recorded sessions with other engines."""

    FILES = ["uci2wb-drives-ucci.txt", "uci2wb-drives-cyclone.txt", "elephanteye-ucci.txt",
             "fairy-ucci.txt", "fairy-uci-xiangqi.txt"]

    def replay(self, lines):
        """Sends the lines as the GUI did, which waits for an answer unless it did not."""
        with EngineProcess(CHUHE) as engine:
            for line, following in zip(lines, [*lines[1:], "quit"]):
                engine.send(line)
                waits = following.split()[0] not in ("stop", "ponderhit", "isready", "position")
                if line.startswith("go perft"):
                    engine.expect("Nodes searched: ")
                elif line.startswith("go") and waits and "infinite" not in line:
                    try:
                        engine.expect("bestmove", "nobestmove", timeout=1.5)
                    except AssertionError:
                        engine.send("stop")  # a clock of hours
                        engine.expect("bestmove", "nobestmove")
            if "quit" not in lines:
                engine.send("quit")
            engine.rest()
            self.assertEqual(engine.wait(), 0)
            return [line.decode("ascii") for line in engine.lines]

    def test_every_go_is_answered(self):
        for name in self.FILES:
            path = pathlib.Path(os.environ["CHUHE_SHARED"]) / "samples" / "logs" / name
            for section in re.split(r"(?m)^# ====.*$", path.read_text(encoding="utf-8")):
                lines = re.findall(r"(?m)^> (.*)$", section)
                if not lines:
                    continue
                with self.subTest(f"{name}: {lines[:3]}"):
                    said = self.replay(lines)
                    counts = sum(line.startswith("go perft") for line in lines)
                    goes = sum(line.startswith("go") for line in lines) - counts
                    answers = sum(line.startswith(("bestmove", "nobestmove")) for line in said)
                    idle_stops = sum(line == "stop" for line in lines)
                    self.assertGreaterEqual(answers, goes)
                    self.assertLessEqual(answers, goes + idle_stops)
                    self.assertEqual(sum(line.startswith("Nodes searched") for line in said),
                                     counts)
                    for line in said:
                        known = KNOWN_LINES.fullmatch(line)
                        self.assertTrue(known or OTHER_ANSWERS.fullmatch(line), line)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
