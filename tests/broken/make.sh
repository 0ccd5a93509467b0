#!/usr/bin/env bash
# Writes broken inputs of every kind into a folder, and the list of how each is to be used:
#
#   make.sh COMMAND DATA FOLDER
#
# COMMAND is rls2 (it makes the models that are then damaged), DATA the folder of the data sets.
# FOLDER/cases has a line for each case: expected exit code, a text that the message must contain,
# and the arguments of rls2, with the character 31 between them. Files are named after what is wrong
# with them.
set -euo pipefail

command=$1 data=$(cd "$2" && pwd)
mkdir -p "$3"
cd "$3"
: >cases

case_of() { # EXIT TEXT ARGUMENT...
    local IFS=$'\x1f'
    echo "$*" >>cases
}

# ---- CSV ----

# Bytes (printf's escapes) that cannot be trained from; the message must name the file and contain
# TEXT.
csv() { # NAME TEXT BYTES [OPTION...]
    local name=$1 text=$2 bytes=$3
    shift 3
    printf "$bytes" >"$name"
    case_of 1 "$text" path "$name" --target y "$@"
}

csv empty.csv 'empty' ''
csv bom-only.csv 'empty' '\xEF\xBB\xBF'
csv newline-only.csv 'has no name' '\n'
csv newlines-only.csv 'no name' '\n\n\n\n'
csv blank-header.csv 'no name' '  ,  \n1,2\n'
csv header-only.csv 'no data rows' 'a,b,y\n'
csv header-without-newline.csv 'no data rows' 'a,b,y'
csv same-names.csv "the same name 'y'" 'y,y,y\n1,2,3\n2,3,4\n'
csv no-names.csv 'no name' '"","",""\n1,2,3\n'
csv short-row.csv ':3:' 'a,b,y\n1,2,3\n4,5\n6,7,8\n'
csv long-row.csv ':3:' 'a,b,y\n1,2,3\n4,5,6,7\n'
csv short-last-row.csv ':4:' 'a,b,y\n1,2,3\n4,5,6\n7'
csv open-quote.csv 'never closed' 'a,b,y\n1,"2,3\n4,5,6\n'
csv open-quote-at-end.csv 'never closed' 'a,b,y\n1,2,"'
csv open-quote-in-header.csv 'never closed' 'a,"b,y\n1,2,3\n'
csv after-quote.csv 'after the closing quote' 'a,b,y\n1,"2"x,3\n'
csv quote-inside.csv 'a quote inside' 'a,b,y\n1,2"2,3\n'
csv nul.csv 'NUL' 'a,b,y\n1,\x00,3\n'
csv nul-in-header.csv 'NUL' 'a,\x00b,y\n1,2,3\n'
csv nul-at-end.csv 'NUL' 'a,b,y\n1,2,3\n4,5,6\n\x00'
csv only-nuls.csv 'NUL' '\x00\x00\x00\x00\x00\x00'
csv carriage-return.csv 'carriage return' 'a,b,y\r1,2,3\r4,5,6\r'
csv utf16-le-ragged.csv ':2: 1 cell' '\xFF\xFEa\x00,\x00y\x00\n\x001\x00\n\x00'
csv utf16-be-open-quote.csv 'never closed' '\xFE\xFF\x00a\x00,\x00y\x00\n\x001\x00,\x00"\x002'
csv utf16-cut.csv 'no data rows' '\xFF\xFEa\x00,\x00y\x00\n'
csv utf16-lone-surrogate.csv 'no data rows' '\xFF\xFE\x00\xD8a\x00,\x00y\x00'
csv latin1-slip.csv 'öö' 'a,y\n1,2\n3,4\n\xf6\xf6,5\n6,7\n'
csv slip.csv ":4: column 'b': 'oops' is not a number" 'a,b,y\n1,2,3\n4,5,6\n7,oops,9\n'
csv slip-in-target.csv ":3: column 'y': 'x' is not a number" 'a,y\n1,2\n3,x\n5,6\n'
csv hexadecimal.csv "'0x10' is not a number" 'a,y\n1,2\n0x10,3\n2,4\n'
csv infinity.csv ":3: column 'a': 'inf' is not a finite number" 'a,y\n1,2\ninf,3\n2,4\n'
csv minus-infinity.csv ":3: column 'a': '-Infinity' is not a finite" 'a,y\n1,2\n-Infinity,3\n2,4\n'
csv not-a-number.csv "'nan' is not a number" 'a,y\n1,2\nnan,3\n2,4\n' --na none
csv na.csv "'NA' is not a number" 'a,y\n1,2\nNA,3\n2,4\n' --na '?'
csv overflow.csv "'1e999' is not a number" 'a,y\n1,2\n1e999,3\n2,4\n'
csv two-points.csv "'1.2.3' is not a number" 'a,y\n1,2\n1.2.3,3\n2,4\n'
csv thousands.csv "'1 00' is not a number" 'a,y\n1,2\n1 00,3\n2,4\n'
csv decimal-comma.csv "'1,5' is not a number" 'a;y\n1;2\n1,5;3\n2;4\n' --decimal .
csv decimal-point.csv "'1.5' is not a number" 'a;y\n1;2\n1.5;3\n2;4\n' --decimal ,
csv two-decimals.csv "'1,5' is not a number" 'a;y\n1.25;2\n1,5;3\n2;4\n'
csv impossible-day.csv 'too many' 'a,y\n1,2001-02-30\n2,2001-02-29\n3,2001-13-01\n4,x\n'
csv blanks-ragged.txt ':3: 2 cells' 'a b y\n1 2 3\n4 5\n6 7 8\n'
csv bars-ragged.txt ':3: 2 cells' 'a|b|y\n1|2|3\n4|5\n6|7|8\n'
csv short-header-ragged.txt ':2: 4 cells' 'a b y\n1 1 2 3\n2 4 5\n'
csv trailing-exponent.csv "'1e' is not a number" 'a,y\n1,2\n1e,3\n2,4\n'
csv all-missing.csv 'every row has an empty cell' 'a,b,y\n1,,3\n,2,3\n4,5,\n' --missing drop
csv missing-column.csv 'every row has an empty cell' 'a,b,y\n1,,3\n,2,3\n4,,5\n' --missing drop
csv mostly-infinite.csv "'inf' is not a finite number" 'a,y\ninf,2\ninf,3\n2,4\n-inf,5\n'
csv missing-target.csv 'every row has an empty cell' 'a,b,y\n1,2,\n3,2,\n4,7,\n'
csv missing-is-error.csv ':3:' 'a,b,y\n1,2,3\n,2,3\n4,5,6\n' --missing error
csv missing-target-is-error.csv ':3:' 'a,b,y\n1,2,3\n2,2,\n4,5,6\n' --missing error
csv three-classes.csv 'too many to be classes' 'a,y\n1,p\n2,q\n3,r\n4,p\n'
csv one-class.csv '2 classes are needed, not 1' 'a,y\n1,p\n2,p\n3,p\n'
csv numbers-as-classes.csv 'too many to be classes' 'a,y\n1,1\n2,2\n3,3\n4,4\n' \
    --task classification
