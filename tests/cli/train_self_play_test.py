"""`chuhe train` on the games of self-play: as they come in, from the records of another run.

    train_self_play_test.py CHUHE WRITE_SELF_PLAY_GAMES
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CHUHE = os.path.abspath(sys.argv[1])
WRITE_SELF_PLAY_GAMES = os.path.abspath(sys.argv[2])
REPLAY = ["train.size=1x16", "train.batch_size=16", "train.warmup_steps=5", "train.steps=40",
          "train.min_positions=40", "train.samples_per_position=4", "train.checkpoint_every=8",
          "train.publish_every=20", "train.report_every=10"]


class SelfPlayTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def add_games(self, run, count, seed, draws=False):
        """Games of 10 positions, each of which pays for a quarter of a step."""
        subprocess.run([WRITE_SELF_PLAY_GAMES, str(self.folder / run / "games"), str(count), "20",
                        str(seed), *(["draws"] if draws else [])], check=True, timeout=60)

    def command(self, run, *arguments, settings=()):
        command = [CHUHE, "train", "--run", str(self.folder / run), "--json", *arguments]
        for setting in [*REPLAY, *settings]:
            command += ["--set", setting]
        return command

    def train(self, run, *arguments, settings=()):
        return subprocess.run(self.command(run, *arguments, settings=settings),
                              capture_output=True, text=True, check=False, timeout=100)

    def network(self, run):
        return json.loads((self.folder / run / "network.json").read_text())

    def test_follows_the_games_of_the_run_as_they_come(self):
        self.add_games("run", 3, seed=1)
        with subprocess.Popen(self.command("run"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            # 30 positions of the 40 that the first step takes.
            while "waiting for games: 10 more" not in process.stderr.readline():
                self.assertIsNone(process.poll())
            self.assertEqual(self.network("run")["training_steps"], 0)
            self.add_games("run", 14, seed=2)
            stdout, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, stderr)
        lines = [json.loads(line) for line in stdout.splitlines()]
        self.assertEqual([line["step"] for line in lines], [10, 20, 30, 40])
        self.assertEqual(lines[-1]["window"]["end_game"], 17)
        self.assertGreater(lines[-1]["target_entropy"], 0)
        self.assertEqual(self.network("run")["training_steps"], 40)
        # The first one, one after 20 steps and one after 40.
        self.assertEqual(len(list((self.folder / "run" / "nets").iterdir())), 3)
        verified = subprocess.run([CHUHE, "net", "verify",
                                   str(self.folder / "run" / self.network("run")["file"])],
                                  capture_output=True, text=True, check=False, timeout=20)
        self.assertEqual(verified.returncode, 0, verified.stderr)

    def test_a_killed_run_goes_on_to_the_same_network(self):
        self.add_games("straight", 20, seed=1)
        self.add_games("killed", 20, seed=1)
        self.assertEqual(self.train("straight").returncode, 0)
        checkpoint = self.folder / "killed" / "checkpoints" / "latest.ckpt"
        with subprocess.Popen(self.command("killed"), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + 60
            while not checkpoint.exists() and time.monotonic() < deadline:
                time.sleep(0.002)
            process.send_signal(signal.SIGKILL)
        done = self.train("killed")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("resumed after step ", done.stderr)
        self.assertEqual(self.network("killed"), self.network("straight"))

    def test_another_size_learns_from_the_same_records(self):
        self.add_games("first", 6, seed=1)
        done = self.train("other", "--records", str(self.folder / "first" / "games" / "shards"),
                          settings=["train.size=2x16", "train.report_every=1"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.network("other")["architecture"], "2x16")
        # 60 positions pay for 15 steps, and no more come.
        self.assertEqual(self.network("other")["training_steps"], 15)
        self.assertIn("pay for 15 of 40 steps", done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 15)

    def test_starts_from_a_network_that_is_given(self):
        self.add_games("run", 6, seed=1)
        first = self.folder / "first.safetensors"
        made = subprocess.run([CHUHE, "net", "init", "--size", "1x32", "--out", str(first)],
                              capture_output=True, text=True, check=True, timeout=20)
        done = self.train("run", "--net", str(first), settings=["train.steps=10"])
        self.assertEqual(done.returncode, 0, done.stderr)
        info = subprocess.run([CHUHE, "net", "info", "--json",
                               str(self.folder / "run" / self.network("run")["file"])],
                              capture_output=True, text=True, check=True, timeout=20)
        self.assertEqual(json.loads(info.stdout)["size"], "1x32")
        self.assertEqual(json.loads(info.stdout)["parent"], made.stdout.strip())

    def test_an_interrupt_ends_a_run_that_waits(self):
        with subprocess.Popen(self.command("run"), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            while "waiting for games" not in process.stderr.readline():
                self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            process.stderr.read()
            self.assertEqual(process.wait(timeout=30), 0)

    def test_warns_of_games_that_teach_little(self):
        self.add_games("run", 110, seed=1, draws=True)
        done = self.train("run", settings=["train.steps=1"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("warning: 100 % of the last 110 games are draws"), 1,
                         done.stderr)

    def test_bad_input_is_named(self):
        self.add_games("run", 6, seed=1)
        cases = [
            (self.train("a", "--records", str(self.folder / "none")), "none"),
            (self.train("run", "--games", "x.tsv", "--records", "y"), "--records"),
            (self.train("run", "--net", str(self.folder / "gone.safetensors")), "gone.safetensors"),
            (self.train("run", settings=["train.schedule=sine"]), "cosine"),
        ]
        for done, text in cases:
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    unittest.main()
