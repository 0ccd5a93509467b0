#!/usr/bin/env bash
# Conda recipe: its archive, and what can be checked of it where no channel can be reached.
#
#     tools/conda.sh archive  dist/rls2-conda-VERSION.tar.gz: packaging/conda
#     tools/conda.sh check    rattler-build reads and renders it; its scripts are run with the
#                             libraries of this machine in the place of conda's
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$(sed -n 's/^#define RLS2_VERSION_[A-Z]* //p' include/rls2/version.h | paste -sd.)
env=build/conda-venv

archive() {
    mkdir -p dist
    tar -C packaging --sort=name --owner=0 --group=0 \
        -czf "dist/rls2-conda-$version.tar.gz" conda
}

# The version is named: later ones may read recipes otherwise.
make_env() {
    local python
    if [ -x "$env/bin/python" ]; then return; fi
    python=$(tools/python.sh find)
    "$python" -m venv "$env"
    "$env/bin/python" -m pip install --quiet py-rattler-build==0.73.0 'scikit-build-core>=0.11' \
        ninja || { rm -rf "$env"; return 1; }
}

render() {
    "$env/bin/python" - "$version" <<'RENDER'
import sys
from rattler_build import Stage0Recipe, VariantConfig
recipe = Stage0Recipe.from_file("packaging/conda/recipe.yaml")
found = sorted({(v.recipe.package.name, str(v.recipe.package.version))
                for v in recipe.render(VariantConfig())})
print("rendered:", *(f"{name} {version}" for name, version in found))
assert found == [("librls2", sys.argv[1]), ("rls2", sys.argv[1])], found
RENDER
}

# In a copy of the sources, as rattler-build makes one.
run_scripts() {
    local sources=$PWD/build/conda/work prefix=$PWD/build/conda/prefix
    rm -rf build/conda
    mkdir -p "$sources" "$prefix"
    git ls-files -z --cached --others --exclude-standard |
        tar --null --no-recursion --files-from=- --ignore-failed-read -cf - |
        tar -xf - -C "$sources"
    if [ -d gui/page/dist ]; then cp -R gui/page/dist "$sources/gui/page/dist"; fi
    "$env/bin/python" -m venv --system-site-packages "$prefix"
    (cd "$sources" && PREFIX=$prefix packaging/conda/build-command.sh >../command.log 2>&1) ||
        { tail -n 20 build/conda/command.log; return 1; }
    (cd "$sources" && PREFIX=$prefix PYTHON=$OLDPWD/$env/bin/python \
        packaging/conda/build-python.sh >../python.log 2>&1) ||
        { tail -n 20 build/conda/python.log; return 1; }
    (cd build/conda && "$prefix/bin/rls2" demo) | tail -n 5
    PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --modversion rls2
    "$env/bin/python" -P -c 'import importlib.metadata as m; print("rls2", m.version("rls2"))'
}

case ${1:-} in
    archive) archive ;;
    check) make_env; render; run_scripts ;;
    *) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
