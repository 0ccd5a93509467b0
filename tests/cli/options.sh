#!/usr/bin/env bash
# How the command line is read: what is refused, with which words and which exit code. Nothing is
# fitted here: a command is reached only where a message of its own shows it.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

# One line on stderr that begins with "rls2 " and holds TEXT; nothing on stdout; exit code 2.
refused() { # TEXT ARGUMENTS...
    local text=$1 code=0
    shift
    "$rls2" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
    [ "$code" -eq 2 ] || fail "rls2 $* ended with $code, not 2: $(cat "$tmp/err")"
    grep -qF -- "$text" "$tmp/err" || fail "rls2 $* did not say \"$text\": $(cat "$tmp/err")"
    [ "$(wc -l <"$tmp/err")" -eq 1 ] || fail "rls2 $* said more than a line: $(cat "$tmp/err")"
    grep -q '^rls2' "$tmp/err" ||
        fail "rls2 $*: the message does not name the program: $(cat "$tmp/err")"
    [ ! -s "$tmp/out" ] || fail "rls2 $* printed to stdout: $(cat "$tmp/out")"
}

# The command line is fine: whatever the command makes of it, the code is not 2.
taken() { # ARGUMENTS...
    local code=0
    "$rls2" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
    [ "$code" -ne 2 ] || fail "rls2 $* was refused: $(cat "$tmp/err")"
}

# ---- unknown options ----
refused "rls2 train: unknown option '--tagret'; did you mean '--target'?" train x.csv --tagret y
refused "unknown option '--tagret'; did you mean '--target'?" train x.csv --tagret=y
refused "unknown option '--out'; did you mean '--output'?" train x.csv --out y
refused "unknown option '--kernel'; did you mean '--kernels'?" kernels x.csv --kernel linear
refused "unknown option '--zzzzzz'; see 'rls2 help train'" train x.csv --zzzzzz
refused "unknown option '--'" train x.csv --=y
refused "unknown option '-x'; see 'rls2 help train'" train x.csv -x
refused "unknown option '-1'" train -1
refused "unknown option '-target'; did you mean '--target'?" train x.csv -target y
refused "'--std' is an option of 'rls2 predict'; see 'rls2 help train'" train x.csv --std
refused "'--top' is an option of 'rls2 show' and 'rls2 kernels' and 'rls2 plot'" train x.csv --top 3
refused "'-k' is an option of 'rls2 train'" show m -k linear
refused "unknown option '--$(printf 'x%.0s' {1..60})'" train x.csv "--$(printf 'x%.0s' {1..5000})"

# ---- values ----
refused "'--target' needs a value: COLUMN" train x.csv --target
refused "'-o' needs a value: MODEL" train x.csv -o
refused "'-o' needs a value (MODEL), but '--json' follows" train x.csv -o --json
refused "'--target' needs a value (COLUMN), but '-q' follows" train x.csv --target -q
refused "'--json' takes no value, but 'yes' was given" train x.csv --json=yes
refused "--scaling: 'tarce' is not one of none, trace, fisher, fisher-sqrt; did you mean 'trace'?" \
    train x.csv --scaling tarce
refused "--task: 'ranking' is not one of auto, regression, classification" train x.csv \
    --task ranking
refused "--task: '' is not one of" train x.csv --task ''
refused "--missing: 'drop|error' is not one of auto, impute, drop, error" train x.csv \
    --missing 'drop|error'
for text in abc '' 1e400 nan inf 0x10 1,5 ' 1' '1 ' 1e 1.2.3 --; do
    refused "--lambda: '$text' is not a number" train x.csv "--lambda=$text"
done
for text in abc '' -1 1.5 +1 1e3 ' 1' 99999999999999999999; do
    refused "--threads: '$text' is not a whole number" train x.csv "--threads=$text"
done

# ---- settings that are on or off ----
refused "'--no-header' takes no value, but 'yes' was given" train x.csv --no-header=yes
refused "unknown option '--no-center'" train x.csv --no-center
refused "--standardize and --features center exclude each other" train x.csv -t y --standardize \
    --features center
