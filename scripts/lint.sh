#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) over our sources, or those of the given folders. Needs the dev build's
# compile commands. CUDA files are left out: clang-tidy 14 cannot read this toolkit's headers.
#   scripts/lint.sh                 everything
#   scripts/lint.sh engine/board    one folder
set -euo pipefail
cd "$(dirname "$0")/.."

if [ ! -f build/dev/compile_commands.json ]; then
  cmake --preset dev > /dev/null
fi
folders=("$@")
if [ ${#folders[@]} -eq 0 ]; then
  folders=(engine nets selfplay train cli tests)
fi
patterns=()
for folder in "${folders[@]}"; do
  patterns+=("^$PWD/${folder%/}/.*\\.cc$")
done
exec run-clang-tidy-14 -quiet -p build/dev "${patterns[@]}"
