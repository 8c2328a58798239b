#!/usr/bin/env bash
# Sets up, builds and tests everything; ends with status 0 only when all of it passes.
#   scripts/test.sh              default and slow tests, format and layers, with and without torch
#   scripts/test.sh --quick      the default tests alone
#   scripts/test.sh --sanitize   the torch-free default tests under ASan + UBSan, then under TSan
#   --no-torch                   besides the first two: leave out what needs LibTorch
# Tests that need the shared case files find them through the environment variable CHUHE_SHARED, and
# are skipped without it.
set -euo pipefail
cd "$(dirname "$0")/.."

what=all
torch=ON
for argument in "$@"; do
  case "$argument" in
    --quick) what=quick ;;
    --sanitize) what=sanitize ;;
    --no-torch) torch=OFF ;;
    *) echo "usage: scripts/test.sh [--quick | --sanitize] [--no-torch]" >&2; exit 2 ;;
  esac
done

# Objects are shared between the configurations, and between clones, whatever folder they are in.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
export CTEST_OUTPUT_ON_FAILURE=1
jobs=$(nproc)

times=""
# step NAME COMMAND...: runs a command that says what it does and how long that took.
step() {
  local name=$1 start=$SECONDS
  shift
  printf '\n=== %s\n' "$name"
  if ! "$@"; then
    printf '\nFAILED: %s\n' "$name" >&2
    exit 1
  fi
  times+=$(printf '%6d s  %s' $((SECONDS - start)) "$name")$'\n'
}

# build FOLDER CMAKE-ARGUMENT...: the tree is configured quietly unless that fails.
build() {
  local folder=$1 log
  shift
  if ! log=$(cmake -B "$folder" "$@" 2>&1); then
    echo "$log" >&2
    return 1
  fi
  cmake --build "$folder"
}

# run_tests FOLDER CTEST-ARGUMENT...: one line a failure and a summary.
run_tests() {
  ctest --test-dir "$1" --parallel "$jobs" --no-tests=error --progress "${@:2}"
}

if [ "$what" = sanitize ]; then
  step "set-up" scripts/setup.sh --tests --no-torch
  for sanitizer in asan tsan; do
    step "build ($sanitizer)" build "build/$sanitizer" --preset "$sanitizer"
    step "default tests ($sanitizer)" run_tests "build/$sanitizer" -LE 'slow|gpu'
  done
else
  cuda=OFF
  if command -v nvcc > /dev/null; then cuda=ON; fi
  setup=(scripts/setup.sh --tests)
  if [ "$torch" = OFF ]; then setup+=(--no-torch); fi
  step "set-up" "${setup[@]}"
  step "build (dev, torch $torch, CUDA $cuda)" \
    build build/dev --preset dev -DCHUHE_TORCH=$torch -DCHUHE_CUDA=$cuda
  step "default tests" run_tests build/dev -LE 'slow|gpu'
  if [ "$what" = all ]; then
    if [ "$torch" = ON ]; then
      step "build (dev, without torch)" \
        build build/no-torch --preset dev -DCHUHE_TORCH=OFF -DCHUHE_CUDA=$cuda
      step "default tests (without torch)" run_tests build/no-torch -LE 'slow|gpu'
    fi
    if [ -e /dev/nvidia0 ]; then
      step "GPU tests" run_tests build/dev -L gpu
    fi
    step "slow tests" run_tests build/dev -L slow
  fi
fi

printf '\nAll passed.\n%s' "$times"
