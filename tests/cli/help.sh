#!/usr/bin/env bash
# Help, man pages and completions: they fit the page, name every option, and work.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

says() { # TEXT FILE
    grep -qF -- "$1" "$2" || fail "'$1' is not in: $(cat "$2")"
}

fits() { # FILE: no line is longer than 80 characters
    awk 'length($0) > 80 { print "too long: " $0; bad = 1 } END { exit bad }' "$1" ||
        fail "$1 is too wide"
}

commands="train path predict show verify kernels plot demo reproduce gui"

# ---- the page of settings ----
"$rls2" help --settings | diff - docs/SETTINGS.md ||
    fail "docs/SETTINGS.md is not what 'rls2 help --settings' prints"

# ---- what a person reads ----
"$rls2" help >"$tmp/overview"
fits "$tmp/overview"
for command in $commands; do says "  $command " "$tmp/overview"; done
says 'usage: rls2 COMMAND' "$tmp/overview"
for form in --help -h 'help --help' 'help help'; do
    # shellcheck disable=SC2086
    "$rls2" $form | cmp -s - "$tmp/overview" || fail "rls2 $form is not the overview"
done
code=0
"$rls2" >"$tmp/out" 2>"$tmp/err" || code=$?
[ "$code" -eq 2 ] || fail "rls2 alone ended with $code"
[ ! -s "$tmp/out" ] || fail "rls2 alone printed to stdout"
cmp -s "$tmp/err" "$tmp/overview" || fail "rls2 alone says something else"

for command in $commands; do
    page=$tmp/$command
    "$rls2" help "$command" >"$page" 2>"$tmp/err"
    [ ! -s "$tmp/err" ] || fail "help $command printed to stderr"
    fits "$page"
    says "usage: rls2 $command" "$page"
    says "$ rls2 $command" "$page"
    for form in --help -h '--json --help' 'a b c --frob -h'; do
        # shellcheck disable=SC2086
        "$rls2" "$command" $form | cmp -s - "$page" || fail "rls2 $command $form is not its help"
    done
    for option in --json --quiet --threads --seed --help; do says " $option" "$page"; done
done

# Every option that the parser takes stands in the help, and the other way round: without its value,
# or with one too many, each is refused by name and never as unknown.
for command in $commands; do
    options=$(grep -oE '^ {2,6}(-[a-z], )?--[a-z-]+' "$tmp/$command" | grep -oE -- '--[a-z-]+')
    [ "$(sort <<<"$options" | uniq -d)" = "" ] || fail "$command has an option twice"
    for option in $options; do
        [ "$option" != --help ] || continue
        code=0
        many=(a b c) # too many, or none at all
        ! grep -q "usage: rls2 $command DATA\.\.\." "$tmp/$command" || many=()
        "$rls2" "$command" "$option=?" "${many[@]}" >"$tmp/out" 2>"$tmp/err" || code=$?
        [ "$code" -eq 2 ] || fail "rls2 $command $option=? ${many[*]} was taken"
        ! grep -q 'unknown option\|is an option of' "$tmp/err" ||
            fail "$command: $option is not known"
    done
done
for option in --target --kernels --lambda --test-rows --output; do
    says " $option" "$tmp/train"
done
says ' --lambdas' "$tmp/path"
says ' --contributions' "$tmp/predict"
says 'Default: trace.' "$tmp/train"

for topic in dictionary files losses measures tall exit-codes; do
    "$rls2" help "$topic" >"$tmp/topic"
    fits "$tmp/topic"
    says "  $topic " "$tmp/overview"
done

# Whoever has the command has the licences of what is embedded in it.
"$rls2" help licences >"$tmp/topic"
says '  licences ' "$tmp/overview"
if [ -e gui/page/dist/THIRD-PARTY.txt ] && ! grep -q 'without the page' "$tmp/topic"; then
    for words in 'Apache License' echarts zrender tslib; do says "$words" "$tmp/topic"; done
    tail -n "$(wc -l <gui/page/dist/THIRD-PARTY.txt)" "$tmp/topic" |
        cmp -s - gui/page/dist/THIRD-PARTY.txt || fail "the notices are not those of the page"
fi

# What weights, measures and the intercept mean is told where one looks for it.
one_line() { tr -s ' \n' ' ' <"$1" >"$tmp/line"; } # FILE
"$rls2" help train >"$tmp/page"
one_line "$tmp/page"
for text in 'A row of weight 2 counts exactly as two rows' \
    'Deviations of columns and scores are not affected' \
    'from the rows that have all of them' 'unless every kernel is linear' \
    'added to the default dictionary' "'rls2 help measures' defines them"; do
    says "$text" "$tmp/line"
