#!/usr/bin/env python3
"""Checks the layers of the code: who may include whom, and who may link whom.

    scripts/check_layers.py [ROOT]

Prints one line per violation, `FILE:LINE: what is wrong`, and exits 1 if there is any. The rules are
the table below; docs/architecture.md draws them.
"""

import pathlib
import re
import sys

# Inside engine/ each layer sees itself and those before it.
ENGINE_LAYERS = [
    "engine/base", "engine/board", "engine/rules", "engine/eval", "engine/search",
    "engine/protocol",
]

# folder -> folders that it may include. The longest prefix of a file's path counts.
MAY_INCLUDE = {
    **{layer: ENGINE_LAYERS[: i + 1] for i, layer in enumerate(ENGINE_LAYERS)},
    # Only what trains, and cli/ which wires, sees LibTorch's classes of ours.
    "nets": ["engine", "nets"],
    "selfplay": ["engine", "selfplay"],
    "train": ["engine", "nets", "selfplay", "train"],
    "cli": ["engine", "nets", "selfplay", "train", "cli"],
    "tests": ["engine", "nets", "selfplay", "train", "cli", "tests"],
}

# Folders that build without torch may not include ours that needs it.
NEEDS_TORCH = ["nets/torch", "train"]
MAY_INCLUDE_NEEDS_TORCH = [*NEEDS_TORCH, "cli", "tests/nets/torch", "tests/train"]

# (what, pattern of the header, folders that may include it)
FOREIGN_HEADERS = [
    ("torch", re.compile(r"(torch|ATen|c10|caffe2)/"),
     ["nets/torch", "train", "tests/nets/torch", "tests/train"]),
    ("oneDNN", re.compile(r"(oneapi/dnnl/|dnnl)"), ["nets/onednn", "tests/nets/onednn"]),
    ("CUDA",
     re.compile(r"(cuda|cudnn|cublas|curand|cufft|cusparse|cusolver|cooperative_groups"
                r"|cub/|thrust/|nvrtc|mma\.h)"),
     ["nets/cuda", "tests/nets/cuda"]),
]

CODE_SUFFIXES = {".h", ".cc", ".cu", ".cuh"}
MAX_LINES = 600
MAX_ROOT_CMAKE_LINES = 120
TOP_FOLDERS = ["engine", "nets", "selfplay", "train", "cli", "tests"]

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
ADD_TARGET = re.compile(r"add_(?:library|executable)\(\s*([\w-]+)")
LINK = re.compile(r"target_link_libraries\(\s*([\w-]+)([^)]*)\)")


def is_under(path, folder):
    return path == folder or path.startswith(folder + "/")


def is_under_any(path, folders):
    return any(is_under(path, folder) for folder in folders)


def allowed_folders(path):
    """The folders that a file of ours at `path` may use, or None where no rule is."""
    rules = [folder for folder in MAY_INCLUDE if is_under(path, folder)]
    return MAY_INCLUDE[max(rules, key=len)] if rules else None


def may_use(user, used):
    """Whether something at path `user` may include or link something of ours at path `used`."""
    allowed = allowed_folders(user)
    if allowed is None or not is_under_any(used, allowed):
        return False
    return not is_under_any(used, NEEDS_TORCH) or is_under_any(user, MAY_INCLUDE_NEEDS_TORCH)


def check_include(root, path, header, quoted):
    """What is wrong with `path` including `header`, or None."""
    for what, pattern, folders in FOREIGN_HEADERS:
        if pattern.match(header) and not is_under_any(path, folders):
            return f"{what} header <{header}> outside {' and '.join(folders)}"
    if path.endswith((".cu", ".cuh")) and FOREIGN_HEADERS[0][1].match(header):
        return f"torch header <{header}> in a CUDA file"
    if header.split("/")[0] in TOP_FOLDERS and "/" in header:
        if not (root / header).is_file() and not (root / f"{header}.in").is_file():
            return f'"{header}" does not exist'
        if not may_use(path, header):
            return f"{path.rsplit('/', 1)[0]} may not include {header}"
    elif quoted and (root / path).parent.joinpath(header).exists():
        return f'"{header}" must be included by its path from the repository root'
    return None


def check_code(root, path):
    text = (root / path).read_text(encoding="utf-8")
    lines = text.split("\n")
    if len(lines) - 1 > MAX_LINES:
        yield MAX_LINES, f"file has {len(lines) - 1} lines, at most {MAX_LINES} are allowed"
    if path.endswith((".h", ".cuh")) and "#pragma once" not in lines:
        yield 1, "header without #pragma once"
    if path.endswith((".cu", ".cuh")) and not is_under_any(path, ["nets/cuda", "tests/nets/cuda"]):
        yield 1, "CUDA file outside nets/cuda"
    if allowed_folders(path) is None:
        yield 1, "no layer is known for this folder; add it to scripts/check_layers.py"
        return
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        problem = match and check_include(root, path, match[2], match[1] == '"')
        if problem:
            yield number, problem


def check_links(root, cmake_files):
    """Targets of ours may link only targets of the folders that they may include."""
    home = {}
    texts = {path: (root / path).read_text(encoding="utf-8") for path in cmake_files}
    for path, text in texts.items():
        for target in ADD_TARGET.findall(text):
            home[target] = path.rsplit("/", 1)[0]
    for path, text in texts.items():
        for match in LINK.finditer(text):
            target = match[1]
            number = text.count("\n", 0, match.start()) + 1
            for used in re.findall(r"chuhe_\w+", match[2]):
                if target in home and used in home and not may_use(home[target], home[used]):
                    yield path, number, f"{target} may not link {used}"


def violations(root):
    cmake_files = []
    for folder in TOP_FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.name == "CMakeLists.txt":
                cmake_files.append(path)
            elif file.suffix in CODE_SUFFIXES:
                for number, problem in check_code(root, path):
                    yield path, number, problem
    yield from check_links(root, cmake_files)
    root_cmake = root / "CMakeLists.txt"
    if root_cmake.is_file():
        count = root_cmake.read_text(encoding="utf-8").count("\n")
        if count >= MAX_ROOT_CMAKE_LINES:
            yield "CMakeLists.txt", count, f"must stay below {MAX_ROOT_CMAKE_LINES} lines"


def main():
    default = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else default
    if not root.is_dir():
        sys.exit(f"check_layers.py: no folder {root}")
    count = 0
    for path, line, problem in violations(root):
        print(f"{path}:{line}: {problem}")
        count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
