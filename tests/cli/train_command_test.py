"""`chuhe train`: from files of games and from self-play, resumed after kill -9, read by TensorBoard.

    train_command_test.py CHUHE WRITE_SELF_PLAY_GAMES
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CHUHE = os.path.abspath(sys.argv[1])
WRITE_SELF_PLAY_GAMES = os.path.abspath(sys.argv[2])
SMALL = ["train.size=1x16", "train.batch_size=16", "train.steps=60", "train.warmup_steps=5",
         "train.validation_one_in=4", "train.validation_positions=64", "train.validate_every=30",
         "train.checkpoint_every=10"]


REPLAY = ["train.size=1x16", "train.batch_size=16", "train.warmup_steps=5", "train.steps=40",
          "train.min_positions=40", "train.samples_per_position=4", "train.checkpoint_every=8",
          "train.publish_every=20", "train.report_every=10"]


def write_games(path, count=40):
    """A file of short games: pieces of four openings, with results by chance."""
    rng = random.Random(1)
    lines = ["id\tresult\tstart\tmoves"]
    moves = ["h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b0c2 c6c5 g3g4 a9b9".split(),
             "b2e2 b9c7 b0c2 a9b9 a0b0 h9g7 h0g2 g6g5 c3c4 i9h9".split(),
             "c3c4 b7c7 h2e2 h9g7 h0g2 i9h9 i0h0 b9a7 b0c2 a9b9".split(),
             "g0e2 h7e7 h0g2 h9g7 i0h0 i9h9 b0c2 b9c7 a0b0 a9b9".split()]
    for number in range(count):
        opening = moves[number % 4][:rng.randrange(2, 11)]
        result = rng.choice(["1-0", "0-1", "1/2-1/2"])
        lines.append(f"{number}\t{result}\tstartpos\t{' '.join(opening)}")
    path.write_text("\n".join(lines) + "\n")


class TrainTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.games = self.folder / "games.tsv"
        write_games(self.games)

    def command(self, run, *settings, games=None):
        arguments = [CHUHE, "train", "--run", str(self.folder / run), "--games",
                     str(games or self.games), "--json"]
        for setting in [*SMALL, *settings]:
            arguments += ["--set", setting]
        return arguments

    def train(self, run, *settings, games=None):
        return subprocess.run(self.command(run, *settings, games=games), capture_output=True,
                              text=True, check=False, timeout=100)

    def network(self, run):
        return json.loads((self.folder / run / "network.json").read_text())

    def test_ends_with_a_network_that_the_engine_can_play_with(self):
        done = self.train("first")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(lines[-1]["step"], 60)
        self.assertIn("validation", lines[-1])
        self.assertLess(lines[-1]["policy"], lines[0]["policy"])
        file = self.folder / "first" / self.network("first")["file"]
        verified = subprocess.run([CHUHE, "net", "verify", str(file)], capture_output=True,
                                  text=True, check=True, timeout=20)
        self.assertIn(self.network("first")["sha256"], verified.stdout)
        played = subprocess.run([CHUHE], input=f"ucci\nsetoption network {file}\n"
                                "setoption batch true\nposition startpos\ngo nodes 20\nquit\n",
                                capture_output=True, text=True, check=True, timeout=20)
        self.assertIn("\nbestmove ", played.stdout)
        self.assertIn("1x16", played.stdout)

    def test_a_killed_run_goes_on_to_the_same_network(self):
        self.assertEqual(self.train("straight").returncode, 0)
        checkpoint = self.folder / "killed" / "checkpoints" / "latest.ckpt"
        with subprocess.Popen(self.command("killed"), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + 60
            while not checkpoint.exists() and time.monotonic() < deadline:
                time.sleep(0.002)
            process.send_signal(signal.SIGKILL)
        self.assertTrue(checkpoint.exists())
        done = self.train("killed")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("resumed after step ", done.stderr)
        self.assertEqual(self.network("killed"), self.network("straight"))

    def test_an_interrupt_ends_cleanly(self):
        with subprocess.Popen(self.command("stopped", "train.steps=1000000"),
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True) as process:
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            process.stdout.read()
            self.assertEqual(process.wait(timeout=30), 0)
        self.assertGreater(self.network("stopped")["training_steps"], 0)

    def test_tensorboard_reads_the_events(self):
        try:
            from tensorboard.backend.event_processing import event_accumulator
        except ImportError:
            self.skipTest("tensorboard is not installed")
        self.assertEqual(self.train("events").returncode, 0)
        events = event_accumulator.EventAccumulator(str(self.folder / "events" / "events"))
        events.Reload()
        self.assertIn("loss/policy", events.Tags()["scalars"])
        self.assertEqual(events.Scalars("loss/policy")[-1].step, 60)
        self.assertGreater(events.Scalars("validation/top1")[-1].value, 0)

    def test_learns_from_pgn_too(self):
        games = self.folder / "games.pgn"
        written = subprocess.run([CHUHE, "games", "export", "--notation", "chinese",
                                  "--out", str(games), str(self.games)],
                                 capture_output=True, text=True, check=False, timeout=20)
        self.assertEqual(written.returncode, 0, written.stderr)
        done = self.train("pgn", "train.report_every=1", games=games)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("games.pgn: 40 games", done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 60)
        self.assertEqual(self.train("tsv").returncode, 0)
        # The same games in the same order, so the same network but for the note.
        self.assertEqual(self.network("pgn"), self.network("tsv"))

    def test_bad_input_is_named(self):
        bad = self.folder / "bad.tsv"
        bad.write_text("id\tresult\tstart\tmoves\n1\t1-0\tstartpos\th2h8\n")
        cases = [
            (self.train("a", games=bad), "bad.tsv:2"),
            (self.train("b", games=self.folder / "none.tsv"), "none.tsv"),
            (self.train("c", "train.sise=tiny"), "train.size"),
            (self.train("d", "train.size=huge"), "huge"),
            (self.train("e", "train.learning_rate=fast"), "fast"),
        ]
        for done, text in cases:
            self.assertEqual(done.returncode, 1)
            self.assertIn(text, done.stderr)


class ReplayTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def add_games(self, run, count, seed):
        """Games of 10 positions, each of which pays for a quarter of a step."""
        subprocess.run([WRITE_SELF_PLAY_GAMES, str(self.folder / run / "games"), str(count), "20",
                        str(seed)], check=True, timeout=60)

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
