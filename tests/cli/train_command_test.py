"""`chuhe train --games`: from files of games, resumed after kill -9, read by TensorBoard.

    train_command_test.py CHUHE
"""

import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CHUHE = os.path.abspath(sys.argv[1])
SMALL = ["train.size=1x16", "train.batch_size=16", "train.steps=60", "train.warmup_steps=5",
         "train.validation_one_in=4", "train.validation_positions=64", "train.validate_every=30",
         "train.checkpoint_every=10"]


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

    def test_goes_on_from_a_network_that_exists(self):
        self.assertEqual(self.train("first").returncode, 0)
        first = self.network("first")
        file = self.folder / "first" / first["file"]
        command = self.command("second", "train.learning_rate=0", "train.steps=2") + [
            "--net", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        second = self.folder / "second" / self.network("second")["file"]
        info = json.loads(subprocess.run([CHUHE, "net", "info", "--json", str(second)],
                                         capture_output=True, text=True, check=True,
                                         timeout=20).stdout)
        self.assertEqual(info["parent"], first["sha256"])
        # Nothing was learnt: it plays as the first one does.
        moves = []
        for network in [file, second]:
            played = subprocess.run([CHUHE], input=f"ucci\nsetoption network {network}\n"
                                    "setoption precision fp32\nsetoption batch true\n"
                                    "position startpos\ngo nodes 50\nquit\n",
                                    capture_output=True, text=True, check=True, timeout=20)
            moves.append(re.search(r"\nbestmove .*", played.stdout).group())
        self.assertEqual(moves[0], moves[1])

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
        short = ["train.steps=10", "train.report_every=1", "train.validate_every=10"]
        done = self.train("pgn", *short, games=games)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("games.pgn: 40 games", done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 10)
        self.assertEqual(self.train("tsv", *short).returncode, 0)
        # The same games in the same order, so the same network.
        self.assertEqual(self.network("pgn"), self.network("tsv"))

    def test_one_bad_file_among_good_ones_is_told_of(self):
        bad = self.folder / "bad.pgn"
        bad.write_text("[Game \"Chinese Chess\"]\n\n1. Xx9\n")
        command = [*self.command("both", "train.steps=3"), "--games", str(bad)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("bad.pgn: 0 games; not all could be read: ", done.stderr)
        self.assertIn("Xx9", done.stderr)

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


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    unittest.main()