csv texts-as-numbers.csv "is not a number" 'a,y\n1,p\n2,q\n3,p\n4,q\n' --task regression
csv no-inputs.csv 'no inputs' 'y\n1\n2\n3\n'
csv all-constant.csv '' 'a,b,y\n1,2,3\n1,2,4\n1,2,5\n' --kernels 'linear@each' --standardize
csv huge-values.csv '' 'a,y\n1e308,1\n-1e308,2\n1e307,3\n' --no-standardize \
    --kernels 'poly(3)@all'
csv huge-target.csv 'too large' 'a,y\n1,1e200\n2,-1e200\n3,1e300\n'
csv indicator-clash.csv "two inputs would have the name 'a=p'" 'a,a=p,y\np,1,1\nq,2,2\np,3,3\n'
csv no-header-ragged.csv ':2:' '1,2,3\n4,5\n' --no-header --target x3
csv semicolons-ragged.csv ':3:' 'a;b;y\n1;2;3\n4;5\n'
csv tabs-ragged.tsv ':3:' 'a\tb\ty\n1\t2\t3\n4\t5\n'
csv png.csv 'this is a picture, not a table' '\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00'
printf '<!DOCTYPE html>\n<html><body>Not Found</body></html>\n' >html.csv
case_of 1 'this is a web page' path html.csv --target y
csv workbook.xlsx 'save it as CSV' \
    'PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00AAAABBBBCCCC\x13\x00\x00\x00[Content_Types].xml'
