#!/usr/bin/env bash
# Formats all C++ and CUDA sources in place; with --check only tells what is not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  "") mode=(-i) ;;
  --check) mode=(--dry-run --Werror) ;;
  *) echo "usage: scripts/format.sh [--check]" >&2; exit 2 ;;
esac

# Other versions of clang-format lay out some lines differently, so the version is pinned.
tool="${CLANG_FORMAT:-clang-format-14}"
if ! command -v "$tool" > /dev/null; then
  echo "scripts/format.sh: $tool is not installed (scripts/setup.sh installs it)" >&2
  exit 1
fi

folders=()
for folder in engine nets selfplay train cli tests; do
  [ ! -d "$folder" ] || folders+=("$folder")
done
find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cc' -o -name '*.cu' -o -name '*.cuh' \) \
  -print0 | xargs -0 --no-run-if-empty "$tool" --style=file "${mode[@]}"
