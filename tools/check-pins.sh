#!/usr/bin/env bash
# What is fetched for builds and tests is named by version and hash, and no address of a registry
# is written down.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
failed=0
fault() { echo "$*"; failed=1; }

# Each requirement 'NAME==VERSION [; MARKER] \' is followed by lines of hashes.
check_python() { # FILE
    awk -v file="$1" '
        function bad(why) { printf "%s:%d: %s\n", file, FNR, why; failures++ }
        /^ *#/ || /^ *$/ { next }
        /^    --hash=sha256:[0-9a-f]+( \\)?$/ { hashes++; next }
        count && !hashes { bad("the requirement before has no hash") }
        { count++; hashes = 0 }
        !/^[A-Za-z0-9._-]+==[^ ]+( ; .*)? \\$/ { bad("neither a version nor a hash: " $0) }
        /:\/\// { bad("an address") }
        END { if (!hashes || count < 10) bad("it ends before its time")
              exit failures > 0 }' "$1" ||
        failed=1
}

# Each package of the lock file has an integrity; 'resolved' would name the registry it came from.
check_npm() { # FILE
    local packages hashes
    packages=$(grep -c '"node_modules/[^"]*": {' "$1")
    hashes=$(grep -cE '"integrity": "sha512-[A-Za-z0-9+/=]+"' "$1")
    [ "$packages" -eq "$hashes" ] || fault "$1: $packages packages and $hashes hashes"
    ! grep -nE '"resolved"|://' "$1" || fault "$1: an address, where a version and a hash say all"
}

check_python python/requirements.txt
check_python docs/site/requirements.txt
check_npm gui/page/package-lock.json
exit "$failed"
