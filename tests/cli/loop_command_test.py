"""`chuhe loop` as a whole: configs/smoke.yaml from nothing to a network that plays, and what others
make of its files: TensorBoard, a browser, `chuhe games`, a GUI's protocol.

    loop_command_test.py CHUHE SOURCE_FOLDER
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from engine_players import UcciPlayer

CHUHE = os.path.abspath(sys.argv[1])
SOURCE = pathlib.Path(sys.argv[2]).resolve()
SMOKE = SOURCE / "configs" / "smoke.yaml"
TEST_PYTHON = SOURCE / "build" / "test-venv" / "bin" / "python"
CHROMIUM = shutil.which("chromium")

READ_EVENTS = """
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
events = EventAccumulator(sys.argv[1])
events.Reload()
print(json.dumps({tag: [[e.step, e.value] for e in events.Scalars(tag)]
                  for tag in events.Tags()["scalars"]}))
"""


def loop(run, *arguments, timeout=170):
    return subprocess.run([CHUHE, "loop", "--run", run, *arguments], capture_output=True, text=True,
                          check=False, timeout=timeout)


class LoopTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.made_run = pathlib.Path(cls.folder.name) / "runs" / "smoke"
        cls.done = loop(cls.made_run, "--config", SMOKE)
        assert cls.done.returncode == 0, cls.done.stderr
        cls.history = json.loads((cls.made_run / "history.json").read_text())["generations"]
        cls.network = cls.made_run / json.loads((cls.made_run / "network.json").read_text())["file"]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_makes_the_generations_and_measures_each(self):
        self.assertEqual([made["number"] for made in self.history], [0, 1, 2])
        self.assertEqual([made["steps"] for made in self.history], [0, 20, 40])
        self.assertEqual(len({made["sha256"] for made in self.history}), 3)
        for made in self.history:
            self.assertTrue((self.made_run / "nets" / (made["sha256"] + ".safetensors")).exists())
            met = {name for result in made["ladder"] for name in (result["red"], result["black"])}
            self.assertLessEqual({"random", "alphabeta:1", "alphabeta:2", "alphabeta:3"}, met)

    def test_prints_a_table_and_how_to_play(self):
        table = self.done.stdout.split("\n\n")[-1].splitlines()
        self.assertRegex(table[0], r"gen +Elo +steps +games")
        for number, line in enumerate(table[1:4]):
            self.assertRegex(line, rf"^ +{number} +-?\d+ \+- \d+ ")
        self.assertIn(f"CHUHE_NET={self.network} chuhe", self.done.stdout)

    def test_keeps_the_settings_beside_the_results(self):
        again = self.made_run.parent / "again"
        self.assertEqual(loop(again, "--config", self.made_run / "config.yaml", "--set",
                              "loop.generations=1").returncode, 0)
        expected = (self.made_run / "config.yaml").read_text()
        # The steps of the whole run follow.
        expected = expected.replace("generations: 2", "generations: 1")
        self.assertEqual((again / "config.yaml").read_text(),
                         expected.replace(" steps: 40\n", " steps: 20\n"))

    def test_games_are_whole(self):
        done = subprocess.run([CHUHE, "games", "verify", self.made_run / "games"], capture_output=True,
                              text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater(self.history[-1]["games"], 0)

    def test_its_learning_is_measured(self):
        command = [sys.executable, SOURCE / "scripts" / "learning_curve.py", "measure", "--every",
                   "2", "--games", "2", "--visits", "2", "--chuhe", CHUHE, self.made_run]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        evaluations = sum(made["play"]["evaluations"] for made in self.history)
        self.assertGreater(evaluations, 0)
        self.assertRegex(done.stdout, rf"generation    2 +{evaluations / 1e6:.2f} M +random ")
        self.assertRegex(done.stdout, r"\n\| smoke \| 0\.\d M \| ")
        again = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
        self.assertEqual(again.stdout, done.stdout)
        # The curve is kept without its run.
        kept = self.made_run.parent / "kept.json"
        shutil.copy(self.made_run / "curve" / "curve.json", kept)
        shown = subprocess.run([*command[:2], "show", kept], capture_output=True, text=True,
                               check=False, timeout=20)
        self.assertEqual(shown.stdout.splitlines()[2].replace("kept", "smoke"),
                         done.stdout.splitlines()[-1])

    def test_goes_on_to_more_generations(self):
        run = self.made_run.parent / "longer"
        shutil.copytree(self.made_run, run)
        done = loop(run, "--config", SMOKE, "--set", "loop.generations=3")
        self.assertEqual(done.returncode, 0, done.stderr)
        history = json.loads((run / "history.json").read_text())["generations"]
        self.assertEqual(history[:3], self.history)
        self.assertEqual(history[3]["steps"], 60)

    def test_self_play_waits_for_training_that_falls_behind(self):
        run = self.made_run.parent / "behind"
        settings = ["loop.generations=3", "loop.steps_per_generation=100",
                    "train.samples_per_position=50", "train.min_positions=600"]
        done = loop(run, "--config", SMOKE, *(part for one in settings for part in ("--set", one)))
        self.assertEqual(done.returncode, 0, done.stderr)
        made = json.loads((run / "history.json").read_text())["generations"]
        # The first games pay for all the steps, and hardly any others are played.
        self.assertLess(made[3]["positions"], 2 * made[1]["positions"])

    def test_says_when_all_is_done_already(self):
        done = loop(self.made_run, "--config", SMOKE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("all 2 generations are there already", done.stdout)

    def test_ends_in_good_order_when_interrupted(self):
        run = self.made_run.parent / "interrupted"
        with subprocess.Popen([CHUHE, "loop", "--run", run, "--config", SMOKE, "--set",
                               "loop.generations=1000"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            while process.stdout.readline().split()[:1] != ["1"]:
                pass
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("ended before its end; the same command goes on with it", errors)
        made = len(json.loads((run / "history.json").read_text())["generations"])
        done = loop(run, "--config", SMOKE, "--set", f"loop.generations={made}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("going on after step", done.stdout)

    def test_the_network_plays_a_game_to_its_end(self):
        os.environ["CHUHE_NET"] = str(self.network)
        players = [UcciPlayer(CHUHE, go="go nodes 8") for _ in range(2)]
        moves = []
        verdict = "undecided"
        while verdict == "undecided" and len(moves) < 600:
            moves.append(players[len(moves) % 2].move(moves))
            judged = subprocess.run([CHUHE, "judge", "--rules", "computer", "--moves",
                                     " ".join(moves)], capture_output=True, text=True, check=False,
                                    timeout=20)
            self.assertEqual(judged.returncode, 0, judged.stderr)
            verdict = judged.stdout.split(":")[0]
        self.assertEqual([player.quit() for player in players], [0, 0])
        self.assertIn(verdict.split()[0], ["red", "black", "draw"], moves)

    @unittest.skipUnless(TEST_PYTHON.exists(), "scripts/setup.sh --tests was not run")
    def test_tensorboard_reads_the_curves(self):
        done = subprocess.run([TEST_PYTHON, "-c", READ_EVENTS, self.made_run / "events"],
                              capture_output=True, text=True, check=False, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        curves = json.loads(done.stdout)
        self.assertEqual([step for step, _ in curves["loss/total"]], list(range(1, 41)))
        self.assertGreater(curves["loss/policy"][0][1], 0)
        self.assertEqual([step for step, _ in curves["ladder/elo"]], [0, 20, 40])

    @unittest.skipUnless(CHROMIUM, "no chromium")
    def test_a_browser_shows_the_report(self):
        page = (self.made_run / "report.html").as_uri()
        picture = self.made_run / "report.png"
        browser = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=1",
                   f"--user-data-dir={self.folder.name}/chromium"]
        shown = subprocess.run([*browser, "--dump-dom", page], capture_output=True, text=True,
                               check=False, timeout=100)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertEqual(shown.stdout.count("<svg "), 6)
        self.assertEqual(shown.stdout.count("<tr>"), 4)
        subprocess.run([*browser, f"--screenshot={picture}", "--window-size=1500,1400", page],
                       capture_output=True, check=True, timeout=100)
        # A page of one colour would be a few kilobytes.
        self.assertGreater(picture.stat().st_size, 30000)

    def test_refuses_settings_that_are_none(self):
        for setting, error in [("loop.generation=3", "loop.generations"),
                               ("ladder.games=none", "ladder.games"),
                               ("loop.device=abacus", "abacus"),
                               ("train.size=huge", "huge")]:
            with self.subTest(setting):
                done = loop(self.made_run.parent / "none", "--config", SMOKE, "--set", setting)
                self.assertEqual(done.returncode, 1)
                self.assertIn(error, done.stderr)
                self.assertFalse((self.made_run.parent / "none" / "network.json").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
