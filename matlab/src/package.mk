# Compiles the gateway with the library within, for pkg install. Flags are those of the tree
# (cmake/compile-options.cmake): results must be the same bits.
SOURCES = $(wildcard library/src/*/*.c)
OBJECTS = $(SOURCES:.c=.o)
CFLAGS_LIBRARY = -std=c17 -O3 -DNDEBUG -fPIC -fvisibility=hidden -fopenmp -ffp-contract=off \
	-fno-math-errno -D_GNU_SOURCE $(MULTIVERSION) -Ilibrary/include -Ilibrary/src \
	$(shell pkg-config --cflags openblas lapacke jansson zlib)
MULTIVERSION = $(shell test "`uname -sm`" = "Linux x86_64" && echo -DRLS2_MULTIVERSION=1)
LIBRARIES = $(shell pkg-config --libs openblas lapacke jansson zlib) -lgomp -lm
MKOCTFILE ?= mkoctfile

all: rls2_mex.mex

rls2_mex.mex: rls2_mex.c rls2_octave.cc $(OBJECTS)
	$(MKOCTFILE) --mex -DRLS2_OCTAVE -Ilibrary/include -o $@ $^ $(LIBRARIES)

library/src/kernel/maps.o library/src/kernel/spline.o: CFLAGS_LIBRARY += -fno-trapping-math

%.o: %.c
	$(CC) $(CFLAGS_LIBRARY) -c $< -o $@
