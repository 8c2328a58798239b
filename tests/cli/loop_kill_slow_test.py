"""`chuhe loop` is killed at many moments, and goes on each time until the run is complete.

    loop_kill_slow_test.py CHUHE SOURCE_FOLDER
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

CHUHE = os.path.abspath(sys.argv[1])
SMOKE = pathlib.Path(sys.argv[2]).resolve() / "configs" / "smoke.yaml"
KILLS = 40
GENERATIONS = 12


class LoopKillTest(unittest.TestCase):
    def test_goes_on_after_each_kill(self):
        chance = random.Random(1)
        with tempfile.TemporaryDirectory() as folder:
            run = pathlib.Path(folder) / "run"
            command = [CHUHE, "loop", "--run", run, "--config", SMOKE, "--set",
                       f"loop.generations={GENERATIONS}"]
            history = []
            games = 0
            for _ in range(KILLS):
                with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, text=True) as process:
                    try:
                        _, errors = process.communicate(timeout=chance.uniform(0.02, 2.5))
                        self.assertEqual(process.returncode, 0, errors)
                    except subprocess.TimeoutExpired:
                        process.kill()
                        process.communicate()
                # Nothing that was there once is gone.
                path = run / "history.json"
                now = json.loads(path.read_text())["generations"] if path.exists() else []
                self.assertEqual(now[:len(history)], history)
                history = now
                games_now = self.count_games(run)
                self.assertGreaterEqual(games_now, games)
                games = games_now
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            history = json.loads((run / "history.json").read_text())["generations"]
            self.assertEqual([made["steps"] for made in history],
                             [20 * number for number in range(GENERATIONS + 1)])
            verified = subprocess.run([CHUHE, "games", "verify", run / "games"],
                                      capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)

    def count_games(self, run):
        if not any((run / "games").glob("**/*.games")):
            return 0
        done = subprocess.run([CHUHE, "games", "stats", "--json", run / "games"],
                              capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["games"]


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
