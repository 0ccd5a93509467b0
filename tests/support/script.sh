# What scripts that test the command share: sourced with the command as $1; $tmp is a folder that
# goes with the script.
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
# No pipes: a grep that has seen enough would end the command by a signal.
prints() { # TEXT ARGUMENTS...: on stdout or stderr
    local text=$1
    shift
    "$rls2" "$@" >"$tmp/printed" 2>&1 || fail "rls2 $* ended with $?: $(cat "$tmp/printed")"
    grep -q -- "$text" "$tmp/printed" ||
        fail "rls2 $* does not print '$text': $(cat "$tmp/printed")"
}
refuses() { # TEXT ARGUMENTS...
    local text=$1 code=0
    shift
    "$rls2" "$@" >"$tmp/printed" 2>&1 || code=$?
    [ $code -eq 1 ] || [ $code -eq 2 ] || fail "rls2 $* ended with $code: $(cat "$tmp/printed")"
    grep -q -- "$text" "$tmp/printed" || fail "rls2 $* does not say '$text': $(cat "$tmp/printed")"
}
