# The front door. CMake does the work; the presets are in CMakePresets.json.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 600

BUILD = cmake --preset $(1) >/dev/null && cmake --build --preset $(1) -j $(JOBS) $(2) $(QUIET)
# asked when a recipe runs: ninja may just have been installed, and older ones do not know --quiet
QUIET = $(shell ninja --help 2>&1 | grep -q -e --quiet && echo -- --quiet)
SOURCES = find include src cli gui/server experiments tests bench python/src r/src matlab/src \
	-name '*.[ch]'

.PHONY: all help deps built demo check python engines-check wheel gui gui-check bench bench-io \
	bench-loss bench-probabilities bench-margins bench-linear bench-growth bench-peers \
	bench-large bench-tall fuzz tsan judge mutants tables coverage install format clean \
	r r-check bench-r bench-engines bench-intervals bench-accuracy bench-loss-peers oracles \
	docs docs-check octave octave-check bench-octave deb dist dist-check

all: ## build the command build/rls2 and the libraries build/librls2.so and build/librls2.a
	@command -v cmake >/dev/null || { echo "cmake is missing: run 'make deps' first" >&2; exit 1; }
	@test -e build/rls2 || echo "building the command and the libraries: a minute or two ..."
	@$(call BUILD,release,--target rls2_shared rls2_static rls2_command rls2_manual)
	@echo "the command is build/rls2, see 'build/rls2 help'; the libraries are build/librls2.so, .a;"
	@echo "'make install' installs them, 'make help' lists what else there is"

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## install what the build needs (Debian, Ubuntu), or list it
	@tools/install-deps.sh build

# what 'all' builds, on a machine that may lack everything
built: deps
	@$(MAKE) --no-print-directory all

demo: built ## install what is missing, build, and run the demonstration
	@mkdir -p build/demo
	@build/rls2 demo -o build/demo/prostate.svg

check: ## install what is missing and run every test, those of the C code also under sanitizers
	@tools/install-deps.sh check
	@JOBS=$(JOBS) tools/check.sh

python: built ## build the Python package, install it in build/python-venv and run its tests
	@tools/install-deps.sh python
	@tools/python.sh test

engines-check: built ## dask, Spark, joblib, Arrow, MPI and Slurm, each of them real, and examples
	@tools/install-deps.sh engines
	@JOBS=$(JOBS) tools/engines-check.sh

octave: built ## the package for Octave: build/octave, and an archive for pkg install in dist/
	@tools/install-deps.sh octave
	@tools/octave.sh build
	@tools/octave.sh archive

octave-check: octave ## its tests, and pkg install of the archive
	@tools/octave.sh test build/rls2
	@tools/octave.sh try

wheel: ## a wheel with all it needs, for other machines, in dist/
	@tools/install-deps.sh python
	@tools/python.sh wheel

deb: ## Debian packages in dist/: library, command with the page, R, Octave and Python packages
	@tools/install-deps.sh deb
	@JOBS=$(JOBS) tools/deb.sh build
	@tools/deb.sh lint

dist: ## all that is handed on, in dist/: Debian packages, wheel, sources, R, Octave, conda; sums
	@tools/install-deps.sh dist
	@JOBS=$(JOBS) tools/dist.sh

dist-check: ## install each thing of dist/ in a clean root and use it (as root, on Debian)
	@tools/install-deps.sh dist-check
	@tools/dist-check.sh $(DIST)

r: ## build the R package (build/r/rls2_VERSION.tar.gz) and install it in build/r-library
	@tools/install-deps.sh r
	@tools/r.sh build
	@tools/r.sh install

r-check: ## R CMD check --as-cran on the R package, with its manual by TeX
	@tools/install-deps.sh r-check
	@tools/r.sh build
	@tools/r.sh check

bench-r: deps r ## what cv.rls2 takes beyond the library's own time, after building both
	@$(call BUILD,release,--target rls2_bench_overhead)
	@R_LIBS=build/r-library Rscript bench/overhead.R

bench-octave: octave ## what rls2_train takes beyond the library's own time, after building both
	@$(call BUILD,release,--target rls2_bench_overhead)
	@octave-cli --quiet --norc --path build/octave bench/overhead.m

bench: deps ## time paths and kernel matrices against their floors; tables, and JSON in build/bench
	@$(call BUILD,release,--target rls2_bench_path rls2_bench_kernels)
	@mkdir -p build/bench
	@build/rls2_bench_path build/bench/path.json
	@build/rls2_bench_kernels build/bench/kernels.json

bench-loss: deps ## factorisations of paths of every loss, beside those of the square loss
	@$(call BUILD,release,--target rls2_bench_loss)
	@mkdir -p build/bench
	@build/rls2_bench_loss build/bench/loss.json $(SETS)

bench-margins: deps ## the hinge loss on the paper's sets, beside support vector machines
	@tools/install-deps.sh python
	@$(call BUILD,release,--target rls2_bench_margins)
	@tools/python.sh env >/dev/null
	@mkdir -p build/margins
	@build/rls2_bench_margins build/margins $(SPLITS)
	@build/python-venv/bin/python bench/margins_svc.py build/margins

bench-probabilities: built ## log loss of left-out rows beside scikit-learn
	@tools/install-deps.sh python
	@tools/python.sh env >/dev/null
	@build/python-venv/bin/python tools/bench-probabilities.py $(PROBABILITIES)

