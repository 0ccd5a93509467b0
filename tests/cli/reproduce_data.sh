#!/usr/bin/env bash
# rls2 reproduce data against a server of our own: what is fetched, checked, left alone, and thrown
# away.
set -euo pipefail
rls2=$1
for program in python3 curl sha256sum git; do
    command -v $program >/dev/null || { echo "skipped: there is no $program"; exit 77; }
done
tmp=$(mktemp -d)
server=
trap 'if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi; rm -rf "$tmp"' EXIT
unset RLS2_SOURCES RLS2_DATA RLS2_CURL
export NO_PROXY='*' no_proxy='*'

fail() { echo "FAILED: $*"; exit 1; }

expect_code() { # CODE TEXT-ON-STDERR ARGUMENTS...
    local wanted=$1 text=$2 code=0
    shift 2
    "$rls2" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
    [ "$code" -eq "$wanted" ] || fail "rls2 $* ended with $code, not $wanted: $(cat "$tmp/err")"
    [ -z "$text" ] || grep -qF -- "$text" "$tmp/err" ||
        fail "rls2 $* did not say '$text': $(cat "$tmp/err")"
}

shows() { grep -qE -- "$1" "$tmp/out" || fail "no '$1' in: $(cat "$tmp/out")"; } # PATTERN
only() { # FILE...: nothing else is in the folder, no half file either
    [ "$(ls -A "$tmp/data" | tr '\n' ' ')" = "${*:+$* }" ] ||
        fail "in the folder: $(ls -A "$tmp/data"), not $*"
}

# /cut says it is longer than it is, /stall never ends, /flood neither and does not say how long it
# is; everything else is a file.
cat >"$tmp/server.py" <<'END'
import http.server, sys, time
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/flood":
            self.send_response(200)
            self.end_headers()
            try:
                for _ in range(400):
                    self.wfile.write(b"more of it\n" * 1000)
                    time.sleep(0.05)
            except OSError:
                pass
            return
        if self.path not in ("/cut", "/stall"):
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        self.wfile.write(b"half of it\n" * 5000)
        self.wfile.flush()
        if self.path == "/stall":
            time.sleep(60)
        self.close_connection = True
    def log_message(self, *arguments):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
END
mkdir "$tmp/www" "$tmp/data"
seq 1 20000 >"$tmp/www/numbers.csv"
printf 'a,b\n1,2\n' >"$tmp/www/small.csv"
: >"$tmp/www/empty.csv"
(cd "$tmp/www" && exec python3 "$tmp/server.py" >"$tmp/port" 2>"$tmp/server.err") &
server=$!
for _ in $(seq 100); do [ ! -s "$tmp/port" ] || break; sleep 0.1; done
if [ ! -s "$tmp/port" ]; then
    echo "skipped: no server can be started here: $(cat "$tmp/server.err")"
    exit 77
fi
port=$(cat "$tmp/port")
web=http://127.0.0.1:$port

sum() { echo "sha256:$(sha256sum <"$tmp/www/$1" | cut -d' ' -f1)"; } # FILE
blob() { echo "gitblob:$(git hash-object --no-filters "$tmp/www/$1")"; } # FILE
list() { printf '%s\n' "$@" >"$tmp/sources"; } # LINE...

fetch=(reproduce data --data "$tmp/data" --sources "$tmp/sources")

# ---- what goes well ----
list '# a remark' '' "numbers.csv - $(blob numbers.csv) $web/numbers.csv" \
    "small.csv 8 $(sum small.csv) $web/small.csv" \
    "empty.csv 0 $(sum empty.csv) $web/empty.csv"
expect_code 0 '' "${fetch[@]}"
only empty.csv numbers.csv small.csv
for file in numbers.csv small.csv empty.csv; do
    cmp -s "$tmp/www/$file" "$tmp/data/$file" || fail "$file is another"
    shows "^$file +fetched +$tmp/data/$file\$"
