#!/usr/bin/env bash
# Installs each thing of dist/ in a root of its own, which has nothing but a minimal Debian, and
# uses it there. Needs root (chroot), Debian and its archive.
#
#     tools/dist-check.sh [WHAT ...]  sums command library r-deb octave-deb python-deb wheel sdist
#                                     r-tarball octave-archive conda; all of them by default
#
# The roots are made from that of build/dist-check/SUITE.tar, which is kept, as are Debian's
# packages. python-deb and a part of wheel need a later Debian (unstable). The last line is
# 'N passed, N failed'.
set -euo pipefail
self=$(realpath "${BASH_SOURCE[0]}")
cd "${self%/*}/.."

version=$(sed -n 's/^#define RLS2_VERSION_[A-Z]* //p' include/rls2/version.h | paste -sd.)
folder=$PWD/build/dist-check
later=sid
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
root=$folder/root

fail() { echo "FAILED: $*" >&2; return 1; }

# ---- roots ---------------------------------------------------------------------------------------

# Where this machine has its packages from; no address is written down.
mirror() {
    apt-get indextargets --format '$(SITE) $(RELEASE) $(CREATED_BY)' |
        awk -v suite="$suite" '$2 == suite && $3 == "Packages" { print $1; exit }'
}

make_base() { # SUITE
    local base=$folder/$1.tar tree=$folder/$1
    if [ -e "$base" ]; then return; fi
    rm -rf "$tree"
    debootstrap --variant=minbase "$1" "$tree" "$(mirror)" >"$folder/debootstrap-$1.log" 2>&1 ||
        { tail -n 5 "$folder/debootstrap-$1.log"; fail "no root of $1"; }
    tar -C "$tree" -cf "$base.new" .
    mv "$base.new" "$base"
    rm -rf "$tree"
}

end_root() {
    if mountpoint -q "$root/proc" 2>/dev/null; then umount "$root/proc"; fi
    rm -rf --one-file-system "$root"
}
trap end_root EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

in_root() { # COMMAND ...
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}

# Packages that are there already are not fetched again.
apt_in_root() { # ARGUMENTS
    local cache=$folder/cache-$1 archives=$root/var/cache/apt/archives status=0
    shift
    mkdir -p "$cache"
    find "$cache" -name '*.deb' -exec cp -l -t "$archives" {} + 2>/dev/null || true
    in_root apt-get -qq -o APT::Sandbox::User=root -o Dpkg::Use-Pty=0 \
        -o APT::Keep-Downloaded-Packages=true install -y --no-install-recommends "$@" \
        >"$folder/apt.log" 2>&1 || status=$?
    find "$archives" -name '*.deb' -exec cp -ln -t "$cache" {} + 2>/dev/null || true
    return "$status"
}

