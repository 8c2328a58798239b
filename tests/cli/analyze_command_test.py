"""`chuhe analyze`: orders and answers as JSON lines.

    analyze_command_test.py CHUHE
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

CHUHE = sys.argv[1]
MATE_IN_ONE = "4k4/9/5R3/9/9/4P4/9/9/9/3K5 w"
MATED = "R3k4/8R/9/9/9/9/9/9/9/3K5 b"


class AnalyzeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.net = str(pathlib.Path(cls.folder.name) / "net.safetensors")
        subprocess.run([CHUHE, "net", "init", "--size", "1x16", "--out", cls.net], check=True,
                       stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def analyze(self, orders, *arguments):
        lines = [order if isinstance(order, str) else json.dumps(order) for order in orders]
        done = subprocess.run([CHUHE, "analyze", "--net", self.net, "--precision", "int8",
                               "--threads", "1", *arguments],
                              input="\n".join(lines) + "\n", capture_output=True, text=True,
                              check=False, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_answers_hold_moves_best_first(self):
        [answer] = self.analyze([{"id": 7, "moves": ["h2e2"], "nodes": 300, "multipv": 3}])
        self.assertEqual(answer["id"], 7)
        self.assertEqual(answer["visits"], 300)
        self.assertAlmostEqual(sum(answer["wdl"]), 1, places=5)
        self.assertEqual(len(answer["moves"]), 3)
        visits = [move["visits"] for move in answer["moves"]]
        self.assertEqual(visits, sorted(visits, reverse=True))
        for move in answer["moves"]:
            self.assertEqual(move["pv"][0], move["move"])
            self.assertRegex(move["move"], "^[a-i][5-9][a-i][0-9]$")
            self.assertGreaterEqual(len(move["chinese"]), 4)
            self.assertGreater(move["prior"], 0)
            self.assertAlmostEqual(sum(move["wdl"]), 1, places=5)

    def test_every_order_is_answered_once_with_its_own_id(self):
        orders = [{"id": f"n{i}", "nodes": 50 + i, "priority": i % 3} for i in range(40)]
        answers = self.analyze(orders, "--active", "5", "--batch", "8")
        self.assertEqual(sorted(answer["id"] for answer in answers),
                         sorted(order["id"] for order in orders))
        for answer in answers:
            self.assertEqual(answer["visits"], 50 + int(answer["id"][1:]))

    def test_mates_are_named(self):
        [answer] = self.analyze([{"id": 1, "fen": MATE_IN_ONE, "nodes": 2000}])
        self.assertEqual(answer["mate"], 1)
        self.assertEqual(answer["wdl"], [1, 0, 0])

    def test_a_finished_game_has_no_moves(self):
        [answer] = self.analyze([{"id": 1, "fen": MATED, "nodes": 10}])
        self.assertEqual(answer["moves"], [])
        self.assertEqual(answer["wdl"], [0, 0, 1])

    def test_a_time_limit_ends_the_analysis(self):
        [answer] = self.analyze([{"id": 1, "movetime_ms": 100}])
        self.assertGreater(answer["visits"], 0)

    def test_cancelled_orders_are_not_answered(self):
        answers = self.analyze([{"id": 1, "nodes": 10 ** 9}, {"id": 2, "nodes": 50},
                                {"id": 1, "cancel": True}, {"id": 1, "cancel": True}])
        self.assertIn({"id": 1, "cancelled": True}, answers)
        self.assertEqual([a["visits"] for a in answers if a["id"] == 2], [50])
        self.assertIn("error", [a for a in answers if a["id"] == 1][-1])
        self.assertEqual(len(answers), 3)

    def test_bad_orders_are_named_and_harm_no_others(self):
        cases = [
            ("hello", None, "JSON object"),
            ("[" * 1000, None, "JSON object"),
            ({"nodes": 5}, None, "id is missing"),
            ({"id": 1}, 1, "neither nodes nor movetime_ms"),
            ({"id": 2, "nodes": 0}, 2, "whole number from 1"),
            ({"id": 3, "nodes": 2.5}, 3, "2.5"),
            ({"id": 4, "nodes": 10, "fen": "x"}, 4, ""),
            ({"id": 5, "nodes": 10, "moves": "h2e2"}, 5, "array"),
            ({"id": 6, "nodes": 10, "moves": ["h2e2", "h2e2"]}, 6, "moves[1]"),
            ({"id": 7, "nodes": 10, "nodse": 1}, 7, "nodse"),
            ({"id": 8, "nodes": 10, "multipv": 1000}, 8, "multipv"),
            ({"id": 9, "nodes": 10, "rules": "sky"}, 9, "sky"),
            ({"id": 10, "nodes": 18446744073709551615}, 10, "nodes"),
        ]
        good = {"id": "good", "nodes": 20}
        answers = self.analyze([good, *[case[0] for case in cases]])
        self.assertEqual(len(answers), len(cases) + 1)
        errors = [answer for answer in answers if "error" in answer]
        for (_, number, text), answer in zip(cases, errors):
            self.assertEqual(answer["id"], number)
            self.assertIn(text, answer["error"])

    def test_answers_come_while_input_stays_open(self):
        with subprocess.Popen([CHUHE, "analyze", "--net", self.net, "--precision", "int8"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            timer = threading.Timer(30, process.kill)
            timer.start()
            for number in (1, 2):
                process.stdin.write(json.dumps({"id": number, "nodes": 20}) + "\n")
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline())["id"], number)
            process.stdin.close()
            self.assertEqual(process.wait(timeout=30), 0)
            timer.cancel()

    def test_a_network_that_is_not_there_is_an_error(self):
        done = subprocess.run([CHUHE, "analyze", "--net", "no such file"], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, check=False, timeout=30)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no such file", done.stderr)


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    unittest.main()