done
[ ! -s "$tmp/err" ] || fail "spoke on stderr: $(cat "$tmp/err")"
before=$(stat -c %i "$tmp/data/numbers.csv")
expect_code 0 '' "${fetch[@]}" --json
python3 -c 'import json, sys
assert [f["state"] for f in json.load(open(sys.argv[1]))["files"]] == ["there"] * 3' "$tmp/out" ||
    fail "not left alone: $(cat "$tmp/out")"
[ "$(stat -c %i "$tmp/data/numbers.csv")" = "$before" ] || fail "a file that was right was replaced"

# a file that is damaged is replaced, and the variable names the list as well
echo damaged >"$tmp/data/small.csv"
RLS2_SOURCES=$tmp/sources expect_code 0 'is not the file it should be' reproduce data \
    --data "$tmp/data"
cmp -s "$tmp/www/small.csv" "$tmp/data/small.csv" || fail "the damaged file stayed"

# but somebody may have changed it on purpose: it is kept, and so is the next one
grep -qF "kept as $tmp/data/small.csv.old" "$tmp/err" ||
    fail "it does not say where the old file is: $(cat "$tmp/err")"
[ "$(cat "$tmp/data/small.csv.old")" = damaged ] || fail "the old file is lost"
echo again >"$tmp/data/small.csv"
expect_code 0 "kept as $tmp/data/small.csv.old2" "${fetch[@]}"
[ "$(cat "$tmp/data/small.csv.old") $(cat "$tmp/data/small.csv.old2")" = 'damaged again' ] ||
    fail "an old file is lost"
only empty.csv numbers.csv small.csv small.csv.old small.csv.old2

