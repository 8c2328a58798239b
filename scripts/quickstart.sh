#!/usr/bin/env bash
# From a fresh clone to a network that learnt by itself: sets up, builds the release, plays and
# learns for some minutes, and measures what came of it. Run again, it goes on where it stopped.
#   scripts/quickstart.sh             the main job
#   scripts/quickstart.sh --no-torch  builds without LibTorch, which cannot train, and plays a match
set -euo pipefail
cd "$(dirname "$0")/.."

torch=ON
setup=(scripts/setup.sh)
case "${1:-}" in
  "") ;;
  --no-torch) torch=OFF; setup+=(--no-torch) ;;
  *) echo "usage: scripts/quickstart.sh [--no-torch]" >&2; exit 2 ;;
esac
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
chuhe=build/release/chuhe
run=runs/quickstart

# match NAME NETWORK OPPONENT GAMES: a paired match of a network at 64 visits a move.
match() {
  "$chuhe" match --engine "name=$1,cmd=net:$2:64,proto=builtin" \
    --engine "name=$3,cmd=$3,proto=builtin" --games "$4" --max-plies 300 \
    --concurrency "$(nproc)" --quiet
}

echo "1. Setting up (packages, LibTorch)…"
"${setup[@]}"
echo "2. Building $chuhe…"
cmake --preset release -DCHUHE_TORCH=$torch > /dev/null
cmake --build --preset release --target chuhe

if [ "$torch" = OFF ]; then
  echo "3. The network that comes with the program against random moves:"
  match default default random 20
  exit
fi

echo "3. Playing and learning in $run (configs/quickstart.yaml); Ctrl-C ends it, and running this"
echo "   script again goes on…"
"$chuhe" loop --run "$run" --config configs/quickstart.yaml
echo "4. The result against random moves, 200 games in pairs of swapped colours:"
network=$run/$(sed -n 's/.*"file": "\(.*\)".*/\1/p' "$run/network.json")
match quickstart "$network" random 200
echo "5. To play against it: give your GUI the engine $chuhe, with the option EvalFile or the"
echo "   environment variable CHUHE_NET set to"
echo "   $network"
