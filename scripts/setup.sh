#!/usr/bin/env bash
# Installs what building and testing need. Does nothing, and says nothing, when all is there.
#   scripts/setup.sh               Debian packages and LibTorch
#   scripts/setup.sh --no-torch    Debian packages alone, for builds with -DCHUHE_TORCH=OFF
#   scripts/setup.sh --cuda-torch  LibTorch with its CUDA libraries even where no GPU is, for images
#   --tests                        besides: the Python packages by which tests read our files as
#                                  others do, in build/test-venv
#
# LibTorch is the PyTorch wheel, in a virtual environment of our own at build/venv: the CPU set
# (1.3 GB), or the CUDA set (4 GB) where a GPU is. With CHUHE_TORCH_DIR in the environment, that
# LibTorch is used and none is installed.
set -euo pipefail
cd "$(dirname "$0")/.."

torch=auto
tests=false
for argument in "$@"; do
  case "$argument" in
    --no-torch) torch=none ;;
    --cuda-torch) torch=cuda ;;
    --tests) tests=true ;;
    *) echo "usage: scripts/setup.sh [--no-torch | --cuda-torch] [--tests]" >&2; exit 2 ;;
  esac
done

say() { echo "setup: $*" >&2; }
fail() { say "$*"; exit 1; }

# --- Debian packages ---

# Prints the packages of the list that are missing or too old.
missing_packages() {
  local name lowest state version
  while read -r name lowest _; do
    state=$(dpkg-query -W -f '${db:Status-Status} ${Version}' "$name" 2> /dev/null) || state=""
    version=${state#installed }
    if [ "$version" = "$state" ] || ! dpkg --compare-versions "${version#*:}" ge "$lowest"; then
      echo "$name"
    fi
  done < <(grep -v '^#' scripts/packages.txt)
}

install_packages() {
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null ||
      fail "packages are missing; as root, run: apt-get install $*"
    as_root=(sudo)
  fi
  say "installing Debian packages: $*"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq
             -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
  "${apt[@]}" update || say "apt-get update failed; trying with the package lists that are there"
  "${apt[@]}" install --yes --no-install-recommends "$@" > /dev/null ||
    fail "apt-get could not install: $*"
  local still
  still=$(missing_packages | xargs)
  [ -z "$still" ] || fail "this system's packages are too old or missing: $still (scripts/packages.txt)"
}

if command -v apt-get > /dev/null && command -v dpkg-query > /dev/null; then
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
else
  say "not a Debian system; what scripts/packages.txt lists must be installed by other means"
fi

# --- Python packages ---

# Prints a Python that the wheels are there for and that can make virtual environments. The system's
# comes first: others on the PATH may vanish or lack ensurepip.
find_python() {
  local python
  for python in /usr/bin/python3 python3; do
    if "$python" -c 'import ensurepip, sys, venv; sys.exit(not (3, 10) <= sys.version_info < (3, 15))' \
      2> /dev/null; then
      echo "$python"
      return
    fi
  done
  fail "no Python 3.10 to 3.14 with venv and ensurepip found, which wheels need"
}

test_wheels=(numpy==2.4.6 safetensors==0.8.0 tensorboard==2.20.0)

# The stamp is written last here too.
install_test_wheels() {
  local venv=build/test-venv stamp=build/test-venv/chuhe-tests.txt python
  [ "$(cat "$stamp" 2> /dev/null)" != "${test_wheels[*]}" ] || return 0
  python=$(find_python)
  say "installing ${test_wheels[*]} into $venv"
  rm -rf "$venv"
  "$python" -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
    "${test_wheels[@]}" || fail "pip could not install: ${test_wheels[*]}"
  echo "${test_wheels[*]}" > "$stamp"
}

if [ "$tests" = true ]; then install_test_wheels; fi

# --- LibTorch ---

torch_version=2.11.0
# What libtorch_cpu.so links, and what libtorch_cuda.so links besides: the versions that torch's own
# wheel asks for, without its Python parts (triton, sympy, …), as no Python code of torch is run.
cpu_wheels=("nvidia-cuda-runtime==13.0.*" "nvidia-cuda-cupti==13.0.*")
cuda_parts=cublas,cudart,cufft,cufile,cupti,curand,cusolver,cusparse,nvjitlink,nvrtc,nvtx
cuda_wheels=("cuda-toolkit[$cuda_parts]==13.0.2" "nvidia-cudnn-cu13==9.19.0.56"
  "nvidia-cusparselt-cu13==0.8.0" "nvidia-nccl-cu13==2.28.9" "nvidia-nvshmem-cu13==3.4.5")

has_gpu() {
  [ -e /dev/nvidia0 ] || nvidia-smi -L > /dev/null 2>&1
}

# install_torch cpu|cuda. The stamp says what was installed and is written last, so that an
# interrupted install is started anew. A machine that lost sight of its GPU keeps its larger set.
install_torch() {
  local venv=build/venv stamp=build/venv/chuhe-torch.txt python installed=""
  [ ! -f "$stamp" ] || installed=$(cat "$stamp")
  case "$installed" in "$torch_version $1" | "$torch_version cuda") return ;; esac
  python=$(find_python)
  say "installing LibTorch $torch_version ($1 set) into $venv"
  rm -rf "$venv"
  "$python" -m venv "$venv"
  local pip=("$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input)
  if [ "$1" = cuda ]; then
    "${pip[@]}" "${cuda_wheels[@]}" || fail "pip could not install LibTorch's CUDA libraries"
  fi
  "${pip[@]}" --no-deps "torch==$torch_version" "${cpu_wheels[@]}" ||
    fail "pip could not install LibTorch"
  [ -n "$(find "$venv" -name libtorch_cpu.so -print -quit)" ] ||
    fail "the wheel of torch holds no libtorch_cpu.so"
  echo "$torch_version $1" > "$stamp"
}

if [ "$torch" = none ]; then
  exit 0
elif [ -n "${CHUHE_TORCH_DIR:-}" ]; then
  [ -f "$CHUHE_TORCH_DIR/lib/libtorch_cpu.so" ] ||
    fail "CHUHE_TORCH_DIR=$CHUHE_TORCH_DIR is no LibTorch: lib/libtorch_cpu.so is missing there"
elif [ "$torch" = cuda ] || has_gpu; then
  install_torch cuda
else
  install_torch cpu
fi
