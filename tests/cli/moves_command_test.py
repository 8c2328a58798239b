"""`chuhe moves`: text from arguments and standard input, line mode, errors and exit status.

    moves_command_test.py CHUHE
"""

import subprocess
import sys
import unittest

CHUHE = sys.argv[1]
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
ROOKS = "4k3r/9/9/9/9/7R1/9/9/9/3K5"
OPENING = "炮二平五马8进72.马二进三"


def run(*arguments, text=""):
    """Exit status, standard output and error output, as text."""
    data = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run([CHUHE, "moves", *arguments], input=data, capture_output=True,
                          check=False, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class MovesTest(unittest.TestCase):
    def test_writes_uci_squares_if_not_told(self):
        self.assertEqual(run(OPENING), (0, "h2e2 h9g7 h0g2\n", ""))

    def test_writes_every_notation(self):
        for notation, line in [
                ("iccs", "H2-E2 H9-G7 H0-G2"), ("uci", "h2e2 h9g7 h0g2"),
                ("fairy", "h3e3 h10g8 h1g3"), ("wxf", "C2.5 H8+7 H2+3"),
                ("chinese", "炮二平五 马８进７ 马二进三"),
                ("traditional", "炮二平五 馬８進７ 馬二進三")]:
            self.assertEqual(run("--to", notation, OPENING), (0, line + "\n", ""))
            self.assertEqual(run(line), (0, "h2e2 h9g7 h0g2\n", ""))

    def test_unknown_notation_is_an_error_that_lists_them(self):
        status, out, err = run("--to", "san", OPENING)
        self.assertEqual((status, out), (1, ""))
        self.assertIn("traditional", err)

    def test_arguments_are_one_text(self):
        self.assertEqual(run("1.", "炮二平五", "马8进7 2.马二进三", "1-0")[1], "h2e2 h9g7 h0g2\n")
        self.assertEqual(run("")[:2], (0, "\n"))

    def test_reads_standard_input_when_there_is_no_text(self):
        text = "\ufeff1. 炮二平五　马８进７\r\n{注}\r\n2. 马二进三\r\n  *\r\n"
        self.assertEqual(run(text=text), (0, "h2e2 h9g7 h0g2\n", ""))
        self.assertEqual(run(text=""), (0, "\n", ""))

    def test_starts_from_a_fen(self):
        self.assertEqual(run("--fen", ROOKS + " b", "车9平8 车二平七")[1], "i9h9 h4c4\n")
        self.assertEqual(run("--fen", "startpos", "炮二平五")[1], "h2e2\n")
        # Dots make Black the first mover, whatever the FEN says.
        for side in [" w - - 0 1", " r", "", " b"]:
            self.assertEqual(
                run("--fen", ROOKS + side, "8.…………车9平8 9.车二平七车8进3"),
                (0, "i9h9 h4c4 h9h6\n", ""))

    def test_refuses_a_bad_fen(self):
        for fen in ["", "nonsense", START.replace("k", "1")]:
            status, out, err = run("--fen", fen, "h2e2")
            self.assertEqual((status, out), (1, ""))
            self.assertIn("--fen", err)

    def test_names_the_first_bad_move_and_its_place(self):
        for text, words in [
                ("炮二平五 马8进7 马二进四", ["move 3", "马二进四", "line 1, column 11", "illegal"]),
                ("炮二平五\n马8进7\n马二xx", ["move 3", "马二xx", "line 3, column 1", "unreadable"]),
                ("h2e2 h9g7 h0g3", ["move 3", "h0g3", "column 11", "illegal"])]:
            for status, out, err in [run(text), run(text=text)]:
                self.assertEqual((status, out), (1, ""))
                for word in words:
                    self.assertIn(word, err)

    def test_refuses_text_that_is_not_utf8(self):
        status, out, err = run(text="炮二平五".encode("gbk"))
        self.assertEqual((status, out), (1, ""))
        self.assertIn("UTF-8", err)


class LinesTest(unittest.TestCase):
    def test_answers_each_line_in_order(self):
        text = ("炮二平五马8进7\n"
                f"{ROOKS} b\t车9平8\r\n"
                "\n"
                f"startpos\tC2.5\n"
                f"{ROOKS}\t8.…………车9平8\n"
                "h3e3 h10g8")
        self.assertEqual(run("--lines", text=text),
                         (0, "h2e2 h9g7\ni9h9\n\nh2e2\ni9h9\nh2e2 h9g7\n", ""))

    def test_tabs_in_a_text_are_blanks(self):
        text = "1.\t炮二平五\t马8进7\t1/2-1/2\t\n"
        self.assertEqual(run("--lines", text=text), (0, "h2e2 h9g7\n", ""))

    def test_fen_option_is_for_lines_without_their_own(self):
        text = f"车9平8\n{START}\t炮二平五\n"
        self.assertEqual(run("--lines", "--fen", ROOKS + " b", text=text)[1], "i9h9\nh2e2\n")

    def test_bad_lines_are_errors_in_their_place(self):
        text = b"h2e2\nh2e3\n\xff\n9/9 w\th2e2\nC2.5\n"
        status, out, err = run("--lines", "--to", "wxf", text=text)
        lines = out.splitlines()
        self.assertEqual((status, err, len(lines)), (1, "", 5))
        self.assertEqual((lines[0], lines[4]), ("C2.5", "C2.5"))
        for line, word in [(lines[1], "h2e3"), (lines[2], "UTF-8"), (lines[3], "FEN")]:
            self.assertTrue(line.startswith("error: "), line)
            self.assertIn(word, line)

    def test_answers_before_the_next_line_comes(self):
        with subprocess.Popen([CHUHE, "moves", "--lines"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            for text, answer in [("炮二平五", b"h2e2\n"), ("C2.4", b"h2f2\n")]:
                process.stdin.write(text.encode() + b"\n")
                process.stdin.flush()
                self.assertEqual(process.stdout.readline(), answer)
            process.stdin.close()
            self.assertEqual(process.wait(timeout=60), 0)

    def test_no_lines_give_no_lines(self):
        self.assertEqual(run("--lines", text=""), (0, "", ""))

    def test_text_beside_lines_is_an_error(self):
        status, out, err = run("--lines", "h2e2")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("--lines", err)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
