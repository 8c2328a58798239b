"""Players of a game: engines of three protocols behind one interface.

Moves are text in the squares a0–i9. A player is told the game so far and asked for the next move.
"""

import re
import time

from engine_process import EngineProcess

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def shifted(move, by):
    """The same move with ranks counted from somewhere else."""
    return re.sub(r"\d+", lambda rank: str(int(rank[0]) + by), move)


class UcciPlayer:
    """Told the time as a match runner does, or given a fixed `go`."""

    def __init__(self, *command, go=None, clock_ms=None, increment_ms=0, options=()):
        self.engine = EngineProcess(*command)
        self.go = go
        self.clock_ms = clock_ms
        self.increment_ms = increment_ms
        self.handshake(options)

    def handshake(self, options):
        self.engine.send("ucci")
        self.engine.expect("ucciok")
        self.engine.send("setoption usemillisec true")
        for option in options:
            self.engine.send(f"setoption {option}")

    def limits(self, red_moves):
        clock = f"time {max(0, round(self.clock_ms))} increment {self.increment_ms}"
        return f"{clock} opp{clock.replace('increment', 'oppincrement')}"

    def position(self, moves):
        return f"position fen {START} moves {' '.join(moves)}"

    def answer(self, moves):
        """The words of the `bestmove` line, and the time it took on the clock."""
        self.engine.send(self.position(moves))
        self.engine.send(self.go or f"go {self.limits(len(moves) % 2 == 0)}")
        begin = time.monotonic()
        words = self.engine.expect("bestmove", "nobestmove").split()
        if self.clock_ms is not None:
            self.clock_ms += self.increment_ms - 1000 * (time.monotonic() - begin)
        return words

    def move(self, moves):
        return self.answer(moves)[1]

    def quit(self):
        """The exit status."""
        self.engine.send("quit")
        self.engine.rest()
        status = self.engine.wait()
        self.engine.__exit__()
        return status


class UciPlayer(UcciPlayer):
    """With a UCI_Variant that is set, squares are a1–i10."""

    def handshake(self, options):
        self.engine.send("uci")
        self.engine.expect("uciok")
        self.by = 0
        for option in options:
            self.engine.send(f"setoption name {option}")
            self.by = 1 if option.startswith("UCI_Variant") else self.by

    def limits(self, red_moves):
        own, other = round(self.clock_ms), round(self.clock_ms)
        inc = self.increment_ms
        return (f"wtime {own if red_moves else other} btime {other if red_moves else own} "
                f"winc {inc} binc {inc}")

    def position(self, moves):
        return " ".join(["position startpos moves", *(shifted(m, self.by) for m in moves)])

    def move(self, moves):
        return shifted(self.answer(moves)[1], -self.by)


class CecpPlayer:
    """An xboard engine; it keeps the game itself, so that it is told each move once."""

    def __init__(self, *command, setup=(), usermove=False):
        self.engine = EngineProcess(*command)
        self.prefix = "usermove " if usermove else ""
        self.told = 0
        self.engine.send("xboard\nprotover 2")
        self.engine.expect_done()
        for line in ["new", "variant xiangqi", "level 0 5 0", *setup]:
            self.engine.send(line)

    def move(self, moves):
        if not moves:
            self.engine.send("go")
        for move in moves[self.told:]:
            self.engine.send(self.prefix + move)
        # It moves by itself from now on: its own move is known to it.
        self.told = len(moves) + 1
        return self.engine.expect("move ").split()[1]

    def quit(self):
        self.engine.send("quit")
        try:
            status = self.engine.wait()
        finally:
            self.engine.__exit__()
        return status
