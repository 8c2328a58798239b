#!/usr/bin/env python3
"""Makes a suite of tactics from real games, and shows what a network finds of it.

    scripts/tactics.py make ccpd-games.tsv.zst --out tactics.tsv [--count 330] [--depth 12]
    scripts/tactics.py score [--suite tests/data/tactics.tsv] [--net FILE] [--nodes 1,100,800]

A position is one for the suite if one move decides something and no other one does: the reference
engine (Fairy-Stockfish, two best moves) sees a forced mate with the best move and no more than 4 of
its pawns with the second best, or 2 pawns with the best and half a pawn at most with the second
best, at depths 5 and 8 and again at the full depth. The
positions are drawn from the games by a seed, at most one a game, each kind up to a third of the
suite: `mate`, then by the deciding move `check`, `capture`, `quiet`. Making goes on where it
stopped: lines are added to --out, and --out.progress says how many games have been looked at.

Scoring asks `chuhe analyze`. With 1 node the move is the policy's own.
"""

import argparse
import io
import json
import math
import pathlib
import random
import re
import subprocess
import sys

KINDS = ["mate", "check", "capture", "quiet"]
HEADER = "fen\tmove\tkind\tscore\tsecond\tgame\tply"
QUICK_DEPTHS = [5, 8]
PLIES_A_GAME = 4  # and as many of the end, where the mates are
END_PLIES = 16
WINNING = 200  # centipawns of the reference engine
LEVEL = 50
NOT_YET_WON = 400
FIRST_PLY = 16  # openings are no tactics


def say(text):
    print(text, file=sys.stderr, flush=True)


def to_ours(move):
    """`a1b10` of the engine, whose ranks begin with 1, as `a0b9`."""
    files_ranks = re.fullmatch(r"([a-i])(\d+)([a-i])(\d+)", move)
    if files_ranks is None:
        sys.exit(f"tactics.py: the reference answers '{move}', expected a move")
    return (f"{files_ranks[1]}{int(files_ranks[2]) - 1}{files_ranks[3]}{int(files_ranks[4]) - 1}")


def to_theirs(move):
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


class Reference:
    """Fairy-Stockfish with one thread."""

    def __init__(self, path):
        try:
            self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            text=True, bufsize=1)
        except OSError as error:
            sys.exit(f"tactics.py: cannot start the reference: {error}")
        self.send("uci")
        self.lines_to(r"uciok")
        for option in ["UCI_Variant value xiangqi", "MultiPV value 2", "Hash value 64"]:
            self.send(f"setoption name {option}")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def lines_to(self, pattern):
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if re.match(pattern, line):
                return lines
        sys.exit("tactics.py: the reference ended early")

    def set_position(self, start, moves):
        place = "startpos" if start == "startpos" else f"fen {start}"
        tail = " moves " + " ".join(map(to_theirs, moves)) if moves else ""
        self.send(f"position {place}{tail}")

    def show(self):
        """FEN, and whether the side to move is in check."""
        self.send("d")
        lines = self.lines_to(r"Checkers:")
        fen = next(line for line in lines if line.startswith("Fen: "))[5:]
        return fen, lines[-1].split(":")[1].strip() != ""

    def two_best(self, depth):
        """[(move, centipawns or None, mate or None)], the best first; the second may be missing."""
        self.send(f"go depth {depth}")
        best = {}
        for line in self.lines_to(r"bestmove"):
            found = re.search(r" multipv (\d) score (cp|mate) (-?\d+) .* pv (\S+)", line)
            if found and "bound" not in line:
                value = int(found[3])
                best[int(found[1])] = (to_ours(found[4]), value if found[2] == "cp" else None,
                                       value if found[2] == "mate" else None)
        return [best[i] for i in sorted(best)]


def is_decisive(lines):
    if len(lines) < 2:
        return False
    (_, score, mate), (_, second, second_mate) = lines
    if second_mate is not None:
        # Being mated after every other move is the strongest reason for the one.
        return second_mate < 0 and (score is not None and score > -LEVEL or
                                    mate is not None and mate > 0)
    if mate is not None:
        return mate > 0 and second < NOT_YET_WON
    return score >= WINNING and second <= LEVEL


def kind_of(reference, fen, move, mate):
    if mate is not None:
        return "mate"
    reference.set_position(fen, [move])
    if reference.show()[1]:
        return "check"
    ranks = [re.sub(r"\d", lambda digit: "." * int(digit[0]), rank)
             for rank in fen.split()[0].split("/")]
    return "quiet" if ranks[9 - int(move[3])]["abcdefghi".index(move[2])] == "." else "capture"


def read_games(path):
    """(id, start, moves) of a file as docs/formats.md describes it."""
    if path.suffix == ".zst":
        text = subprocess.run(["zstd", "-dc", str(path)], capture_output=True, check=True).stdout
    else:
        text = path.read_bytes()
    rows = io.StringIO(text.decode())
    columns = rows.readline().rstrip("\n").split("\t")
    places = [columns.index(name) for name in ["id", "start", "moves"]]
    for row in rows:
        fields = row.rstrip("\n").split("\t")
        game, start, moves = (fields[place] for place in places)
        yield game, start, moves.split()