csv workbook.xls 'save it as CSV' '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\x00\x00'
csv table.parquet 'pyarrow' 'PAR1\x15\x04\x15\x10'
csv table.feather 'pyarrow' 'ARROW1\x00\x00'
csv frame.rds 'readRDS' 'X\n\x00\x00\x00\x03\x00\x04'
csv frame.RData 'write.csv' 'RDX3\nX\n\x00\x00\x00\x03'
csv table.dta 'read_stata' '<stata_dta><header>'
csv table.sav 'read_spss' '$FL2@(#) SPSS DATA FILE'
csv table.db 'SQLite' 'SQLite format 3\x00\x10\x00'
csv rows.json 'read_json' '[{"a": 1, "y": 2}]\n'
csv document.csv 'this is a PDF document, not a table' '%%PDF-1.4\n1 0 obj\n'
csv elf.csv 'NUL' '\x7fELF\x02\x01\x01\x00\x00\x00'
head -c 4096 /dev/urandom >noise.csv
case_of 1 'noise.csv' path noise.csv --target y

case_of 1 'no such file' path not-there.csv --target y
mkdir -p folder.csv
case_of 1 'directory' path folder.csv --target y
printf 'a,b,y\n1,2,3\n2,1,4\n3,5,1\n0,2,2\n' >good.csv
case_of 2 "no column 'yy'" path good.csv --target yy
case_of 2 '--target is needed' path good.csv
case_of 2 "no column 'c'" path good.csv --target y --drop c
case_of 2 "no column 'c'" path good.csv --target y --categorical c
case_of 2 'is the target' path good.csv --target y --drop y
case_of 2 'COLUMN=VALUE' path good.csv --target y --test-rows a
case_of 2 'no column' path good.csv --target y --test-rows c=1
case_of 1 'none of the 4 rows' path good.csv --target y --test-rows a=17
case_of 2 'exclude each other' path good.csv --target y --test good.csv --test-rows a=1
case_of 2 '--transductive' path good.csv --target y --transductive
case_of 1 'no such file' path good.csv --target y --test not-there.csv
case_of 2 'unknown kernel' path good.csv --target y --kernels 'rfb(1)@all'
case_of 2 "unknown column 'c'" path good.csv --target y --kernels 'rbf(1)@c'
case_of 2 '' path good.csv --target y --kernels 'rbf(1'
case_of 2 '' path good.csv --target y --kernels 'given(K)'
case_of 2 'NAME=COLUMN' path good.csv --target y --group g --kernels 'rbf(1)@group:g'
case_of 2 "no input is called 'z'" path good.csv --target y --group g=z --kernels 'rbf(1)@group:g'
case_of 2 'lambda' path good.csv --target y --lambda -1
case_of 2 'lambda' path good.csv --target y --lambda 0
case_of 2 'lambdas' path good.csv --target y --lambdas 1:2
case_of 2 'lambdas' path good.csv --target y --lambdas 5:1:3
case_of 2 'lambdas' path good.csv --target y --lambdas 1,2,x
case_of 2 'it must be positive' path good.csv --target y --lambdas 1:2:3 --lambda -1
case_of 2 'gap-tol' path good.csv --target y --gap-tol 0
case_of 2 'max-iter' path good.csv --target y --max-iter 0
case_of 2 'memory' path good.csv --target y --memory lots
case_of 2 'memory' kernels good.csv --target y --memory 0
case_of 2 'needs classes' path good.csv --target y --scaling fisher
case_of 2 'folds' cv good.csv --target y --folds 1
case_of 2 'repeats' cv good.csv --target y --repeats 0
case_of 2 'share' cv good.csv --target y --splits 3 --share 1
case_of 2 'is for classification' cv good.csv --target y --measure auc
case_of 2 'not one of' cv good.csv --target y --measure rmes
case_of 2 "no column 'c'" cv good.csv --target y --fold-column c
case_of 2 'exclude each other' cv good.csv --target y --fold-column a --splits 3
case_of 2 'lambdas' cv good.csv --target y --lambdas 1:2
case_of 1 'it must be 4 x 4' cv good.csv --target y --given K=good.csv
case_of 1 'too many to be classes' cv three-classes.csv --target y
case_of 2 'transductive' train good.csv --target y --test good.csv --transductive
case_of 2 'not one of' train good.csv --target y --select best
case_of 2 '--confusion counts classes' cv good.csv --target y --confusion
case_of 2 'two ways to choose lambda' train good.csv --target y --select aic --validation-rows a=1
case_of 2 'takes one target, and there are 2' train good.csv --target y --target a \
    --task classification
