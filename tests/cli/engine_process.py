"""An engine as a child process, driven line by line through pipes."""

import queue
import subprocess
import threading
import time


class EngineProcess:
    """Reads in a thread of its own, so that waiting for a line has a time limit."""

    def __init__(self, *command, cwd=None, env=None):
        self.started = time.monotonic()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, cwd=cwd, env=env)
        self.lines = []  # all that it said, as bytes without line ends
        self._queue = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self._queue.put(line)
        self._queue.put(None)

    def send(self, text):
        data = text if isinstance(text, bytes) else (text + "\n").encode()
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self, timeout=20):
        """The next line as text; None at the end of output."""
        line = self._queue.get(timeout=timeout)
        if line is None:
            return None
        self.lines.append(line.rstrip(b"\r\n"))
        return self.lines[-1].decode("utf-8", "replace")

    def expect(self, *starts, timeout=20):
        """The next line that begins like one of these; what is before it is passed over."""
        end = time.monotonic() + timeout
        while True:
            try:
                line = self.line(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"none of {starts} within {timeout} s; last lines: "
                                     f"{self.lines[-5:]}") from None
            if line is None:
                raise AssertionError(f"output ended before any of {starts}: {self.lines[-5:]}")
            if line.startswith(starts):
                return line

    def expect_done(self, timeout=20):
        """Passes over the features of an xboard engine, to `done=1`."""
        while "done=1" not in self.expect("feature ", timeout=timeout):
            pass

    def rest(self, timeout=20):
        """All lines up to the end of output."""
        rest = []
        while (line := self.line(timeout)) is not None:
            rest.append(line)
        return rest

    def close_input(self):
        self.process.stdin.close()

    def wait(self, timeout=20):
        """The exit status."""
        return self.process.wait(timeout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass
