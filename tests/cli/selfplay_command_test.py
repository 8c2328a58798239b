"""`chuhe selfplay`: games into a run, a network that is followed, Ctrl-C and kill -9.

    selfplay_command_test.py CHUHE
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CHUHE = os.path.abspath(sys.argv[1])
SMALL = ["selfplay.visits=4", "selfplay.fast_visits=2", "selfplay.games=4", "selfplay.ply_cap=30",
         "selfplay.early_ply_cap=30"]


class SelfPlayTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.run_folder = self.folder / "run"
        self.net = self.new_network("a.safetensors", 1)

    def new_network(self, name, seed):
        path = self.folder / name
        subprocess.run([CHUHE, "net", "init", "--size", "1x16", "--seed", str(seed), "--out", path],
                       check=True, capture_output=True, timeout=60)
        return path

    def command(self, *arguments):
        line = [CHUHE, "selfplay", "--run", str(self.run_folder), "--json", "--workers", "1",
                "--precision", "fp32", "--report-every", "0.2"]
        for setting in SMALL:
            line += ["--set", setting]
        return [*line, *map(str, arguments)]

    def play(self, *arguments):
        return subprocess.run(self.command(*arguments), capture_output=True, text=True, check=False,
                              timeout=100)

    def start(self, *arguments):
        process = subprocess.Popen(self.command(*arguments), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def stored_games(self):
        done = subprocess.run([CHUHE, "games", "stats", "--json", self.run_folder / "games"],
                              capture_output=True, text=True, check=False, timeout=60)
        return json.loads(done.stdout)["games"] if done.returncode == 0 else 0

    def wait_for(self, condition):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end, "nothing happened")
            time.sleep(0.05)

    def present(self, path):
        """Makes the network the run's present one."""
        info = json.loads(subprocess.run([CHUHE, "net", "info", path, "--json"], check=True,
                                         capture_output=True, text=True, timeout=60).stdout)
        (self.run_folder / "nets").mkdir(parents=True, exist_ok=True)
        shutil.copy(path, self.run_folder / "nets" / f"{info['sha256']}.safetensors")
        text = json.dumps({"sha256": info["sha256"], "architecture": "1x16", "training_steps": 0})
        (self.run_folder / "network.new").write_text(text)
        (self.run_folder / "network.new").rename(self.run_folder / "network.json")
        return info["sha256"]

    def test_plays_the_games_and_stores_them(self):
        done = self.play("--net", self.net, "--games", 6)
        self.assertEqual(done.returncode, 0, done.stderr)
        last = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual(last["games"], 6)
        self.assertEqual(last["red_wins"] + last["draws"] + last["black_wins"], 6)
        self.assertGreater(last["evaluations"], last["positions"])
        self.assertEqual(self.stored_games(), 6)
        self.assertIn("visits: 4", (self.run_folder / "selfplay.yaml").read_text())

    def test_the_next_start_plays_other_games(self):
        for _ in range(2):
            self.assertEqual(self.play("--net", self.net, "--games", 4).returncode, 0)
        self.assertEqual(self.stored_games(), 8)

    def test_follows_the_network_of_the_run(self):
        done = self.play()
        self.assertEqual(done.returncode, 1)
        self.assertIn("--net FILE", done.stderr)
        first = self.present(self.net)
        process = self.start()
        self.wait_for(lambda: self.stored_games() > 0)
        second = self.present(self.new_network("b.safetensors", 2))
        heard = []
        while second[:12] not in "".join(heard):
            heard.append(process.stderr.readline())
            self.assertTrue(heard[-1], heard)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertIn(first[:12], "".join(heard))

    def test_goes_on_after_ctrl_c_and_after_kill_9(self):
        for sent in (signal.SIGINT, signal.SIGKILL):
            before = self.stored_games()
            process = self.start("--net", self.net)
            self.wait_for(lambda: self.stored_games() > before)
            process.send_signal(sent)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0 if sent == signal.SIGINT else -sent)
        self.assertTrue(list((self.run_folder / "games" / "under_way").glob("*.journal")))
        self.assertEqual(self.play("--net", self.net, "--games", 1).returncode, 0)
        verified = subprocess.run([CHUHE, "games", "verify", self.run_folder / "games"],
                                  capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.assertFalse(list((self.run_folder / "games" / "quarantine").iterdir()))

    def test_names_what_is_wrong(self):
        for arguments, message in [
                (["--net", "nowhere"], "nowhere"),
                (["--net", self.net, "--set", "selfplay.visit=3"], "selfplay.visits"),
                (["--net", self.net, "--set", "selfplay.visits=0"], "from 1"),
                (["--net", self.net, "--set", "selfplay.openings=nowhere"], "nowhere"),
                (["--net", self.net, "--device", "abacus"], "abacus")]:
            done = self.play(*arguments)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