case_of 2 '-t a -t y' train good.csv --target a,y
csv shares.csv 'the weights sum to 1: a weight says how many rows' \
    'a,w,y\n1,0.5,3\n2,0.25,4\n5,0.25,1\n' --row-weights w --standardize
printf 'a,y,use\n1,p,l\n2,q,l\n3,p,l\n4,q,l\n5,p,l\n6,q,l\n7,r,c\n8,p,c\n9,r,c\n' \
    >validation-class.csv
case_of 1 "validation-class.csv:8: column 'y': the class 'r'" cv validation-class.csv --target y \
    --validation-rows use=c
printf 'a,y\n1,p\n2,q\n3,p\n4,q\n5,p\n6,q\n' >two-classes.csv
case_of 2 "did you mean 'balanced'?" path two-classes.csv --target y --class-weights Balanced
case_of 2 'lambdas' train good.csv --target y --lambda 1 --lambdas 1:2
case_of 1 'not-there' train good.csv --target y --lambda 1 -o not-there/model
case_of 1 'folder.csv' train good.csv --target y --lambda 1 -o folder.csv

printf '1,0,0,0\n0,1,0,0\n0,0,1,0\n0,0,0,1\n' >identity.csv
case_of 2 'would be overwritten' train good.csv --target y --lambda 1 -o good.csv
case_of 2 'would be overwritten' path good.csv --target y --test identity.csv -o identity.csv
case_of 2 'exclude each other' path good.csv --target y --standardize --features unit
case_of 2 'is the target' path good.csv --target y --test-rows y=3
case_of 2 'delimiter' path good.csv --target y --delimiter abc
csv decimal-target.csv '--decimal ,' 'a;y\n1;1,5\n2;2,5\n3;3,5\n' --decimal .
csv decimal-and-text.csv '--na TEXT' 'a;y\n1,5;1\nn.d.;2\n3,5;3\n' --decimal ,

# ---- gzip ----

printf 'a,b,y\n1,2,3\n2,1,4\n3,5,1\n' | gzip -n >whole.gz
size=$(wc -c <whole.gz)
packed() { # NAME TEXT
    case_of 1 "$2" path "$1" --target y
}
for cut in 1 2 5 10 $((size - 9)) $((size - 4)) $((size - 1)); do
    head -c "$cut" whole.gz >"cut-$cut.csv.gz"
    packed "cut-$cut.csv.gz" "cut-$cut.csv.gz"
done
{ head -c $((size - 8)) whole.gz; printf '\x00\x00\x00\x00'; tail -c 4 whole.gz; } >wrong-crc.csv.gz
packed wrong-crc.csv.gz wrong-crc
{ head -c $((size - 4)) whole.gz; printf '\x01\x00\x00\x00'; } >wrong-length.csv.gz
packed wrong-length.csv.gz wrong-length
{ cat whole.gz; printf 'garbage'; } >garbage-after.csv.gz
packed garbage-after.csv.gz garbage-after
{ head -c 15 whole.gz; printf '\xff\xff\xff'; tail -c +19 whole.gz; } >damaged.csv.gz
packed damaged.csv.gz damaged
printf '\x1f\x8b\x07\x00' >wrong-method.csv.gz
packed wrong-method.csv.gz wrong-method
printf '' | gzip -n >of-nothing.csv.gz
packed of-nothing.csv.gz empty
printf 'a,b,y\n1,2\n' | gzip -n >ragged.csv.gz
packed ragged.csv.gz ':2:'

# ---- LIBSVM ----

libsvm() { # NAME TEXT BYTES
    printf "$3" >"$1"
    case_of 1 "$2" path "$1"
}
libsvm no-label.svm ':2:' '1 1:2 2:3\n1:2 2:3\n'
libsvm word-label.svm ':1:' 'cat 1:2 2:3\n'
libsvm nan-label.svm ':1:' 'nan 1:2 2:3\n'
libsvm descending.svm ':2:' '1 1:2 2:3\n2 2:2 1:3\n'
libsvm same-index.svm ':2:' '1 1:2 2:3\n2 2:2 2:3\n'
libsvm negative-index.svm ':1:' '1 -1:2\n'
libsvm zero-index.svm ':2:' '1 1:2\n2 0:2 1:3\n'
libsvm fraction-index.svm ':1:' '1 1.5:2\n'
libsvm word-index.svm ':1:' '1 a:2\n'
libsvm huge-index.svm ':1:' '1 99999999999999999999:2\n'
libsvm large-index.svm '' '1 1:1\n2 9000000000000000000:2\n'
libsvm no-value.svm ':1:' '1 1:\n'
libsvm no-colon.svm ':1:' '1 1:2 3\n'
libsvm word-value.svm ':2:' '1 1:2\n2 1:x\n'
libsvm infinite-value.svm ':1:' '1 1:inf\n'
libsvm two-colons.svm ':1:' '1 1:2:3\n'
libsvm qid.svm 'qid' '1 qid:1 1:2\n'
libsvm comments-only.svm '' '# nothing\n# here\n'
libsvm empty.svm '' ''
libsvm nul.svm ':1:' '1 1:\x002\n'
libsvm labels-only.svm 'no inputs' '1\n2\n3\n'
libsvm mixed-precomputed.svm ':2:' '1 0:1 1:1 2:0\n2 1:0 2:1\n'
libsvm precomputed-gap.svm ':2:' '1 0:1 1:1 2:0\n2 0:2 1:0 3:1\n'
libsvm precomputed-short.svm ':2:' '1 0:1 1:1 2:0\n2 0:2 1:0\n'
libsvm precomputed-not-square.svm 'precomputed' '1 0:1 1:1 2:0 3:0\n2 0:2 1:0 2:1 3:0\n'
libsvm precomputed-uneven.svm 'not symmetric' '1 0:1 1:1 2:0.9\n2 0:2 1:0.1 2:1\n'
libsvm precomputed-negative.svm 'semi-definite' '1 0:1 1:1 2:3\n2 0:2 1:3 2:1\n'
libsvm precomputed-serial.svm ':1:' '1 0:x 1:1 2:0\n2 0:2 1:0 2:1\n'

# ---- NPY, NPZ ----

# The header of a .npy file of version 1.0, its dictionary padded to 118 bytes.
npy_header() { # DICTIONARY
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "$1"
}
one='\x00\x00\x00\x00\x00\x00\xf0\x3f'
npy() { # NAME TEXT DICTIONARY DATA
    { npy_header "$3"; printf "$4"; } >"$1"
    case_of 1 "$2" path "$1" --target x2
}
shape="'shape': (2, 2), }"
npy cut-data.npy cut-data "{'descr': '<f8', 'fortran_order': False, $shape" "$one$one$one"
npy no-data.npy no-data "{'descr': '<f8', 'fortran_order': False, $shape" ''
npy more-data.npy more-data "{'descr': '<f8', 'fortran_order': False, $shape" "$one$one$one$one$one"
npy object.npy "'|O'" "{'descr': '|O', 'fortran_order': False, $shape" "$one$one$one$one"
npy complex.npy "'<c16'" "{'descr': '<c16', 'fortran_order': False, $shape" \
    "$one$one$one$one$one$one$one$one"
npy text.npy "'<U4'" "{'descr': '<U4', 'fortran_order': False, $shape" \
    "$one$one$one$one$one$one$one$one"
npy half.npy "'<f2'" "{'descr': '<f2', 'fortran_order': False, $shape" "$one"
npy structured.npy structured "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (4,), }" \
    "$one$one$one$one"
npy three-dimensions.npy '(1, 2, 2)' \
    "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2, 2), }" "$one$one$one$one"
npy no-dimension.npy '()' "{'descr': '<f8', 'fortran_order': False, 'shape': (), }" "$one"
npy no-rows.npy no-rows "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 2), }" ''
npy no-columns.npy no-columns "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 0), }" ''
npy negative-shape.npy negative-shape \
    "{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 2), }" "$one"
npy huge-shape.npy huge-shape \
    "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }" "$one"
npy overflowing-shape.npy overflowing-shape \
    "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 1), }" "$one"
npy no-shape.npy shape "{'descr': '<f8', 'fortran_order': False, }" "$one"
npy no-descr.npy descr "{'fortran_order': False, $shape" "$one$one$one$one"
npy no-order.npy fortran_order "{'descr': '<f8', $shape" "$one$one$one$one"
npy not-a-dictionary.npy not-a-dictionary "[1, 2, 3]" "$one"
npy unclosed.npy unclosed "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2" \
    "$one$one$one$one"
npy infinity.npy 'row 1' "{'descr': '<f8', 'fortran_order': False, $shape" \
    "\\x00\\x00\\x00\\x00\\x00\\x00\\xf0\\x7f$one$one$one"
npy all-nan.npy "no inputs beside the target" "{'descr': '<f8', 'fortran_order': False, $shape" \
    "\\x00\\x00\\x00\\x00\\x00\\x00\\xf8\\x7f$one\\x00\\x00\\x00\\x00\\x00\\x00\\xf8\\x7f$one"
printf '\x93NUMPY' >magic-only.npy
case_of 1 magic-only path magic-only.npy --target x1
printf '\x93NUMPY\x09\x00\x02\x00{}' >new-version.npy
case_of 1 new-version path new-version.npy --target x1
printf '\x93NUMPY\x01\x00\xff\xff{}' >long-header.npy
case_of 1 long-header path long-header.npy --target x1
printf 'x' >wrong-magic.npy
case_of 1 wrong-magic path wrong-magic.npy --target x1 --format npy

printf 'PK\x03\x04' >signature-only.npz
case_of 1 signature-only path signature-only.npz
printf 'PK\x05\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00' \
    >no-members.npz
case_of 1 no-members path no-members.npz --format npz
{
    printf 'PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00'
    printf '\x08\x00\x00\x00\x08\x00\x00\x00\x05\x00\x00\x00X.npy12345678'
} >no-directory.npz
case_of 1 no-directory path no-directory.npz
printf 'not a zip' >not-a-zip.npz
case_of 1 not-a-zip path not-a-zip.npz --format npz
{ printf 'PK\x03\x04'; head -c 600 /dev/zero; } >zeros.npz
case_of 1 zeros path zeros.npz

# ---- MATLAB ----

mat() { # NAME
    case_of 1 "${1%.mat}" path "$1"
}
level5() { # what every file of version 5 starts with
    printf '%-116s' 'MATLAB 5.0 MAT-file'
    printf '\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01IM'
}
level5 >mat-header-only.mat
mat mat-header-only.mat
level5 | head -c 60 >mat-cut-header.mat
mat mat-cut-header.mat
{ level5; printf '\x0e\x00\x00\x00\xff\xff\xff\x7f'; } >mat-long-element.mat
mat mat-long-element.mat
{ level5; printf '\x0f\x00\x00\x00\x08\x00\x00\x00notzlib!'; } >mat-not-deflated.mat
mat mat-not-deflated.mat
{ level5; printf '\x63\x00\x00\x00\x08\x00\x00\x0012345678'; } >mat-unknown-type.mat
mat mat-unknown-type.mat
{ level5; head -c 64 /dev/zero; } >mat-zeros.mat
mat mat-zeros.mat
level73() { # and of version 7.3
    printf '%-116s' 'MATLAB 7.3 MAT-file'
    printf '\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02IM'
    head -c 384 /dev/zero
}
hdf5() {
    level73
    printf '\x89HDF\r\n\x1a\n'
}
{ printf '%-116s' 'MATLAB 7.3 MAT-file'; head -c 12 /dev/zero; } >mat-hdf-absent.mat
mat mat-hdf-absent.mat
hdf5 >mat-hdf-only.mat
mat mat-hdf-only.mat
level73 >mat-hdf-header.mat
mat mat-hdf-header.mat
{ hdf5; head -c 512 /dev/zero; } >mat-hdf-zeros.mat
mat mat-hdf-zeros.mat
{ hdf5; printf '\x02\x08\x08\x00'; head -c 512 /dev/zero; } >mat-hdf-newer.mat
case_of 1 'a newer form of HDF5' path mat-hdf-newer.mat
printf 'hello' >mat-not.mat
case_of 1 mat-not path mat-not.mat --format mat
case_of 1 'stdin: not a MATLAB file' path - --format mat