# the user's settings of curl are not ours
rm "$tmp"/data/*
mkdir "$tmp/home"
echo "output = $tmp/elsewhere" >"$tmp/home/.curlrc"
HOME=$tmp/home CURL_HOME=$tmp/home XDG_CONFIG_HOME=$tmp/home expect_code 0 '' "${fetch[@]}"
only empty.csv numbers.csv small.csv
[ ! -e "$tmp/elsewhere" ] || fail ".curlrc was read"

# ---- what goes wrong: nothing is left, and the other files are fetched all the same ----
rm "$tmp"/data/*
good="small.csv 8 $(sum small.csv) $web/small.csv"
list "numbers.csv - $(sum small.csv) $web/numbers.csv" "$good"
expect_code 1 'is thrown away' "${fetch[@]}"
only small.csv
shows '^numbers.csv +failed +http'
list "numbers.csv 999999 $(sum numbers.csv) $web/numbers.csv"
expect_code 1 'is thrown away' "${fetch[@]}"
only small.csv
for address in numbers.csv flood; do # said before, and not said
    list "numbers.csv 70000 $(sum numbers.csv) $web/$address"
    SECONDS=0
    expect_code 1 'what comes is larger than 70000 bytes, the size of the file it should be' \
        "${fetch[@]}"
    [ "$SECONDS" -lt 10 ] || fail "everything was fetched before it was found too large"
    only small.csv
done
list "numbers.csv 0 $(sum empty.csv) $web/numbers.csv" # curl takes 0 for no limit
expect_code 1 'what comes is larger than 0 bytes' "${fetch[@]}"
only small.csv
list "numbers.csv - $(sum numbers.csv) $web/nothing.csv" "$good"
expect_code 1 '404' "${fetch[@]}"
only small.csv
shows '^small.csv +there'
list "numbers.csv - $(sum numbers.csv) $web/cut"
expect_code 1 "$web/cut: curl: (18)" "${fetch[@]}"
only small.csv
# a wrong one is not lost before there is a right one
cp "$tmp/www/empty.csv" "$tmp/data/numbers.csv"
expect_code 1 '' "${fetch[@]}"
only numbers.csv small.csv
rm "$tmp/data/numbers.csv"
list "numbers.csv - $(sum numbers.csv) http://127.0.0.1:1/numbers.csv"
expect_code 1 'http://127.0.0.1:1/numbers.csv: curl: (7)' "${fetch[@]}"
only small.csv
RLS2_CURL=$tmp/no-curl expect_code 1 'curl is not installed' "${fetch[@]}"
only small.csv

# ---- places that are no files, and those too long ----
list "numbers.csv - $(sum numbers.csv) $web/numbers.csv"
mkfifo "$tmp/data/numbers.csv"
expect_code 1 "$tmp/data/numbers.csv is there and is a pipe" "${fetch[@]}"
[ -p "$tmp/data/numbers.csv" ] || fail "the pipe was replaced"
rm "$tmp/data/numbers.csv"
echo precious >"$tmp/precious"
for target in "$tmp/precious" "$tmp/nowhere" /dev/null; do
    ln -s "$target" "$tmp/data/numbers.csv"
    expect_code 1 "$tmp/data/numbers.csv is there and is a symbolic link" "${fetch[@]}"
    [ -L "$tmp/data/numbers.csv" ] && [ ! -e "$tmp/nowhere" ] ||
        fail "the link to $target was replaced or followed"
    rm "$tmp/data/numbers.csv"
done
[ "$(cat "$tmp/precious")" = precious ] || fail "a file behind a link was overwritten"
ln -s "$tmp/www/numbers.csv" "$tmp/data/numbers.csv" # one to the right file is as good as the file
expect_code 0 '' "${fetch[@]}"
rm "$tmp/data/numbers.csv"
mkdir "$tmp/data/numbers.csv"
expect_code 1 'is a folder' "${fetch[@]}"
rmdir "$tmp/data/numbers.csv"
long=$tmp/data
while [ "${#long}" -lt 4089 ]; do long=$long/.; done
expect_code 1 'numbers.csv: the name of the folder that --data names is too long' reproduce data \
    --data "$long" --sources "$tmp/sources"
expect_code 1 '--data: the name of the folder is too long (' reproduce data \
    --data "$long/./././././././." --sources "$tmp/sources"
only small.csv

# ---- Ctrl-C ----
list "numbers.csv - $(sum numbers.csv) $web/stall"
set -m # or the shell would have the signal ignored
"$rls2" "${fetch[@]}" >"$tmp/out" 2>"$tmp/err" &
child=$!
set +m
for _ in $(seq 200); do
    [ -z "$(find "$tmp/data" -name '.numbers.csv.rls2-*' -size +0)" ] || break
    sleep 0.05
done
[ -n "$(find "$tmp/data" -name '.numbers.csv.rls2-*')" ] || fail "nothing is being fetched"
kill -INT "$child"
code=0
wait "$child" || code=$?
[ "$code" -eq 130 ] || fail "Ctrl-C ended it with $code: $(cat "$tmp/err")"
grep -q 'stopped' "$tmp/err" || fail "it did not say that it stopped"
only small.csv

# ---- lists that are none ----
refused() { # LINE TEXT
    list '# one' "$1"
    expect_code 1 "$tmp/sources:2: $2" "${fetch[@]}"
}
refused 'a b' 'a line is'
refused "a - $(sum small.csv) $web/a more" 'a line is'
refused "../a - $(sum small.csv) $web/a" 'the name of the file'
for name in .a -a a/b 'a*b' 'a:b' $'a\033[2Jb' $'a\177' 'ä'; do
    refused "$name - $(sum small.csv) $web/a" 'the name of the file'
done
refused "a ten $(sum small.csv) $web/a" 'the size'
refused "a - sha256:12 $web/a" 'the checksum'
refused "a - md5:12 $web/a" 'the checksum'
refused "a - $(sum small.csv) file:///etc/passwd" 'the address'
printf '# one\n# two\0\n%s\n' "$good" >"$tmp/sources"
expect_code 1 "$tmp/sources:2: there is a zero byte" "${fetch[@]}"
expect_code 1 "$tmp/none: No such file" reproduce data --data "$tmp/data" --sources "$tmp/none"
only small.csv
echo "ok"
