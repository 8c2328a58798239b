#!/usr/bin/env python3
"""Plays a network against an engine at a ladder of fixed node counts, and finds the even match.

    scripts/node_ladder.py [--net default] [--visits 400] [--engine fairy-stockfish]
                           [--nodes 500,2000,8000,32000] [--games 200] [--folder runs/ladder]

Every rung is a match of pairs from the built-in openings, with a journal in the folder, so that the
ladder goes on where it was stopped. Through the scores goes a line in Elo over the logarithm of the
nodes, by maximum likelihood; printed are the rungs, the Elo that a doubling of the nodes is worth,
and the node count that would score one half, both with their 95 % intervals.
"""

import argparse
import math
import pathlib

from match_result import play

ELO_UNIT = math.log(10) / 400
QUANTILE = 1.959964  # of the normal distribution: 95 %, both sides


def pair_variance(meeting):
    """Variance of the score of a pair, from 0 to 1. A pair that nobody has played counts for each
    of its outcomes a little, so that it is not 0 where all pairs ended alike."""
    counts = [count + 0.1 for count in meeting["pairs"]]
    total = sum(counts)
    mean = sum(i / 4 * count for i, count in enumerate(counts)) / total
    return sum((i / 4 - mean) ** 2 * count for i, count in enumerate(counts)) / total


def finite_score(meeting):
    """The score, short of 0 and 1, whose Elo is not finite, by half a game of one more."""
    least = 0.5 / (meeting["games"] + 1)
    return min(max(meeting["score"], least), 1 - least)


def fit(rungs):
    """[(nodes, meeting)] to (a, b, covariance of the two): the network is a + b · log2(nodes / first)
    Elo stronger, by the score that is most likely for it (logistic regression of scores); the
    covariance is the robust one (sandwich; White 1982, "Maximum likelihood estimation of
    misspecified models"), since games of a pair depend on each other and draws are no coin."""
    points = [(math.log2(nodes / rungs[0][0]), meeting) for nodes, meeting in rungs]
    a = b = 0.0
    for _ in range(100):
        gradient = [0.0, 0.0]
        bread = [[0.0, 0.0], [0.0, 0.0]]
        meat = [[0.0, 0.0], [0.0, 0.0]]
        for x, meeting in points:
            expected = 1 / (1 + math.exp(-ELO_UNIT * (a + b * x)))
            for i, left in enumerate((1, x)):
                gradient[i] += meeting["games"] * (finite_score(meeting) - expected) * left
                for j, right in enumerate((1, x)):
                    bread[i][j] += (meeting["games"] * ELO_UNIT * expected * (1 - expected)
                                    * left * right)
                    # games² · variance of the mean of games / 2 pairs
                    meat[i][j] += 2 * meeting["games"] * pair_variance(meeting) * left * right
        inverse = invert(bread)
        step = [sum(inverse[i][j] * gradient[j] for j in range(2)) for i in range(2)]
        # A bound, lest a first step from far off goes where the curve is flat.
        a += max(-400.0, min(400.0, step[0]))
        b += max(-400.0, min(400.0, step[1]))
        if max(abs(change) for change in step) < 1e-9:
            break
    return a, b, product(product(inverse, meat), inverse)


def invert(matrix):
    (p, q), (r, s) = matrix
    determinant = p * s - q * r
    return [[s / determinant, -q / determinant], [-r / determinant, p / determinant]]


def product(left, right):
    return [[sum(left[i][k] * right[k][j] for k in range(2)) for j in range(2)] for i in range(2)]


def even_nodes(first, a, b, covariance):
    """The node count that scores one half, with its 95 % interval by the delta method, in the
    logarithm."""
    where = -a / b
    slope = [-1 / b, a / b ** 2]
    variance = sum(slope[i] * covariance[i][j] * slope[j] for i in range(2) for j in range(2))
    width = QUANTILE * math.sqrt(variance)
    return [first * 2 ** min(exponent, 500) for exponent in (where, where - width, where + width)]


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--net", default="default", help="a network file, or default")
    parser.add_argument("--visits", type=int, default=400, help="of the network, a move")
    parser.add_argument("--engine", default="fairy-stockfish", help="command of a UCI engine")
    parser.add_argument("--nodes", default="500,2000,8000,32000", help="rungs, at least two")
    parser.add_argument("--games", type=int, default=200, help="a rung")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("runs/ladder"))
    parser.add_argument("--chuhe", default=str(root / "build/release/chuhe"))
    options = parser.parse_args()
    counts = sorted({int(word) for word in options.nodes.split(",")})
    if len(counts) < 2 or counts[0] < 1:
        parser.error("--nodes: expected at least two different counts above 0, such as 500,2000")
    options.folder.mkdir(parents=True, exist_ok=True)

    rungs = []
    print("| nodes | won | drawn | lost | score | Elo of the network |\n|---|---|---|---|---|---|")
    for nodes in counts:
        meeting = play(options.chuhe,
                       [f"name=net,cmd=net:{options.net}:{options.visits},proto=builtin",
                        f"name=engine,cmd={options.engine},proto=uci,nodes={nodes}"],
                       options.games, options.folder / f"{nodes}.journal",
                       ["--concurrency", str(options.concurrency), "--max-plies", "300"])
        rungs.append((nodes, meeting))
        bounds = ["∞" if meeting[key] is None else f"{meeting[key]:.0f}"
                  for key in ("elo", "elo_lower", "elo_upper")]
        print(f"| {nodes} | {meeting['wins']} | {meeting['draws']} | {meeting['losses']} | "
              f"{100 * meeting['score']:.1f} % | {bounds[0]} ({bounds[1]} to {bounds[2]}) |",
              flush=True)
    a, b, covariance = fit(rungs)
    print(f"A doubling of the nodes: {b:.0f} Elo (± {QUANTILE * math.sqrt(covariance[1][1]):.0f})")
    if b < 0:
        even = even_nodes(counts[0], a, b, covariance)
        print(f"Even match at {even[0]:.0f} nodes ({even[1]:.0f} to {even[2]:.0f})")
    else:
        print("No even match: more nodes were not stronger")


if __name__ == "__main__":
    main()