bench-intervals: built ## coverage and width of prediction intervals (INTERVALS='--splits 5')
	@python3 tools/bench-intervals.py $(INTERVALS)

bench-loss-peers: deps ## paths of every loss beside programs of the same objective (LOSS_PEERS=...)
	@$(call BUILD,release,--target rls2_bench_loss_peers)
	@tools/oracles.sh speed $(LOSS_PEERS)

oracles: deps ## objectives of every loss against scikit-learn and glmnet, which it installs
	@$(call BUILD,release,--target rls2_bench_oracle)
	@tools/oracles.sh

bench-io: deps ## time reading a CSV file of 1 GB and predicting up to 400,000 rows, and memory
	@$(call BUILD,release,--target rls2_bench_csv rls2_bench_predict rls2_command)
	@build/rls2_bench_csv
	@build/rls2_bench_predict build/rls2

bench-growth: deps ## time and memory against rows and kernels (SERIES: n m large unstored)
	@$(call BUILD,release,--target rls2_bench_growth)
	@mkdir -p build/bench
	@OPENBLAS_NUM_THREADS=1 build/rls2_bench_growth build/bench $(SERIES)

bench-linear: deps ## linear paths of 100,000 columns beside glmnet on the same solutions
	@$(call BUILD,release,--target rls2_bench_linear)
	@tools/bench-linear.sh

bench-peers: built ## paths beside other programs: docs/PERFORMANCE.md (PEERS=--quick: one split)
	@$(call BUILD,release,--target rls2_bench_certify)
	@tools/bench-peers.sh $(PEERS)

bench-large: built ## fits of 500 to 100,000 rows beside other programs (LARGE='--before FILE ...')
	@tools/install-deps.sh python
	@tools/bench-large.py $(LARGE)

bench-accuracy: built ## errors on 16 real sets beside other programs (ACCURACY='--before FILE')
	@tools/install-deps.sh python
	@tools/bench-accuracy.py $(ACCURACY)

bench-tall: built ## fits of 10^4 to 10^8 rows beside other programs (TALL='--rows 1e6 ...')
	@tools/install-deps.sh python
	@tools/bench-tall.py $(TALL)

bench-engines: ## one worker beside two, after make engines-check (ENGINES='--rows 1e6 ...')
	@build/engines-venv/bin/python tools/bench-engines.py $(ENGINES)

fuzz: ## fuzz under ASan and UBSan for FUZZ_SECONDS (600), or FUZZ_RUNS inputs
	@tools/install-deps.sh fuzz
	@$(call BUILD,fuzz)
	@JOBS=$(JOBS) FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_RUNS=$(FUZZ_RUNS) \
	FUZZ_COVERAGE=$(FUZZ_COVERAGE) tools/fuzz.sh

tsan: ## the tests of library, server and Python package under ThreadSanitizer
	@tools/install-deps.sh tsan
	@JOBS=$(JOBS) tools/tsan.sh

judge: ## hold the certificates of PROBLEMS (5000) random problems of SEED (1) against long double
	@$(call BUILD,dev,--target rls2_judge)
	@build-dev/tests/rls2_judge $(or $(PROBLEMS),5000) $(or $(SEED),1)

mutants: ## change a line at a time and check that the tests notice (MUTANTS=regex: some)
	@tools/install-deps.sh check
	@MUTANTS='$(MUTANTS)' tools/mutants.py

tables: built ## raw tables of R and Python packages, and held-out rows of them (TABLES=names)
	@tools/install-deps.sh python
	@tools/real-tables.py $(TABLES)

coverage: ## report in build-coverage/html which lines the tests reach
	@tools/install-deps.sh coverage
	@$(call BUILD,coverage)
	@find build-coverage -name '*.gcda' -delete
	@ctest --preset coverage -j $(JOBS)
	@mkdir -p build-coverage/html
	@gcovr --root . --filter src/ --print-summary \
	--html-details build-coverage/html/index.html build-coverage

gui: ## install what is missing, build the page, and build/rls2 with it: then build/rls2 gui
	@tools/install-deps.sh gui
	@cd gui/page && npm ci --no-audit --no-fund --silent && npm run --silent build
	@cmake --preset release -DRLS2_GUI=ON >/dev/null
	@$(MAKE) --no-print-directory all

gui-check: gui ## drive the page in a browser (pictures in build/gui-check), then a load test
	@tools/install-deps.sh gui-check
	@cd gui/page && npm run --silent check && \
	node tests/journey.mjs $(CURDIR)/build/rls2 $(CURDIR)/build/gui-check
	@RLS2_COMMAND=$(CURDIR)/build/rls2 RLS2_LOAD_SECONDS=60 python3 -B gui/tests/test_load.py

docs: built ## the site of the documentation, build/site, with examples that are run on the way
	@tools/install-deps.sh docs
	@tools/docs.sh build

docs-check: docs ## that every link of the site leads somewhere
	@tools/docs.sh check

install: all ## install under PREFIX (/usr/local), staged below DESTDIR where given
	@DESTDIR='$(DESTDIR)' cmake --install build --prefix '$(PREFIX)'

format: ## lay out the sources by .clang-format
	@tools/install-deps.sh format
	@$(SOURCES) -exec clang-format -i {} +

clean: ## remove everything that was built
	@rm -rf dist build build-dev build-asan build-coverage build-fuzz build-mutants \
	build-fuzz-coverage build-tsan
