"""check_layers.py passes a lawful tree and names each kind of violation in others."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_layers.py"

LAWFUL = {
    "engine/base/random.h": "#pragma once\n",
    "engine/board/position.h": '#pragma once\n#include "engine/base/random.h"\n',
    "engine/board/CMakeLists.txt": "add_library(chuhe_board STATIC position.cc)\n",
    "engine/rules/judge.cc": '#include "engine/board/position.h"\n#include "absl/status/status.h"\n',
    "engine/rules/CMakeLists.txt": "add_library(chuhe_rules STATIC judge.cc)\n"
                                   "target_link_libraries(chuhe_rules PUBLIC chuhe_board)\n",
    "nets/torch/net.h": '#pragma once\n#include "torch/torch.h"\n',
    "nets/onednn/conv.cc": '#include "dnnl.hpp"\n',
    "nets/cuda/kernel.cu": "#include <cuda_runtime.h>\n",
    "cli/main.cc": '#include "engine/rules/judge.h"\n#include "nets/torch/net.h"\n',
    "engine/rules/judge.h": "#pragma once\n",
}


def run_on(files):
    """Exit status and output of the script over a tree of these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, "-B", SCRIPT, folder], capture_output=True,
                              text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class CheckLayersTest(unittest.TestCase):
    def test_accepts_a_lawful_tree(self):
        self.assertEqual(run_on(LAWFUL), (0, ""))

    def expect_violation(self, name, text, where, what):
        status, output = run_on({**LAWFUL, name: text})
        self.assertEqual(status, 1, output)
        self.assertIn(f"{name}:{where}: ", output)
        self.assertIn(what, output)
        self.assertEqual(output.count("\n"), 1, output)

    def test_refuses_a_lower_layer_that_includes_a_higher_one(self):
        self.expect_violation("engine/board/bad.cc", '\n#include "engine/rules/judge.h"\n', 2,
                              "engine/board may not include engine/rules/judge.h")

    def test_refuses_networks_in_the_engine_and_in_selfplay(self):
        self.expect_violation("engine/rules/bad.cc", '#include "nets/torch/net.h"\n', 1,
                              "may not include nets/torch/net.h")
        self.expect_violation("selfplay/bad.cc", '#include "nets/torch/net.h"\n', 1,
                              "may not include nets/torch/net.h")

    def test_refuses_torch_outside_its_folders(self):
        self.expect_violation("engine/rules/bad.cc", "#include <torch/torch.h>\n", 1, "torch header")
        self.expect_violation("nets/onednn/bad.cc", '#include "ATen/ATen.h"\n', 1, "torch header")
        self.expect_violation("nets/cuda/bad.cu", "#include <c10/core/Device.h>\n", 1,
                              "torch header")

    def test_refuses_torch_free_folders_that_use_ours_with_torch(self):
        self.expect_violation("nets/onednn/bad.cc", '#include "nets/torch/net.h"\n', 1,
                              "may not include nets/torch/net.h")

    def test_refuses_onednn_and_cuda_outside_their_folders(self):
        self.expect_violation("nets/bad.cc", '#include "oneapi/dnnl/dnnl.hpp"\n', 1, "oneDNN header")
        self.expect_violation("nets/torch/bad.cc", "#include <cuda_runtime.h>\n", 1, "CUDA header")
        self.expect_violation("engine/rules/bad.cu", "\n", 1, "CUDA file outside nets/cuda")

    def test_refuses_includes_that_are_not_from_the_root(self):
        self.expect_violation("engine/board/bad.cc", '#include "position.h"\n', 1,
                              "by its path from the repository root")
        self.expect_violation("engine/board/bad.cc", '#include "engine/board/nowhere.h"\n', 1,
                              "does not exist")

    def test_refuses_long_files_and_headers_without_guard(self):
        self.expect_violation("engine/board/bad.cc", "\n" * 601, 600, "601 lines")
        self.expect_violation("engine/board/bad.h", "\n", 1, "#pragma once")

    def test_refuses_links_against_the_layers(self):
        self.expect_violation(
            "engine/base/CMakeLists.txt",
            "add_library(chuhe_base STATIC)\n\ntarget_link_libraries(chuhe_base\n  chuhe_rules)\n",
            3, "chuhe_base may not link chuhe_rules")

    def test_refuses_folders_that_have_no_layer(self):
        self.expect_violation("engine/extra/bad.cc", "\n", 1, "no layer is known")


if __name__ == "__main__":
    unittest.main()
