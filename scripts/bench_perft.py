#!/usr/bin/env python3
"""Compares the speed of `chuhe perft` with Fairy-Stockfish, as a table for docs/results.md.

    scripts/bench_perft.py [--chuhe build/release/chuhe] [--reference /usr/games/fairy-stockfish]
                           [--rounds 5] [--depth 5]

Each round runs, one after the other and one thread each, the count of every position by the
reference, by `chuhe perft` and by `chuhe perft --no-bulk`, so that all three see the same state of
the machine. Times are of the count alone: chuhe prints it; of the reference it is the wall time from
the command to its line `Nodes searched`. Exits 1 if two programs count differently.
"""

import argparse
import os
import platform
import re
import statistics
import subprocess
import sys
import time

POSITIONS = [
    ("start", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"),
    ("rooks",
     "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w - - 0 1"),
    ("cannons",
     "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1"),
]


class Reference:
    """Fairy-Stockfish, kept running over all rounds so that its start is not counted."""

    def __init__(self, path):
        try:
            self.process = subprocess.Popen(
                [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        except OSError as error:
            sys.exit(f"bench_perft.py: cannot start the reference: {error}")
        self.send("uci")
        self.name = self.wait(r"id name (.+)")
        self.wait(r"(uciok)")
        self.send("setoption name UCI_Variant value xiangqi")
        self.send("isready")
        self.wait(r"(readyok)")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, pattern):
        for line in self.process.stdout:
            match = re.match(pattern, line)
            if match:
                return match[1]
        sys.exit("bench_perft.py: the reference ended early")

    def perft(self, fen, depth):
        self.send(f"position fen {fen}")
        self.send("isready")
        self.wait(r"(readyok)")
        start = time.perf_counter()
        self.send(f"go perft {depth}")
        nodes = int(self.wait(r"Nodes searched: (\d+)"))
        return nodes, time.perf_counter() - start

    def quit(self):
        self.send("quit")
        self.process.wait(timeout=10)


def chuhe_perft(path, fen, depth, *options):
    command = [path, "perft", "--depth", str(depth), "--fen", fen, *options]
    try:
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"bench_perft.py: {error}\n{getattr(error, 'stderr', '')}")
    last = output.strip().splitlines()[-1]
    match = re.fullmatch(r"nodes (\d+) seconds ([\d.]+)", last)
    if not match or float(match[2]) <= 0:
        sys.exit(f"bench_perft.py: no time to compare in the last line of {path}: {last!r}")
    return int(match[1]), float(match[2])


def spread(values, unit=""):
    return f"{statistics.median(values):.1f}{unit} ({min(values):.1f}–{max(values):.1f})"


def measure(arguments, reference):
    """times[(position, column)]: seconds of each round; nodes[position]."""
    times, nodes = {}, {}
    for turn in range(arguments.rounds):
        for name, fen in POSITIONS:
            results = {
                "reference": reference.perft(fen, arguments.depth),
                "bulk": chuhe_perft(arguments.chuhe, fen, arguments.depth),
                "no-bulk": chuhe_perft(arguments.chuhe, fen, arguments.depth, "--no-bulk"),
            }
            counts = {count for count, _ in results.values()}
            if len(counts) != 1:
                sys.exit(f"bench_perft.py: different counts of {fen}: "
                         + ", ".join(f"{who} {count}" for who, (count, _) in results.items()))
            nodes[name] = counts.pop()
            for column, (_, seconds) in results.items():
                times.setdefault((name, column), []).append(seconds)
        print(f"round {turn + 1} of {arguments.rounds} done", file=sys.stderr, flush=True)
    return times, nodes


def warn_if_busy():
    if hasattr(os, "getloadavg") and os.getloadavg()[0] > 0.5:
        print(f"bench_perft.py: the machine is busy (load {os.getloadavg()[0]:.1f}); expect a wide "
              "spread", file=sys.stderr)


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return re.search(r"model name\s*: (.+)", file.read())[1]
    except (OSError, TypeError):
        return platform.processor() or "unknown processor"


def print_table(arguments, reference, times, nodes):
    print(f"perft {arguments.depth}, one thread, {processor()}; against {reference.name}; "
          f"{arguments.rounds} alternating rounds, median (lowest–highest)\n")
    print("| position | nodes | reference, s | bulk: times faster | million nodes/s "
          "| `--no-bulk`: times faster | million nodes/s |")
    print("|---|---|---|---|---|---|---|")
    for name, _ in POSITIONS:
        base = times[name, "reference"]
        cells = [name, f"{nodes[name]:,}", f"{statistics.median(base):.2f}"]
        for column in ("bulk", "no-bulk"):
            own = times[name, column]
            cells.append(spread([a / b for a, b in zip(base, own)], "×"))
            cells.append(f"{nodes[name] / statistics.median(own) / 1e6:.0f}")
        print("| " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chuhe", default="build/release/chuhe", metavar="PATH")
    parser.add_argument("--reference", default="/usr/games/fairy-stockfish", metavar="PATH")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--depth", type=int, default=5)
    arguments = parser.parse_args()
    if arguments.rounds < 1 or arguments.depth < 1:
        parser.error("--rounds and --depth must be at least 1")
    warn_if_busy()
    reference = Reference(arguments.reference)
    times, nodes = measure(arguments, reference)
    reference.quit()
    print_table(arguments, reference, times, nodes)


if __name__ == "__main__":
    main()