new_root() { # SUITE PACKAGE ...
    local of=$1
    shift
    make_base "$of"
    end_root
    mkdir -p "$root"
    tar -C "$root" -xf "$folder/$of.tar"
    mount -t proc proc "$root/proc"
    mkdir "$root/check"
    cp tests/dist/* tests/consumer/consumer.c "$root/check"
    in_root apt-get -qq -o APT::Sandbox::User=root update >"$folder/apt.log" 2>&1 ||
        { cat "$folder/apt.log"; return 1; }
    if [ "$#" -gt 0 ]; then
        apt_in_root "$of" "$@" || { cat "$folder/apt.log"; return 1; }
    fi
}

# The packages of dist/ by apt-get, which brings what they need.
install_debs() { # SUITE NAME ...
    local of=$1 name debs=()
    shift
    for name; do
        cp "dist/${name}_${version}"-*.deb "$root/check"
        debs+=("/check/$(cd dist && ls "${name}_${version}"-*.deb)")
    done
    apt_in_root "$of" "${debs[@]}"
}

# ---- what is checked -----------------------------------------------------------------------------

check_sums() { (cd dist && sha256sum --quiet --check SHA256SUMS); }

check_command() {
    new_root "$suite"
    install_debs "$suite" rls2
    in_root sh /check/command.sh
    python3 tests/dist/page.py env -i HOME=/root chroot "$root" rls2
}

check_library() {
    new_root "$suite" gcc libc6-dev cmake make pkg-config
    install_debs "$suite" librls2-0.7 librls2-dev
    in_root sh /check/library.sh /check/consumer.c
}

check_r_deb() {
    new_root "$suite"
    install_debs "$suite" r-cran-rls2
    in_root Rscript /check/fit.R
}

check_octave_deb() {
    new_root "$suite"
    install_debs "$suite" octave-rls2
    in_root octave-cli /check/fit.m
}

# scikit-learn of Debian 12 is too old, and apt-get says so; that of a later Debian is not.
check_python_deb() {
    new_root "$suite"
    if install_debs "$suite" python3-rls2; then
        fail "installed beside the scikit-learn of $suite, which is too old"
    fi
    grep python3-sklearn "$folder/apt.log"
    new_root "$later"
    install_debs "$later" python3-rls2 || { cat "$folder/apt.log"; return 1; }
    in_root sh -c 'cd /tmp && python3 /check/fit.py'
}

# Files for pip, fetched outside: a root needs no network for them.
fetch_wheels() { # PYTHON-VERSION REQUIREMENT ...
    local of=$1
    shift
    mkdir -p "$root/check/wheels"
    build/python-venv/bin/python -m pip download --quiet --only-binary :all: \
        --python-version "$of" --dest "$root/check/wheels" "$@"
}

wheel_in_root() { # SUITE PYTHON-VERSION
    new_root "$1" python3 python3-venv
    fetch_wheels "$2" numpy scikit-learn
    cp dist/rls2-"$version"-*.whl "$root/check/wheels"
    in_root sh -c 'python3 -m venv /venv && cd /tmp &&
        /venv/bin/pip install --quiet --no-index --find-links /check/wheels rls2 &&
        /venv/bin/python /check/fit.py'
}

# In environments of whatever other versions of Python this machine has.
wheel_in_environments() {
    local number python env=$folder/venv
    for number in 3.12 3.13; do
        python=$(PYTHON="python$number" tools/python.sh find 2>/dev/null ||
            ls "${PYENV_ROOT:-$HOME/.pyenv}/versions/$number".*/bin/python 2>/dev/null || true)
        if [ -z "$python" ]; then echo "no Python $number here"; continue; fi
        rm -rf "$env"
        "$python" -m venv "$env"
        "$env/bin/python" -m pip install --quiet dist/rls2-"$version"-*.whl
        (cd "$folder" && "$env/bin/python" "$OLDPWD/tests/dist/fit.py")
    done
}

check_wheel() {
    local wheel
    wheel=$(ls dist/rls2-"$version"-cp311-abi3-manylinux*.whl)
    build/python-venv/bin/auditwheel show "$wheel" | grep -F manylinux
    wheel_in_root "$suite" 3.11
    wheel_in_environments
    wheel_in_root "$later" 3.14
}

check_sdist() {
    new_root "$suite" python3-dev python3-venv gcc libc6-dev cmake ninja-build pkg-config \
        libopenblas-dev liblapacke-dev zlib1g-dev libjansson-dev
    fetch_wheels 3.11 numpy scikit-learn 'scikit-build-core>=0.11'
    cp "dist/rls2-$version.tar.gz" "$root/check"
    in_root sh -c "python3 -m venv /venv && cd /tmp &&
        /venv/bin/pip install --quiet --no-index --find-links /check/wheels \
            /check/rls2-$version.tar.gz &&
        /venv/bin/python /check/fit.py"
}

check_r_tarball() {
    new_root "$suite" r-base-core r-base-dev pkg-config zlib1g-dev libjansson-dev
    cp "dist/rls2_$version.tar.gz" "$root/check"
    in_root env MAKEFLAGS=-j2 R CMD INSTALL "/check/rls2_$version.tar.gz" \
        >"$folder/r.log" 2>&1 || { tail -n 20 "$folder/r.log"; return 1; }
    in_root Rscript /check/fit.R
}

check_octave_archive() {
    new_root "$suite" octave octave-dev pkg-config libopenblas-dev liblapacke-dev zlib1g-dev \
        libjansson-dev
    cp "dist/rls2-octave-$version.tar.gz" "$root/check"
    in_root octave-cli --eval "pkg install /check/rls2-octave-$version.tar.gz"
    in_root octave-cli /check/fit.m
}

check_conda() { tools/conda.sh check; }

# ---- all of it -----------------------------------------------------------------------------------

if [ "$(id -u)" -ne 0 ] || [ -z "$suite" ] || ! command -v debootstrap >/dev/null; then
    echo "${0##*/}: needs Debian, root and debootstrap" >&2
    exit 77
fi
mkdir -p "$folder"
if [ "${1:-}" = --one ]; then
    "check_${2//-/_}"
    exit
fi
what=("$@")
if [ "$#" -eq 0 ]; then
    what=(sums command library r-deb octave-deb python-deb wheel sdist r-tarball octave-archive
        conda)
fi
passed=0 failed=0
for name in "${what[@]}"; do
    echo "== $name =="
    # a process of its own: in a function whose failure is asked for, commands may fail unnoticed
    if "$self" --one "$name"; then
        passed=$((passed + 1))
    else
        echo "$name: FAILED"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