def verify(reference, depth, fen):
    """FEN, best move, kind and both scores, or nothing."""
    reference.send("ucinewgame")
    reference.set_position(fen, [])
    lines = reference.two_best(depth)
    if not is_decisive(lines):
        return None
    (move, score, mate), (_, second, second_mate) = lines
    kind = kind_of(reference, fen, move, mate)
    text = [f"mate {value}" if value is not None else str(other)
            for value, other in [(mate, score), (second_mate, second)]]
    return fen, move, kind, text[0], text[1]


def examine(reference, depth, start, moves, draw):
    """A line of the suite without its game, or nothing."""
    plies = range(FIRST_PLY, len(moves))
    chosen = {ply for part in [plies, plies[-END_PLIES:]]
              for ply in draw.sample(part, min(PLIES_A_GAME, len(part)))}
    for ply in sorted(chosen, key=lambda ply: draw.random()):
        reference.set_position(start, moves[:ply])
        if all(is_decisive(reference.two_best(quick)) for quick in QUICK_DEPTHS):
            row = verify(reference, depth, reference.show()[0])
            if row is not None:
                return *row, ply
    return None


def make(options):
    out = pathlib.Path(options.out)
    progress = pathlib.Path(options.out + ".progress")
    counts = dict.fromkeys(KINDS, 0)
    if out.exists():
        for row in out.read_text().splitlines()[1:]:
            counts[row.split("\t")[2]] += 1
    else:
        out.write_text(HEADER + "\n")
    done = int(progress.read_text()) if progress.exists() else 0
    games = list(read_games(pathlib.Path(options.games)))
    random.Random(options.seed).shuffle(games)
    reference = Reference(options.reference)
    most = math.ceil(options.count / 3)
    for number, (game, start, moves) in enumerate(games[done:], done):
        if sum(counts.values()) >= options.count:
            break
        row = examine(reference, options.depth, start, moves,
                      random.Random(f"{options.seed} {number}"))
        if row is not None and counts[row[2]] < most:
            counts[row[2]] += 1
            with out.open("a") as file:
                file.write("\t".join([*row[:5], game, str(row[5])]) + "\n")
            say(f"{number + 1} games: " + ", ".join(f"{counts[kind]} {kind}" for kind in KINDS))
        progress.write_text(str(number + 1))
    reference.send("quit")
    print(f"{sum(counts.values())} positions")


def read_suite(path):
    rows = pathlib.Path(path).read_text().splitlines()
    if not rows or rows[0] != HEADER:
        sys.exit(f"tactics.py: {path}: expected the line '{HEADER}' at its head")
    return [dict(zip(HEADER.split("\t"), row.split("\t"))) for row in rows[1:]]


def solved(options, suite, nodes):
    """For each position whether the move was found."""
    command = [options.chuhe, "analyze"]
    if options.net:
        command += ["--net", options.net]
    orders = "".join(json.dumps({"id": i, "fen": row["fen"], "nodes": nodes}) + "\n"
                     for i, row in enumerate(suite))
    answered = subprocess.run(command, input=orders, capture_output=True, text=True, check=False)
    if answered.returncode != 0:
        sys.exit(f"tactics.py: {' '.join(command)}: {answered.stderr.strip()}")
    moves = {}
    for line in answered.stdout.splitlines():
        answer = json.loads(line)
        if "error" in answer:
            sys.exit(f"tactics.py: {suite[answer['id']]['fen']}: {answer['error']}")
        moves[answer["id"]] = answer["moves"][0]["move"]
    return [moves[i] == row["move"] for i, row in enumerate(suite)]


def score(options):
    suite = read_suite(options.suite)
    if options.count:
        suite = suite[:options.count]
    kinds = [kind for kind in KINDS if any(row["kind"] == kind for row in suite)]
    print("| nodes | " + " | ".join(kinds) + " | all |")
    print("|---" * (len(kinds) + 2) + "|")
    for nodes in map(int, options.nodes.split(",")):
        found = solved(options, suite, nodes)
        cells = []
        for kind in [*kinds, None]:
            of_kind = [hit for hit, row in zip(found, suite) if kind in (None, row["kind"])]
            cells.append(f"{sum(of_kind)} of {len(of_kind)} "
                         f"({100 * sum(of_kind) / len(of_kind):.1f} %)")
        print(f"| {nodes} | " + " | ".join(cells) + " |", flush=True)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="make a suite from games")
    making.add_argument("games", help="games as TSV, also with .zst")
    making.add_argument("--out", required=True)
    making.add_argument("--count", type=int, default=330)
    making.add_argument("--depth", type=int, default=12)
    making.add_argument("--seed", type=int, default=1)
    making.add_argument("--reference", default="/usr/games/fairy-stockfish")
    making.set_defaults(run=make)
    scoring = commands.add_parser("score", help="show what a network finds")
    scoring.add_argument("--suite", default=str(root / "tests/data/tactics.tsv"))
    scoring.add_argument("--chuhe", default=str(root / "build/release/chuhe"))
    scoring.add_argument("--net", help="network file; else the one that comes with the program")
    scoring.add_argument("--nodes", default="1,100,800", help="visits, one row of the table each")
    scoring.add_argument("--count", type=int, help="the first so many positions alone")
    scoring.set_defaults(run=score)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
