"""Which libraries `chuhe` asks for: CUDA's never, LibTorch only in builds with torch.

    linked_libraries_test.py CHUHE torch|torch-free
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CHUHE = pathlib.Path(sys.argv[1])
HAS_TORCH = {"torch": True, "torch-free": False}[sys.argv[2]]

TORCH = re.compile(r"torch|\bc10|libc10")
CUDA = re.compile(r"cuda|cudnn|cublas|cufft|cupti|nvrtc|nccl")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def names(text, pattern):
    return [line.strip() for line in text.splitlines() if pattern.search(line)]


class LinkedLibrariesTest(unittest.TestCase):
    def test_asks_for_no_cuda_library_itself(self):
        needed = "\n".join(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", CHUHE)))
        self.assertIn("libc.so", needed)
        self.assertEqual(names(needed, CUDA), [])
        self.assertEqual(bool(names(needed, TORCH)), HAS_TORCH, needed)

    @unittest.skipIf(HAS_TORCH, "LibTorch's own CPU library asks for CUDA's runtime")
    def test_torch_free_build_loads_neither_torch_nor_cuda(self):
        # Names only: the folders that hold them may be called anything.
        loaded = "\n".join(line.split()[0] for line in run("ldd", CHUHE).splitlines())
        self.assertIn("libc.so", loaded)
        self.assertEqual(names(loaded, TORCH) + names(loaded, CUDA), [])

    def test_starts_without_its_cuda_part(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = shutil.copy(CHUHE, folder)
            info = json.loads(run(alone, "version", "--json"))
        self.assertIsNone(info["cuda_devices"])
        self.assertIn("libchuhe_cuda.so", info["cuda_devices_error"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
