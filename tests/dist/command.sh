#!/bin/sh
# The installed command, without the sources: learns, predicts, verifies, and has its papers.
set -eu
data=/usr/share/rls2/data
cd "$(mktemp -d)"

rls2 demo | grep '11 of 11 lines agree'
rls2 train "$data/housing.csv" -t MEDV -o housing.model
rls2 predict housing.model "$data/housing.csv" -o predicted.csv
[ "$(wc -l <predicted.csv)" -eq 507 ]
rls2 train "$data/prostate.csv" -t lpsa --plain -o prostate.model
rls2 verify prostate.model "$data/prostate.csv"
rls2 help licences | grep 'Apache License'
rls2 help licences | grep zrender
test -s /usr/share/doc/rls2/THIRD-PARTY.txt
test -s /usr/share/doc/rls2/copyright
test -s "$data/README.md"
