#!/usr/bin/env bash
# From a fresh clone to a result: sets up, builds the release and runs the main job.
#   scripts/quickstart.sh             with LibTorch
#   scripts/quickstart.sh --no-torch  without it: smaller and quicker, cannot train
set -euo pipefail
cd "$(dirname "$0")/.."

torch=ON
setup=(scripts/setup.sh)
case "${1:-}" in
  "") ;;
  --no-torch) torch=OFF; setup+=(--no-torch) ;;
  *) echo "usage: scripts/quickstart.sh [--no-torch]" >&2; exit 2 ;;
esac

echo "1. Setting up (packages, LibTorch)…"
"${setup[@]}"
echo "2. Building build/release/chuhe…"
cmake --preset release -DCHUHE_TORCH=$torch > /dev/null
cmake --build --preset release
echo "3. What was built:"
build/release/chuhe version
cat << 'END'
4. Self-play and training, the main job, do not exist yet. What does is an engine for GUIs, which is
   build/release/chuhe itself, and the move generator; here it counts all games of five plies from
   the start position (133,312,995):
END
build/release/chuhe perft --depth 5
