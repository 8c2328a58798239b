"""An engine that shuffles a rook and, at chosen moves, misbehaves.

    fake_engine.py ucci|uci|cecp [ACTION@N ...] [nostart] [noquit] [noping]

At its N-th move of a game it does ACTION instead of, or beside, moving:
  die, hang, slow:MS, flood (output without end), rubbish (binary and half lines, then the move),
  illegal, unreadable, nomove, resign, offer (a draw, with the move), claim (a drawn game),
  refuse (calls the last move illegal), leave (moves and ends),
  after:WORD (CECP, says more behind its move: that the game is `drawn` or that it is `lost`;
  `offer`: of a draw)
`noping` knows no `ping` (CECP), and says at once what it says after a move, else a while later;
`nostart` never answers the handshake; `noquit` ignores `quit` and the end of input.
"""

import os
import signal
import sys
import time

PROTOCOL = sys.argv[1]
ACTIONS = dict(reversed(word.split("@")) for word in sys.argv[2:] if "@" in word)
FLAGS = [word for word in sys.argv[2:] if "@" not in word]


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def sleep_forever():
    while True:
        time.sleep(1000)


class Engine:
    def __init__(self):
        self.moves = 0
        self.is_red = True
        self.forced = False

    def own_move(self):
        rank, out = (0, 1) if self.is_red else (9, 8)
        first, second = (rank, out) if self.moves % 2 == 0 else (out, rank)
        return f"a{first}a{second}"

    def tell(self, move, remark=""):
        if PROTOCOL == "cecp":
            say(f"move {move}")
        else:
            unit = "cp " if PROTOCOL == "uci" else ""
            say(f"info depth 3 score {unit}7 nodes 42 time 1 pv {move}")
            say(f"bestmove {move}{remark}")

    def tell_and_add(self, move, word):
        line = {"drawn": "1/2-1/2 {Draw by some rule}", "offer": "offer draw",
                "lost": f"{'0-1' if self.is_red else '1-0'} {{I give up}}"}[word]
        if "noping" in FLAGS:
            self.tell(move + "\n" + line)
        else:
            self.tell(move)
            time.sleep(0.02)
            say(line)

    def go(self):
        action, _, value = ACTIONS.get(str(self.moves + 1), "").partition(":")
        move = self.own_move()
        if action == "die":
            os._exit(3)
        elif action == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif action == "hang":
            sleep_forever()
        elif action == "slow":
            time.sleep(int(value) / 1000)
        elif action == "flood":
            while True:
                sys.stdout.write("x" * 1000)
                sys.stdout.flush()
        elif action == "rubbish":
            sys.stdout.buffer.write(b"\xff\x00\xfe" * 1000 + b"\n\n  bestmov\rmove\n")
            sys.stdout.buffer.write(b"y" * (3 << 20) + b"\ninfo depth score pv\n")
            sys.stdout.flush()
        elif action == "illegal":
            ACTIONS.pop(str(self.moves + 1))
            move = "e0e5"
            self.tell(move)
            return
        elif action == "unreadable":
            move = "xyzzy"
        elif action == "nomove":
            say("bestmove (none)" if PROTOCOL == "uci" else "nobestmove")
            return
        elif action == "resign":
            say("resign" if PROTOCOL == "cecp" else f"bestmove {move} resign")
            return
        elif action == "claim":
            say("1/2-1/2 {Draw by some rule}")
            sleep_forever()
        elif action == "refuse":
            say("Illegal move: h9g7")
            sleep_forever()
        elif action == "offer" and PROTOCOL == "cecp":
            say("offer draw")
        if action == "leave":
            self.tell(move)
            os._exit(3)
        if action == "after":
            self.tell_and_add(move, value)
            self.moves += 1
            return
        self.tell(move, " draw" if action == "offer" and PROTOCOL == "ucci" else "")
        self.moves += 1

    def handle(self, line):
        words = line.split()
        if not words:
            return
        if words[0] in ("ucci", "uci", "protover"):
            if "nostart" not in FLAGS:
                say({"ucci": "option usemillisec type check\nucciok", "uci": "uciok",
                     "protover": f'feature ping={int("noping" not in FLAGS)} setboard=1\n'
                                 'feature variants="xiangqi" draw=1 done=1'}[words[0]])
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "ping" and "noping" not in FLAGS:
            say(f"pong {words[1]}")
        elif line in ("ucinewgame", "setoption newgame", "new"):
            self.moves = 0
            self.told = 0
        elif words[0] == "position":
            count = len(words) - words.index("moves") - 1 if "moves" in words else 0
            self.is_red = (words[3] == "w") == (count % 2 == 0)
        elif len(words[0]) == 4 and words[0][1].isdigit():
            self.told += 1
            if not self.forced:
                self.handle("go")
        elif words[0] == "force":
            self.forced = True
        elif words[0] == "undo":
            self.told -= 1
        elif words[0] == "go":
            if PROTOCOL == "cecp":
                self.forced = False
                self.is_red = self.told % 2 == 0
                self.told += 1
            self.go()
        elif words[0] == "quit" and "noquit" not in FLAGS:
            sys.exit(0)


def main():
    engine = Engine()
    for line in sys.stdin:
        engine.handle(line.rstrip("\r\n"))
    if "noquit" in FLAGS:
        sleep_forever()


main()