done
# Other settings are named as options, and what can be turned off says how.
for text in 'before --features' 'Folds and --select loo leave out' '--header auto|yes|no' \
    '--baselines, --no-baselines' 'Default: auto.'; do
    says "$text" "$tmp/line"
done
! grep -q '[{}]' "$tmp/line" || fail "the name of a setting is not written as an option"
"$rls2" help measures >"$tmp/page"
one_line "$tmp/page"
for text in 'auc is computed for each class against all others' \
    'balanced-accuracy is over the classes that occur' 'the numbers -1 and +1' \
    'Weights of classes count in'; do
    says "$text" "$tmp/line"
done
"$rls2" help files >"$tmp/page"
one_line "$tmp/page"
says 'they are called y1, y2, ...' "$tmp/line"
"$rls2" help path >"$tmp/page"
one_line "$tmp/page"
says 'finished for all of them' "$tmp/line"

# ---- man pages ----
for command in '' $commands; do
    # shellcheck disable=SC2086
    "$rls2" help --man $command >"$tmp/page.1"
    grep -q '^\.TH RLS2' "$tmp/page.1" || fail "no title in the man page of '$command'"
    if [ -n "$command" ]; then
        options=$(grep -oE '^ {2,6}(-[a-z], )?--[a-z-]+' "$tmp/$command" | grep -oE -- '--[a-z-]+')
        for option in $options; do says "${option//-/\\-}" "$tmp/page.1"; done
    fi
    if command -v groff >/dev/null; then
        groff -man -ww -Tutf8 "$tmp/page.1" >/dev/null 2>"$tmp/err" ||
            fail "groff: $(cat "$tmp/err")"
        [ ! -s "$tmp/err" ] || fail "the man page of '$command': $(cat "$tmp/err")"
    fi
done

# ---- completions ----
"$rls2" help --bash >"$tmp/completion.bash"
cat >"$tmp/complete.bash" <<'SCRIPT'
# complete.bash SCRIPT WORD...: what bash would offer for the last word
source "$1"
shift
COMP_WORDS=(rls2 "$@")
COMP_CWORD=$#
_rls2
printf '%s\n' "${COMPREPLY[@]}"
SCRIPT
offers() { # EXPECTED (words in one line, sorted) WORD...
    local expected=$1 got
    shift
    got=$(bash "$tmp/complete.bash" "$tmp/completion.bash" "$@" | LC_ALL=C sort | paste -sd ' ')
    [ "$got" = "$expected" ] || fail "after 'rls2 $*' bash offers '$got', not '$expected'"
}
bash -n "$tmp/completion.bash"
offers 'train' tr
offers 'path plot predict' p
offers '--help' --h
offers '--tall --target --task' train data.csv --ta
offers '--std --strict' predict m d --st
offers '--no-baselines --no-stack --no-standardize' train data.csv --no
offers '' show m --st
offers 'fisher fisher-sqrt' train --scaling fi
offers 'data/housing.csv' train data/hou
offers 'data/housing.csv' train --test data/hou
offers 'data/housing.csv' predict -o data/hou
offers '' train --target data/hou
offers 'csv' train --format = c
offers 'auto csv libsvm mat npy npz' train --format =
offers 'files' help fi
offers '--bash' help --b
touch "$tmp/two words.csv"
offers "$tmp/two words.csv" train "$tmp/two"

"$rls2" help --zsh >"$tmp/_rls2"
[ "$(head -n 1 "$tmp/_rls2")" = '#compdef rls2' ] || fail "not a completion script of zsh"
if command -v zsh >/dev/null; then zsh -n "$tmp/_rls2" || fail "zsh does not read its script"; fi

# ---- written by the build ----
share=$(dirname "$rls2")/share
if [ -d "$share" ]; then
    cmp -s "$tmp/_rls2" "$share/zsh/site-functions/_rls2" ||
        fail "$share: the script for zsh is another"
    cmp -s "$tmp/completion.bash" "$share/bash-completion/completions/rls2" ||
        fail "$share: that for bash is"
    for command in $commands; do
        "$rls2" help --man "$command" | cmp -s - "$share/man/man1/rls2-$command.1" ||
            fail "$share: rls2-$command.1"
    done
fi
echo "ok"
