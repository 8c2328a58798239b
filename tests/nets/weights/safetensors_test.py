"""Network files in both directions with Python's `safetensors`, where that is installed.

    safetensors_test.py CHUHE PYTHON

PYTHON is another interpreter that may have the package (scripts/setup.sh installs it for that one).
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHUHE, OTHER_PYTHON = sys.argv[1:3]

try:
    import numpy
    import safetensors
    import safetensors.numpy
except ImportError:
    if os.path.exists(OTHER_PYTHON) and subprocess.run(
            [OTHER_PYTHON, "-c", "import numpy, safetensors"], check=False,
            stderr=subprocess.DEVNULL).returncode == 0:
        os.execv(OTHER_PYTHON, [OTHER_PYTHON, "-B", __file__, CHUHE, ""])
    safetensors = None


def net(*arguments):
    return subprocess.run([CHUHE, "net", *map(str, arguments)], capture_output=True, text=True,
                          check=False, timeout=60)


@unittest.skipIf(safetensors is None, "Python's safetensors or numpy is not installed")
class SafetensorsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "a.safetensors"
        self.saved = pathlib.Path(folder.name) / "saved.safetensors"

    def init(self, *arguments):
        """The tensors and the metadata of a file that Chuhe made, as Python reads them."""
        done = net("init", "--size", "2x16", "--global-blocks", "1", "--seed", "5", "--note", "楚河",
                   "--out", self.file, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        with safetensors.safe_open(self.file, framework="numpy") as file:
            metadata = file.metadata()
        return safetensors.numpy.load_file(self.file), metadata

    def info(self, file):
        done = net("info", "--json", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_python_reads_what_chuhe_writes(self):
        for arguments, dtype in [([], numpy.float32), (["--fp16", "--force"], numpy.float16)]:
            tensors, metadata = self.init(*arguments)
            info = self.info(self.file)
            architecture = json.loads(metadata["architecture"])
            self.assertEqual(architecture, info["architecture"])
            self.assertEqual(metadata["note"], "楚河")
            weights = {name: tensor for name, tensor in tensors.items()
                       if not name.startswith(("calibration.", "norm."))}
            self.assertEqual(sum(tensor.size for tensor in weights.values()), info["parameters"])
            self.assertEqual({tensor.dtype for tensor in weights.values()}, {numpy.dtype(dtype)})
            for name, shape in [("stem.weight", (16, 48, 3, 3)), ("blocks.1.global.weight", (16, 16)),
                                ("policy.from.weight", (50, 16)), ("value.hidden.weight", (64, 720))]:
                self.assertEqual(weights[name].shape, shape)
                self.assertGreater(numpy.std(weights[name].astype(numpy.float32)), 0.01)
            self.assertTrue(all(numpy.isfinite(tensor).all() for tensor in tensors.values()))

    def test_sixteen_bits_are_numpys(self):
        full, _ = self.init()
        half, _ = self.init("--fp16", "--force")
        for name in ["stem.weight", "blocks.0.conv2.weight", "value.hidden.weight"]:
            numpy.testing.assert_array_equal(full[name].astype(numpy.float16), half[name])

    def test_chuhe_reads_what_python_writes(self):
        for arguments in [[], ["--fp16", "--force"]]:
            tensors, metadata = self.init(*arguments)
            safetensors.numpy.save_file(tensors, self.saved, metadata=metadata)
            done = net("verify", self.saved)
            self.assertEqual(done.returncode, 0, done.stderr)
            before, after = self.info(self.file), self.info(self.saved)
            for key in ["file", "sha256"]:
                before.pop(key)
                after.pop(key)
            self.assertEqual(before, after)

    def test_what_python_spoils_is_refused_by_name(self):
        tensors, metadata = self.init()

        def complaint(changes):
            safetensors.numpy.save_file({**tensors, **changes}, self.saved, metadata=metadata)
            done = net("verify", self.saved)
            self.assertEqual(done.returncode, 1)
            return done.stderr

        bias = tensors["stem.bias"]
        for changes, words in [
                ({"stem.bias": numpy.full_like(bias, numpy.nan)}, "'stem.bias': number 0 is nan"),
                ({"stem.bias": bias.astype(numpy.float64)}, "'stem.bias': dtype"),
                ({"stem.bias": bias.reshape(4, 4)}, "'stem.bias': shape is [4,4], expected [16]"),
                ({"more": bias}, "'more': not part of this architecture")]:
            self.assertIn(words, complaint(changes))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