# ---- given matrices ----

given() { # NAME EXIT TEXT BYTES
    printf "$4" >"$1"
    case_of "$2" "$3" path good.csv --target y --given K="$1" --kernels 'given(K)'
}
given given-not-square.csv 1 "matrix 'K'" '1,0,0\n0,1,0\n0,0,1\n'
given given-wide.csv 1 "matrix 'K'" '1,0,0,0,0\n0,1,0,0,0\n0,0,1,0,0\n0,0,0,1,0\n'
given given-text.csv 1 "matrix 'K'" '1,0,0,a\n0,1,0,0\n0,0,1,0\na,0,0,1\n'
given given-missing.csv 1 "matrix 'K'" '1,0,0,\n0,1,0,0\n0,0,1,0\n0,0,0,1\n'
given given-uneven.csv 1 'not symmetric' '1,0,0,1\n0,1,0,0\n0,0,1,0\n0,0,0,1\n'
given given-indefinite.csv 1 'semi-definite' '1,2,0,0\n2,1,0,0\n0,0,1,0\n0,0,0,1\n'
case_of 2 'NAME=FILE' path good.csv --target y --given K --kernels 'given(K)'
case_of 1 'no such file' path good.csv --target y --given K=not-there.csv --kernels 'given(K)'

# ---- models ----

"$command" train "$data/servo.csv" --target rise_time --lambda 0.01 --quiet -o whole.model \
    >/dev/null
"$command" train "$data/pima.csv" --target diabetes --task classification --standardize \
    --lambda 1 -k linear \
    --quiet -o classes.model >/dev/null
model() { # NAME TEXT
    case_of 1 "$2" show "$1"
}
size=$(wc -c <whole.model)
for cut in 0 1 7 8 9 100 1000 $((size / 2)) $((size - 8)) $((size - 1)); do
    head -c "$cut" whole.model >"cut-$cut.model"
    model "cut-$cut.model" "cut-$cut.model"
done
# One byte changed: in the length, the header, the description, the numbers.
for at in 0 3 8 9 20 50 200 500 1000 2000 $((size / 2)) $((size - 1)); do
    {
        head -c "$at" whole.model
        byte=$(head -c $((at + 1)) whole.model | tail -c 1 | od -An -tu1 | tr -d ' ')
        printf "\\x$(printf %02x $((${byte:-0} ^ 4)))"
        tail -c +$((at + 2)) whole.model
    } >"flipped-$at.model"
    model "flipped-$at.model" "flipped-$at.model"
done
{ cat whole.model; printf 'x'; } >longer.model
model longer.model longer.model
sed -e 's/\\"format_version\\"/\\"format_versiom\\"/' \
    -e 's/"format_version":"[1-5]"/"format_version":"9"/' \
    -e 's/"format_version": "[1-5]"/"format_version": "9"/' \
    whole.model >newer.model
model newer.model 'version 9'
printf '\xff\xff\xff\xff\xff\xff\xff\xff' >endless.model
model endless.model endless
printf '\x02\x00\x00\x00\x00\x00\x00\x00{}' >nothing-in-it.model
model nothing-in-it.model nothing-in-it
printf '\x08\x00\x00\x00\x00\x00\x00\x00not json' >not-json.model
model not-json.model not-json
model good.csv good.csv
case_of 1 'no such file' show not-there.model
case_of 1 'no such file' predict not-there.model good.csv
case_of 1 'no such file' verify whole.model not-there.csv
case_of 1 'cut-100.model' predict cut-100.model good.csv
case_of 1 'cut-100.model' verify cut-100.model good.csv
case_of 1 'cut-100.model' plot cut-100.model

# ---- new rows for a model ----

