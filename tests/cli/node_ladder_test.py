"""scripts/node_ladder.py: the line through scores whose truth is known, and a ladder with a real engine.

    node_ladder_test.py CHUHE SOURCE_FOLDER
"""

import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CHUHE = os.path.abspath(sys.argv[1])
SCRIPTS = pathlib.Path(sys.argv[2]).resolve() / "scripts"
ENGINE = shutil.which("fairy-stockfish", path=os.environ.get("PATH", "") + ":/usr/games")
sys.path.insert(0, str(SCRIPTS))
import node_ladder  # noqa: E402  its folder has to be known first


def drawn_meeting(generator, elo, games):
    """Pairs of games in which half the points come in draws, and the first game's winner is a
    little likelier to win the second."""
    score = 1 / (1 + 10 ** (-elo / 400))
    counts = [0] * 5
    for _ in range(games // 2):
        shift = generator.uniform(-0.1, 0.1) * min(score, 1 - score)
        halves = sum(generator.random() < score + shift for _ in range(4))
        counts[halves] += 1
    points = sum(i * count for i, count in enumerate(counts)) / 2
    return {"games": games, "score": points / games, "pairs": counts}


class NodeLadderTest(unittest.TestCase):
    def test_finds_the_line_that_scores_come_from(self):
        rungs = [(nodes, {"games": 200, "pairs": [5, 20, 50, 20, 5],
                          "score": 1 / (1 + 10 ** ((70 * math.log2(nodes / 1000) - 120) / 400))})
                 for nodes in (1000, 4000, 16000)]
        a, b, covariance = node_ladder.fit(rungs)
        self.assertAlmostEqual(a, 120, places=6)
        self.assertAlmostEqual(b, -70, places=6)
        even, low, high = node_ladder.even_nodes(1000, a, b, covariance)
        self.assertAlmostEqual(even, 1000 * 2 ** (120 / 70), places=3)
        self.assertLess(low, even)
        self.assertLess(even, high)

    def test_intervals_hold_the_truth_as_often_as_they_say(self):
        generator = random.Random(7)
        truth = 1000 * 2 ** (90 / 60)
        held = 0
        tries = 400
        for _ in range(tries):
            rungs = [(nodes, drawn_meeting(generator, 90 - 60 * math.log2(nodes / 1000), 200))
                     for nodes in (500, 2000, 8000, 32000)]
            a, b, covariance = node_ladder.fit(rungs)
            _, low, high = node_ladder.even_nodes(500, a, b, covariance)
            held += low <= truth <= high
        # 95 %, with three of its own standard deviations to each side.
        self.assertGreaterEqual(held / tries, 0.917)
        self.assertLessEqual(held / tries, 0.983)

    def test_bounds_are_finite_where_all_games_were_won(self):
        won = {"games": 20, "score": 1.0, "pairs": [0, 0, 0, 0, 10]}
        lost = {"games": 20, "score": 0.1, "pairs": [8, 0, 2, 0, 0]}
        a, b, covariance = node_ladder.fit([(100, won), (6400, lost)])
        self.assertLess(b, 0)
        self.assertTrue(all(math.isfinite(x)
                            for x in [a, b, *node_ladder.even_nodes(100, a, b, covariance)]))

    @unittest.skipUnless(ENGINE, "fairy-stockfish is not installed")
    def test_plays_and_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, SCRIPTS / "node_ladder.py", "--engine", ENGINE, "--visits", "2",
                       "--nodes", "1,200", "--games", "2", "--folder", folder, "--chuhe", CHUHE]
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(re.search(r"\n\| 1 \| \d \| \d \| \d \| [\d.]+ % \| ", done.stdout),
                            done.stdout)
            self.assertIn("ven match", done.stdout)
            again = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
            self.assertEqual(again.stdout, done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