refused "--standardize false and --features standardize exclude each other" train x.csv -t y \
    --no-standardize --features standardize
refused "'--folds' is an option of 'rls2 train' and 'rls2 cv' and 'rls2 stats'; see 'rls2 help" \
    path x.csv --folds 3
refused "'--weights' is an option of 'rls2 train' and 'rls2 cv' and 'rls2 path' and 'rls2 stats'" \
    kernels x.csv --weights w
taken train nowhere.csv -t y --header yes --no-baselines --baselines
taken train nowhere.csv -t y --no-header
refused "'maybe' is not one of auto, yes, no" train nowhere.csv -t y --header maybe
refused "'--no-header' takes no value" train nowhere.csv -t y --no-header=yes

# ---- arguments ----
refused "rls2 train: DATA is missing; usage: rls2 train DATA... [OPTION ...]" train
refused "rls2 predict: MODEL and DATA are missing" predict
refused "rls2 predict: DATA is missing; usage: rls2 predict MODEL DATA [OPTION ...]" predict m
refused "'c' is one argument too many; usage: rls2 predict MODEL DATA" predict a b c
refused "unexpected argument 'x': only options are expected" demo x
refused "'--json' is one argument too many" show m -- --json

# ---- commands ----
refused "rls2: there is no command 'trian'; did you mean 'train'?" trian
refused "rls2: there is no command 'frobnicate'; 'rls2 help' lists them" frobnicate
refused "there is no command ''" ''
refused "'--json' comes before the command" --json train
refused "there is no command 'trian'; did you mean 'train'?" help trian
refused "there is no command 'trian'" help --man trian
refused "'path' is one argument too many" help train path

# ---- files that options name ----
unread() { # TEXT ARGUMENTS...: exit code 1
    local text=$1 code=0
    shift
    "$rls2" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
    [ "$code" -eq 1 ] || fail "rls2 $* ended with $code, not 1: $(cat "$tmp/err")"
    grep -qF -- "$text" "$tmp/err" || fail "rls2 $* did not say \"$text\": $(cat "$tmp/err")"
}
train=(train data/prostate.csv -t lpsa --drop train)
unread "rls2 train: --test: $tmp/none.csv: " "${train[@]}" --test "$tmp/none.csv"
unread "rls2 train: --validation: $tmp/none.csv: " "${train[@]}" --validation "$tmp/none.csv"
unread "rls2 train: --given: $tmp/none.csv: " "${train[@]}" --given a="$tmp/none.csv"
unread "rls2 train: $tmp/none.csv: " train "$tmp/none.csv" -t lpsa

# ---- what is fine, seen in demo ----
same() { # ARGUMENTS...: the output is that of demo --json
    "$rls2" "$@" >"$tmp/out" 2>"$tmp/err" || fail "rls2 $* failed: $(cat "$tmp/err")"
    cmp -s "$tmp/out" "$tmp/json" || fail "rls2 $* printed something else"
    [ ! -s "$tmp/err" ] || fail "rls2 $* printed to stderr: $(cat "$tmp/err")"
}
"$rls2" demo --json >"$tmp/json"
same demo --json --data data
same demo --data=data --json
same demo --json --data nowhere --data data # the later one wins
same demo -q --json --threads 1 --seed 7
same demo --json --
"$rls2" demo -qo "$tmp/a.svg" >"$tmp/out"
"$rls2" demo -o"$tmp/b.svg" >"$tmp/out"
"$rls2" demo --output="$tmp/c.svg" >"$tmp/out"
cmp -s "$tmp/a.svg" "$tmp/b.svg" || fail "-qo and -o differ"
cmp -s "$tmp/a.svg" "$tmp/c.svg" || fail "-qo and --output= differ"

refused "--lambda is -1" train nowhere.csv --target y --lambda -1
taken train nowhere.csv -ty -k linear --kernels=poly\(2\) --lambda=1e-3
taken path - --target=y
taken path nowhere.csv -t y -- 
taken show -- --model
echo "ok"
