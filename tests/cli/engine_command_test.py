"""`chuhe` as a GUI starts it: both protocols through pipes, and what happens at their ends.

    engine_command_test.py CHUHE [torch|torch-free]
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

from engine_process import EngineProcess

CHUHE = os.path.abspath(sys.argv[1])
# The built-in alpha-beta plays here; network_engine_test.py has a network.
os.environ["CHUHE_NET"] = "none"
# LibTorch's libraries alone take a quarter of a second to load.
FIRST_ANSWER_S = 0.5 if "torch" in sys.argv[2:] else 0.05
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
MOVE = r"[a-i]\d[a-i]\d"
INFO = (r"info depth \d+ seldepth \d+ multipv \d+ score {score} nodes \d+ nps \d+ hashfull \d+ "
        r"time \d+ pv( {move})+")


def start(*arguments, **options):
    return EngineProcess(CHUHE, *arguments, **options)


class HandshakeTest(unittest.TestCase):
    def test_first_answer_comes_at_once(self):
        # The best of some tries: other programs may hold up one of them.
        for word, end in [("ucci", "ucciok"), ("uci", "uciok")]:
            best = 10
            for _ in range(15):
                with start() as engine:
                    engine.send(word)
                    engine.expect("id name Chuhe ")
                    engine.expect(end)
                    best = min(best, time.monotonic() - engine.started)
                    if best < FIRST_ANSWER_S:
                        break
            self.assertLess(best, FIRST_ANSWER_S, word)

    def test_named_command_is_the_same(self):
        with start("engine") as engine:
            engine.send("ucci\nquit")
            lines = engine.rest()
            self.assertEqual(lines[-2:], ["ucciok", "bye"])
            self.assertEqual(engine.wait(), 0)

    def test_help_has_an_example(self):
        done = subprocess.run([CHUHE, "engine", "--help"], capture_output=True, text=True,
                              check=True, timeout=20)
        self.assertIn("Example: ", done.stdout)


class SessionTest(unittest.TestCase):
    def expect_clean_end(self, engine):
        self.assertEqual(engine.wait(), 0)
        self.assertEqual(engine.process.stderr.read(), b"")
        for line in engine.lines:
            self.assertTrue(line.isascii(), line)

    def test_full_session_of_ucci(self):
        with start() as engine:
            engine.send("ucci")
            engine.expect("ucciok")
            engine.send("setoption usemillisec true\nsetoption usebook false\nisready")
            engine.expect("readyok")
            engine.send(f"position fen {START} moves h2e2 h9g7\nbanmoves h0g2\ngo depth 5")
            self.assertRegex(engine.expect("info message"), "no network found")
            self.assertRegex(engine.expect("bestmove"), rf"^bestmove {MOVE}( ponder {MOVE})?$")
            engine.send("go time 300 movestogo 10 opptime 300 oppmovestogo 10")
            engine.expect("bestmove", timeout=5)
            engine.send("go ponder time 400 increment 0")
            engine.send("isready")
            engine.expect("readyok")
            engine.send("ponderhit")
            engine.expect("bestmove", timeout=5)
            engine.send("stop")
            engine.expect("nobestmove")
            engine.send("go depth 0")
            engine.expect("info depth 0 score")
            engine.expect("nobestmove")
            engine.send("position fen 3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1\ngo depth 4")
            engine.expect("nobestmove")
            engine.send("quit")
            self.assertEqual(engine.rest(), ["bye"])
            self.expect_clean_end(engine)
            infos = [line.decode() for line in engine.lines if b" seldepth " in line]
            for line in infos:
                self.assertRegex(line, "^" + INFO.format(score=r"-?\d+", move=MOVE) + "$")

    def test_full_session_of_uci(self):
        with start() as engine:
            engine.send("uci")
            engine.expect("uciok")
            engine.send("setoption name Hash value 8\nsetoption name MultiPV value 2\nucinewgame")
            engine.send("isready")
            engine.expect("readyok")
            engine.send("position startpos moves h2e2\ngo wtime 2000 btime 2000 winc 0 binc 0")
            self.assertRegex(engine.expect("info string"), "no network found")
            self.assertRegex(engine.expect("bestmove"), rf"^bestmove {MOVE} ponder {MOVE}$")
            engine.send("go infinite")
            engine.expect("info depth 3")
            engine.send("stop")
            engine.expect("bestmove")
            engine.send("setoption name UCI_Variant value xiangqi")
            engine.send("position startpos moves h3e3 h10g8\ngo depth 3")
            engine.expect("bestmove")
            engine.send("position fen 3k5/4P4/9/9/9/9/9/9/9/4K4 b\ngo depth 3")
            self.assertEqual(engine.expect("bestmove"), "bestmove (none)")
            engine.send("quit")
            self.assertEqual(engine.rest(), [])
            self.expect_clean_end(engine)
            infos = [line.decode() for line in engine.lines if b" seldepth " in line]
            move = r"[a-i]\d0?[a-i]\d0?"
            for line in infos:
                self.assertRegex(
                    line, "^" + INFO.format(score=r"(cp|mate) -?\d+", move=move) + "$")
            self.assertTrue(any(" multipv 2 " in line for line in infos))

    def test_carriage_returns_and_blank_lines(self):
        with start() as engine:
            engine.send(b"\r\n\r\nucci\r\n\r\n")
            engine.expect("ucciok")
            engine.send(b"position  startpos\tmoves  h2e2 \r\ngo  depth 3\r\n")
            self.assertRegex(engine.expect("bestmove"), rf"^bestmove {MOVE}")
            engine.send(b"quit\r\n")
            self.assertEqual(engine.rest(), ["bye"])
            self.expect_clean_end(engine)

    def test_last_line_needs_no_end(self):
        with start() as engine:
            engine.send(b"ucci\nquit")
            engine.close_input()
            self.assertEqual(engine.rest()[-1], "bye")
            self.expect_clean_end(engine)

    def test_lines_of_any_length(self):
        with start() as engine:
            engine.send("uci")
            engine.send("position startpos moves" + " a0a1 a9a8 a1a0 a8a9" * 5000)
            engine.send("x" * 1_000_000)
            engine.send("go depth 2")
            self.assertRegex(engine.expect("bestmove"), rf"^bestmove {MOVE}")
            engine.send("quit")
            engine.rest()
            self.expect_clean_end(engine)

    def test_scripts_play_in_batch_mode(self):
        script = ("ucci\nsetoption batch true\nposition startpos\ngo depth 3\n"
                  "position startpos moves h2e2\ngo depth 3\nquit\n")
        done = subprocess.run([CHUHE], input=script, capture_output=True, text=True, check=True,
                              timeout=20)
        depths = re.findall(r"(?m)^info depth (\d+)|^(bestmove)", done.stdout)
        self.assertEqual([depth or word for depth, word in depths],
                         ["1", "2", "3", "bestmove"] * 2)

    def test_options_with_paths_of_any_letters(self):
        with start() as engine:
            engine.send("ucci\nsetoption bookfiles D:\\象棋 引擎\\a b.dat;/棋 谱/c.dat")
            engine.send("setoption bookfiles 象棋.dat".encode("gb18030") + b"\r\n")
            engine.send("setoption hashsize 象棋 16\ngo depth 2")
            engine.expect("info message Hash is a whole number")
            engine.expect("bestmove")
            engine.send("quit")
            engine.rest()
            self.expect_clean_end(engine)

    def test_another_working_directory(self):
        with tempfile.TemporaryDirectory(prefix="象棋 ") as folder:
            with start(cwd=folder) as engine:
                engine.send("ucci\ngo depth 2")
                engine.expect("bestmove")
                engine.send("quit")
                engine.rest()
                self.expect_clean_end(engine)
                self.assertEqual(os.listdir(folder), [])


class EndTest(unittest.TestCase):
    def test_end_of_input_in_idle(self):
        for text in ["", "ucci\n", "uci\nisready\n"]:
            with start() as engine:
                engine.send(text.encode())
                engine.close_input()
                self.assertEqual(engine.wait(), 0)
                self.assertEqual(engine.process.stderr.read(), b"")

    def test_end_of_input_while_thinking_answers_and_ends(self):
        for go in ["go infinite", "go depth 60", "go ponder time 900 increment 0"]:
            with start() as engine:
                engine.send(f"ucci\n{go}")
                engine.expect("info depth")
                engine.close_input()
                lines = engine.rest()
                self.assertEqual(sum(line.startswith("bestmove") for line in lines), 1)
                self.assertEqual(engine.wait(), 0)

    def test_quit_while_thinking_ends_at_once(self):
        with start() as engine:
            engine.send("ucci\ngo infinite")
            engine.expect("info depth")
            begin = time.monotonic()
            engine.send("quit")
            lines = engine.rest()
            self.assertLess(time.monotonic() - begin, 1)
            self.assertEqual(sum(line.startswith("bestmove") for line in lines), 1)
            self.assertEqual(lines[-1], "bye")
            self.assertEqual(engine.wait(), 0)

    def test_stop_ten_times_has_one_answer(self):
        for word in ["uci", "ucci"]:
            with start() as engine:
                engine.send(f"{word}\ngo infinite")
                engine.expect("info depth")
                engine.send("\n".join(["stop"] * 10))
                engine.expect("bestmove")
                engine.send("isready")
                engine.expect("readyok")
                answers = [line for line in engine.lines if b"bestmove" in line]
                self.assertEqual(len(answers), 1, answers)

    def test_closed_output_ends_the_process_without_a_signal(self):
        # Nothing is to be read any more, yet the input stays open: the searching thread finds out.
        read_end, write_end = os.pipe()
        with subprocess.Popen([CHUHE], stdin=subprocess.PIPE, stdout=write_end,
                              stderr=subprocess.PIPE) as process:
            os.close(write_end)
            process.stdin.write(b"ucci\ngo infinite\n")
            process.stdin.flush()
            self.assertNotEqual(os.read(read_end, 10), b"")
            os.close(read_end)
            self.assertEqual(process.wait(20), 1)
            self.assertIn(b"standard output", process.stderr.read())

    def test_output_that_was_never_open(self):
        done = subprocess.run(f"exec '{CHUHE}' >&-", shell=True, input=b"ucci\ngo depth 3\nquit\n",
                              capture_output=True, check=False, timeout=20)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
