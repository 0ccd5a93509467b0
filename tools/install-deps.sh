#!/usr/bin/env bash
# Installs what a make target needs and this machine lacks; says nothing when nothing is missing.
set -euo pipefail

usage() {
    cat <<USAGE
usage: ${0##*/} MODE, one of
  build check python r r-check octave docs engines gui gui-check bench fuzz tsan coverage format
  deb dist dist-check

Debian and Ubuntu: installs the missing packages with apt-get (with sudo where not root).
Elsewhere: checks for the needed tools and libraries and lists what is missing.
USAGE
}

mode=${1:-build}

# Debian names; a|b means that either will do and that a is installed where neither is.
packages=(gcc libc6-dev cmake ninja-build 'pkg-config|pkgconf' libopenblas-dev liblapacke-dev
    zlib1g-dev libjansson-dev)
tools=(cc cmake ninja pkg-config)
modules=(openblas lapacke zlib jansson)
case $mode in
    build | bench) ;;
    check)
        packages+=(g++ libcmocka-dev 'gnuplot-nox|gnuplot-qt|gnuplot-x11' librsvg2-bin valgrind \
            libmicrohttpd-dev python3-dev python3-venv)
        modules+=(cmocka) # without libmicrohttpd the page is not tested
        ;;
    python) packages+=(python3-dev python3-venv) ;;
    r | r-check)
        packages=(r-base-dev r-cran-testthat r-cran-knitr r-cran-rmarkdown r-cran-generics
            r-cran-glmnet pandoc qpdf tidy 'pkg-config|pkgconf' zlib1g-dev libjansson-dev)
        tools=(R pkg-config pandoc)
        modules=(zlib jansson)
        if [ "$mode" = r-check ]; then # TeX, 140 MB, for the PDF manual
            packages+=(texlive-latex-base texlive-fonts-recommended devscripts)
            tools+=(pdflatex checkbashisms)
        fi
        ;;
    docs)
        packages+=(python3-dev python3-venv r-base-dev octave octave-dev
            'gnuplot-nox|gnuplot-qt|gnuplot-x11' fonts-freefont-otf ghostscript)
        tools+=(Rscript octave-cli mkoctfile gnuplot)
        ;;
    octave)
        packages+=(octave octave-dev 'gnuplot-nox|gnuplot-qt|gnuplot-x11' fonts-freefont-otf
            ghostscript)
        tools+=(octave-cli mkoctfile)
        ;;
    engines)
        packages+=(python3-dev python3-venv)
        tools+=(java)
        # asked as a command: a Java of another source will do
        if ! command -v java >/dev/null; then packages+=(default-jre-headless); fi
        # these are tried where they are
        packages+=(openmpi-bin libopenmpi-dev mpich libmpich-dev)
        packages+=(munge slurmctld slurmd slurm-client)
        ;;
    coverage)
        packages+=(libcmocka-dev gcovr)
        tools+=(gcovr)
        modules+=(cmocka)
        ;;
    gui | gui-check)
        packages+=(libmicrohttpd-dev)
        if [ "$mode" = gui-check ]; then packages+=(python3 chromium); fi
        modules+=(libmicrohttpd)
        tools+=(node npm)
        # asked as commands: Node.js of another source brings npm along, and Debian's would be in
        # its way
        if ! command -v node >/dev/null; then packages+=(nodejs); fi
        if ! command -v npm >/dev/null; then packages+=(npm); fi
        ;;
    deb | dist | dist-check)
        packages+=(debhelper dpkg-dev fakeroot lintian libmicrohttpd-dev r-base-dev octave-dev
            python3-dev dh-python)
        tools+=(dpkg-buildpackage dh lintian node npm R mkoctfile)
        modules+=(libmicrohttpd)
        if ! command -v node >/dev/null; then packages+=(nodejs); fi
        if ! command -v npm >/dev/null; then packages+=(npm); fi
        if [ "$mode" != deb ]; then
            packages+=(python3-venv octave r-cran-knitr r-cran-rmarkdown pandoc)
        fi
        if [ "$mode" = dist-check ]; then packages+=(debootstrap); fi
        ;;
    fuzz)
        packages+=(clang llvm libomp-dev libmicrohttpd-dev)
        tools+=(clang)
        modules+=(libmicrohttpd)
        ;;
    tsan)
        packages+=(clang libomp-dev libmicrohttpd-dev libcmocka-dev python3-dev python3-venv)
        tools+=(clang)
        modules+=(libmicrohttpd cmocka)
        ;;
    format)
        packages=(clang-format)
        tools=(clang-format)
        modules=()
        ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
esac

is_installed() { # PACKAGE
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# The names in `packages` of which no alternative is installed.
missing_packages() {
    local entry name found
    for entry in "${packages[@]}"; do
        found=no
        for name in ${entry//|/ }; do
            if is_installed "$name"; then found=yes; fi
        done
        if [ "$found" = no ]; then echo "${entry%%|*}"; fi
    done
}

# libclang_rt (the sanitizers' run time) is a package of its own, named after clang's version.
add_clang_runtime() {
    local version
    version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' |
        head -n 1)
    if [ -n "$version" ] && apt-cache show "libclang-rt-$version-dev" >/dev/null 2>&1; then
        packages+=("libclang-rt-$version-dev")
    fi
}

install_with_apt() {
    local missing as_root=()
    if [ "$mode" = fuzz ] || [ "$mode" = tsan ]; then add_clang_runtime; fi
    mapfile -t missing < <(missing_packages)
    if [ "${#missing[@]}" -eq 0 ]; then return; fi

    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "${0##*/}: not root and no sudo; as root, run:" >&2
            echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "installing ${missing[*]}"
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
    "${as_root[@]}" "${apt[@]}" update || true # an old list may still do
    # On a machine without package lists the clang run time could not be named before.
    if [ "$mode" = fuzz ] || [ "$mode" = tsan ]; then
        add_clang_runtime
        mapfile -t missing < <(missing_packages | sort -u)
    fi
    "${as_root[@]}" "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null || {
        echo "${0##*/}: the packages could not be installed; is there a network?" >&2
        exit 1
    }
}

check_elsewhere() {
    local name missing=()
    for name in "${tools[@]}"; do
        command -v "$name" >/dev/null || missing+=("$name")
    done
    for name in ${modules[@]+"${modules[@]}"}; do
        pkg-config --exists "$name" 2>/dev/null || missing+=("$name (pkg-config module)")
    done
    if [ "${#missing[@]}" -eq 0 ]; then return; fi

    {
        echo "${0##*/}: for 'make $mode' this machine lacks:"
        printf '  %s\n' "${missing[@]}"
        echo
        echo "Packages that bring all of it:"
        echo "  Debian, Ubuntu  ${packages[*]%%|*}"
        case $mode in
            build | bench | check | python)
                cat <<'ELSEWHERE'
  Fedora          gcc gcc-c++ cmake ninja-build pkgconf openblas-devel lapack-devel zlib-devel
                  jansson-devel libcmocka-devel
  Arch            gcc cmake ninja pkgconf openblas lapacke zlib jansson cmocka
  Homebrew        cmake ninja pkgconf openblas lapack libomp zlib jansson cmocka
                  (openblas, lapack and zlib are keg-only: add their lib/pkgconfig to
                  PKG_CONFIG_PATH)
ELSEWHERE
                ;;
            *) echo "  elsewhere       packages of the same or a similar name" ;;
        esac
    } >&2
    exit 1
}

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
    install_with_apt
else
    check_elsewhere
fi
