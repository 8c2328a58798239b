#!/usr/bin/env python3
"""Measures how fast the networks of a run of `chuhe loop` learn, in evaluations of self-play.

    scripts/learning_curve.py measure runs/NAME [--every 4] [--games 400] [--visits 64]
    scripts/learning_curve.py show runs/NAME…            a table of the goals, and when they were met
    scripts/learning_curve.py plot runs/NAME… --out learning.svg              needs matplotlib

The last two also take curves that were kept, such as those of docs/curves.

Measuring lets networks of the run, each with --visits a move and without noise, play --games games
from the built-in openings, each with both colours, against `random`, `alphabeta:1` and
`alphabeta:2`. A network that scores 1 game in 50 or less against one opponent is not tried against
the next, stronger one. Every match has a journal in runs/NAME/curve, so that measuring goes on
where it was stopped; the results are in runs/NAME/curve/curve.json.

The budget of a network is what history.json counts: network evaluations of all games that were
finished before it was made; matches are not in it. Error bars are the 95 % intervals that
`chuhe match` reports.
"""

import argparse
import json
import pathlib

from match_result import fail, play

OPPONENTS = ["random", "alphabeta:1", "alphabeta:2"]
HOPELESS = 0.02
# (name, opponent, what counts, at least)
GOALS = [("98 % against random", "random", "score", 0.98),
         ("alphabeta:1, lower bound 50 %", "alphabeta:1", "lower", 0.5),
         ("alphabeta:2, lower bound 50 %", "alphabeta:2", "lower", 0.5)]


def read_json(path):
    try:
        return json.loads(path.read_text())
    except (OSError, json.JSONDecodeError) as error:
        fail(f"{path}: {error}")


def generations(run):
    """[(number, network file, evaluations in all)] of a run."""
    history = read_json(run / "history.json")
    found = []
    evaluations = 0
    for generation in history["generations"]:
        evaluations += generation["play"].get("evaluations", 0)
        file = run / "nets" / f"{generation['sha256']}.safetensors"
        found.append((generation["number"], file, evaluations))
    if len(found) > 1 and evaluations == 0:
        fail(f"{run / 'history.json'}: its games did not count their evaluations")
    return found


def score_against(options, file, opponent, journal):
    """Score of the network with its 95 % interval."""
    meeting = play(options.chuhe, [f"name=net,cmd=net:{file}:{options.visits},proto=builtin",
                                   f"name={opponent},cmd={opponent},proto=builtin"],
                   options.games, journal,
                   ["--concurrency", str(options.concurrency), "--max-plies", "400"])
    return {key: meeting[key] for key in ["score", "lower", "upper", "wins", "draws", "losses"]}


def measure(options):
    for run in options.runs:
        folder = run / "curve"
        folder.mkdir(exist_ok=True)
        found = generations(run)
        chosen = [entry for entry in found
                  if entry[0] % options.every == 0 or entry[0] == found[-1][0]]
        points = []
        for number, file, evaluations in chosen:
            point = {"generation": number, "evaluations": evaluations, "scores": {}}
            for opponent in OPPONENTS:
                name = f"gen-{number}-{opponent.replace(':', '')}-{options.games}.journal"
                result = score_against(options, file, opponent, folder / name)
                point["scores"][opponent] = result
                print(f"{run}  generation {number:4}  {evaluations / 1e6:8.2f} M  {opponent:12} "
                      f"{100 * result['score']:5.1f} % ({100 * result['lower']:.1f} to "
                      f"{100 * result['upper']:.1f})", flush=True)
                if result["score"] <= HOPELESS:
                    break
            points.append(point)
            (folder / "curve.json").write_text(json.dumps({"visits": options.visits,
                                                           "games": options.games,
                                                           "points": points}, indent=1) + "\n")
    show(options)


def read_points(run):
    """The points of a run's folder, or of a curve that was kept as a file."""
    return read_json(run / "curve" / "curve.json" if run.is_dir() else run)["points"]


def label(run):
    return run.name if run.is_dir() else run.stem


def met_at(points, opponent, what, least):
    """Evaluations of the first network that meets a goal, or nothing."""
    for point in points:
        result = point["scores"].get(opponent)
        if result is not None and result[what] >= least:
            return point["evaluations"]
    return None


def show(options):
    print("| run | evaluations | " + " | ".join(goal[0] for goal in GOALS) + " |")
    print("|---|---" + "|---" * len(GOALS) + "|")
    for run in options.runs:
        points = read_points(run)
        cells = []
        for _, opponent, what, least in GOALS:
            evaluations = met_at(points, opponent, what, least)
            cells.append("not met" if evaluations is None else f"{evaluations / 1e6:.2f} M")
        print(f"| {label(run)} | {points[-1]['evaluations'] / 1e6:.1f} M | {' | '.join(cells)} |")


def plot(options):
    try:
        import matplotlib
    except ImportError:
        fail("plot needs matplotlib: build/test-venv/bin/pip install matplotlib")
    matplotlib.use("svg")
    from matplotlib import pyplot
    pyplot.rcParams["svg.hashsalt"] = "chuhe"
    figure, axes = pyplot.subplots(1, len(OPPONENTS), figsize=(12, 3.6), sharex=True,
                                   sharey=True)
    for axis, opponent in zip(axes, OPPONENTS):
        for number, run in enumerate(options.runs):
            points = [point for point in read_points(run) if opponent in point["scores"]]
            if not points:
                continue
            scores = [point["scores"][opponent] for point in points]
            axis.errorbar([point["evaluations"] / 1e6 for point in points],
                          [100 * score["score"] for score in scores],
                          [[100 * max(0, score["score"] - score["lower"]) for score in scores],
                           [100 * max(0, score["upper"] - score["score"]) for score in scores]],
                          capsize=2, linewidth=1, marker=".", color=f"C{number}",
                          label=label(run))
        axis.set_title(f"against {opponent}", fontsize=10)
        axis.set_xlabel("network evaluations of self-play, millions")
        axis.set_ylim(0, 102)
        axis.axhline(GOALS[OPPONENTS.index(opponent)][3] * 100, color="gray", linewidth=0.7,
                     linestyle="--")
        axis.grid(alpha=0.3)
    axes[0].set_xlim(left=0)
    axes[0].set_ylabel("score, %")
    handles = {}
    for axis in axes:
        found, labels = axis.get_legend_handles_labels()
        handles.update(zip(labels, found))
    figure.legend(handles.values(), handles.keys(), fontsize=8, loc="lower center",
                  ncols=len(handles))
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    figure.savefig(options.out, metadata={"Date": None})


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    commands = parser.add_subparsers(dest="command", required=True)
    measuring = commands.add_parser("measure", help="play the matches")
    measuring.add_argument("--every", type=int, default=4, help="generations from one to the next")
    measuring.add_argument("--games", type=int, default=400)
    measuring.add_argument("--visits", type=int, default=64)
    measuring.add_argument("--concurrency", type=int, default=2)
    measuring.add_argument("--chuhe", default=str(root / "build/release/chuhe"))
    measuring.set_defaults(run=measure)
    showing = commands.add_parser("show", help="print when the goals were met")
    showing.set_defaults(run=show)
    plotting = commands.add_parser("plot", help="draw the curves")
    plotting.add_argument("--out", required=True, help="SVG file")
    plotting.set_defaults(run=plot)
    for command in [measuring, showing, plotting]:
        command.add_argument("runs", nargs="+", type=pathlib.Path,
                             help="folders of runs; of show and plot, also files of curves")
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