new_rows() { # NAME TEXT BYTES
    printf "$3" >"$1"
    case_of 1 "$2" predict whole.model "$1"
}
new_rows new-lacks-a-column.csv "no column 'screw'" 'motor,pgain,vgain\nA,5,4\n'
new_rows new-misspelt.csv "did you mean 'moter'" 'moter,screw,pgain,vgain\nA,A,5,4\n'
printf 'motor,screw,pgain,vgain\nA,A,5,4\nZ,A,5,4\n' >new-category.csv
case_of 1 "'Z' was not among the training values" predict whole.model new-category.csv --strict
case_of 1 "no column 'name'" predict whole.model new-category.csv --keep name
new_rows new-text-for-number.csv "'many' is not a number" 'motor,screw,pgain,vgain\nA,A,many,4\n'
new_rows new-ragged.csv ':3:' 'motor,screw,pgain,vgain\nA,A,5,4\nB,B,5\n'
new_rows new-empty.csv 'empty' ''
new_rows new-no-rows.csv 'no data rows' 'motor,screw,pgain,vgain\n'
printf 'motor,screw,pgain,vgain\nA,A,5,4\nB,,5,4\n' >new-missing.csv
case_of 1 ':3:' predict whole.model new-missing.csv --missing error
printf 'motor,screw,pgain,vgain,rise_time\nA,A,5,4,1\nB,B,5,4,2\n' >new-trained.csv
case_of 2 'would be overwritten' predict whole.model new-missing.csv -o new-missing.csv
case_of 2 'delimiter' predict whole.model new-missing.csv --delimiter abc
case_of 1 'not its training data' verify whole.model new-trained.csv
sed '2s/,[^,]*$/,9.9/' "$data/servo.csv" >changed.csv
case_of 1 'NOT hold' verify whole.model changed.csv
case_of 1 'this is a model, not a table' predict classes.model whole.model

# ---- results of a path ----

result() { # NAME BYTES
    printf "$2" >"$1"
    case_of 1 "$1" plot "$1"
}
result result-empty.json ''
result result-cut.json '{"n": 5, "path": [{"lambda": 1'
result result-array.json '[1, 2, 3]'
result result-outputs-no-list.json '{"outputs": "x", "path": [{"lambda": 1, "outputs": []}]}'
result result-outputs-no-entry.json \
    '{"outputs": ["x"], "path": [{"lambda": 1, "kernels": 0, "outputs": []}]}'
result result-outputs-one-number.json \
    '{"outputs": ["x"], "path": [{"lambda": 1, "kernels": 0, "outputs": 7}]}'
printf '{"outputs": ["x", "y"], "path": [{"lambda": 1, "kernels": 0, "outputs": []}]}' \
    >result-outputs.json
case_of 2 "is a path of 'x', 'y'" plot result-outputs.json --of z
case_of 2 'predicts nothing of that name' plot whole.model --of z
result result-no-path.json '{"n": 5, "m": 3, "task": "regression"}'
result result-empty-path.json \
    '{"n": 5, "m": 3, "task": "regression", "solver": "newton", "path": []}'
result result-text-lambda.json \
    '{"n": 5, "m": 3, "task": "regression", "solver": "newton", "path": [{"lambda": "one"}]}'
result result-wrong-selected.json \
    '{"n": 5, "m": 3, "task": "regression", "solver": "newton",
      "path": [{"lambda": 1, "df": 1, "selected": 7}]}'
result curve-short.json \
    '{"lambda": [1, 0.5], "cvm": [1], "cvsd": [0, 0], "nzero": [1, 1],
      "lambda.min": 1, "lambda.1se": 1}'
result curve-texts.json \
    '{"lambda": [1, "x"], "cvm": [1, 2], "cvsd": [0, 0], "nzero": [1, 1],
      "lambda.min": 1, "lambda.1se": 1}'
result curve-other-min.json \
    '{"lambda": [1], "cvm": [1], "cvsd": [0], "nzero": [1], "lambda.min": 7, "lambda.1se": 1}'
result curve-negative.json \
    '{"lambda": [-1], "cvm": [1], "cvsd": [0], "nzero": [1], "lambda.min": -1, "lambda.1se": -1}'
result curve-empty.json \
    '{"lambda": [], "cvm": [], "cvsd": [], "nzero": [], "lambda.min": 1, "lambda.1se": 1}'
