"""What `chuhe match` says of two engines, for the scripts that measure with it."""

import json
import subprocess
import sys


def fail(text):
    sys.exit(f"{sys.argv[0]}: {text}")


def score_of(elo):
    return 1 / (1 + 10 ** (-elo / 400))


def play(chuhe, engines, games, journal, others=()):
    """The meeting of two engines (what --engine takes) as `--json` has it, with its number of games
    and the score of the first one, from 0 to 1, with the 95 % interval `lower` to `upper`. With a
    journal that is there it goes on where it was stopped."""
    command = [chuhe, "match", "--json", "--quiet", "--games", str(games), "--journal", str(journal),
               *others]
    for engine in engines:
        command += ["--engine", engine]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"{' '.join(command)}: {done.stderr.strip()}")
    meeting = json.loads(done.stdout)["meetings"][0]
    meeting["games"] = meeting["wins"] + meeting["draws"] + meeting["losses"]
    meeting["score"] = (meeting["wins"] + meeting["draws"] / 2) / meeting["games"]
    lower, upper = meeting["elo_lower"], meeting["elo_upper"]
    meeting["lower"] = 0.0 if lower is None else score_of(lower)
    meeting["upper"] = 1.0 if upper is None else score_of(upper)
    return meeting
