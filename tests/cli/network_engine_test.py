"""`chuhe` as an engine that plays with a network.

    network_engine_test.py CHUHE
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from engine_process import EngineProcess

CHUHE = os.path.abspath(sys.argv[1])
READY_S = 2


class NetworkEngineTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        cls.small = str(folder / "small.safetensors")
        cls.tiny = str(folder / "网络 1x16.safetensors")
        for size, path in [("small", cls.small), ("1x16", cls.tiny)]:
            subprocess.run([CHUHE, "net", "init", "--size", size, "--out", path], check=True,
                           stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def start(self, net="none"):
        return EngineProcess(CHUHE, env={**os.environ, "CHUHE_NET": net})

    def test_is_ready_in_time_with_a_small_network(self):
        # The best of some tries: other programs may hold up one of them.
        best = 100
        for _ in range(5):
            with self.start(self.small) as engine:
                engine.send("ucci\nisready")
                engine.expect("ucciok")
                engine.expect("readyok")
                best = min(best, time.monotonic() - engine.started)
            if best < READY_S:
                break
        self.assertLess(best, READY_S)

    def test_plays_with_the_default_network_and_says_so(self):
        with self.start(self.tiny) as engine:
            engine.send("ucci\nposition startpos\ngo nodes 100")
            self.assertRegex(engine.expect("info message network "), "1x16")
            self.assertRegex(engine.expect("bestmove "), "^bestmove [a-i][0-4]")

    def test_takes_a_network_by_option_under_either_protocol(self):
        for first, option in [("ucci", f"setoption network {self.tiny}"),
                              ("uci", f"setoption name EvalFile value {self.tiny}")]:
            with self.start() as engine:
                engine.send(f"{first}\n{option}\nposition startpos\ngo nodes 50")
                engine.expect("info message network ", "info string network ")
                engine.expect("bestmove ")

    def test_chances_are_shown_under_uci(self):
        with self.start(self.tiny) as engine:
            engine.send("uci\nsetoption name UCI_ShowWDL value true\nposition startpos\ngo nodes 99")
            line = engine.expect("info depth ")
            words = line.split()
            wdl = [int(word) for word in words[words.index("wdl") + 1:][:3]]
            self.assertEqual(sum(wdl), 1000)

    def test_fixed_nodes_give_the_same_search(self):
        answers = set()
        for _ in range(3):
            with self.start(self.tiny) as engine:
                engine.send("uci\nsetoption name Precision value int8\n"
                            "position startpos moves h2e2\ngo nodes 3000")
                last = None
                while not (line := engine.expect("info depth ", "bestmove ")).startswith("best"):
                    last = line
                answers.add((last.split(" pv ")[1], line))
        self.assertEqual(len(answers), 1)

    def test_temperature_varies_the_moves(self):
        moves = set()
        with self.start(self.tiny) as engine:
            engine.send("uci\nsetoption name Temperature value 1000")
            for _ in range(30):
                engine.send("ucinewgame\nposition startpos\ngo nodes 60")
                moves.add(engine.expect("bestmove ").split()[1])
        self.assertGreater(len(moves), 3)

    def test_the_node_limit_holds_in_timed_games(self):
        with self.start(self.tiny) as engine:
            engine.send("uci\nsetoption name Node Limit value 40\nposition startpos\n"
                        "go movetime 20000")
            begin = time.monotonic()
            line = engine.expect("info depth ")
            engine.expect("bestmove ")
            self.assertLess(time.monotonic() - begin, 10)
            words = line.split()
            self.assertLessEqual(int(words[words.index("nodes") + 1]), 48)

    def test_threads_share_the_work(self):
        with self.start(self.tiny) as engine:
            engine.send("uci\nsetoption name Threads value 2\nposition startpos\ngo nodes 2000")
            engine.expect("bestmove ")
            self.assertIn(b", batch 8", b"\n".join(engine.lines))

    def test_a_network_that_cannot_be_read_leaves_the_one_before(self):
        with self.start(self.tiny) as engine:
            engine.send("uci\nisready")
            engine.expect("readyok")
            engine.send("setoption name EvalFile value /no/such/file\nisready")
            engine.expect("readyok")
            engine.send("position startpos\ngo nodes 20")
            engine.expect("bestmove ")
            said = b"\n".join(engine.lines)
            self.assertIn(b"/no/such/file", said)

    def test_a_device_that_is_not_there_is_said(self):
        with self.start(self.tiny) as engine:
            engine.send("uci\nsetoption name Device value gpu7\nposition startpos\ngo nodes 20")
            engine.expect("bestmove ")
            self.assertIn(b"gpu7", b"\n".join(engine.lines))


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    unittest.main()
