"""Writes the h5py-*.mat and hdf5storage.mat of this folder. Needs h5py, numpy and hdf5storage.

Unless said otherwise X is [1.5 -2; 3 4; 5 0.1], Y is [7; 8; 9] and T is logical([0; 1; 1]), and
integer X are [1 -2; 3 4; 5 100]. The matio-*.mat were written by libmatio: the same X, Y and T.
"""

import h5py
import hdf5storage
import numpy as np

X = np.array([[1.5, -2], [3, 4], [5, 0.1]])
Y = np.array([[7.0], [8], [9]])
T = np.array([[0], [1], [1]], np.uint8)
INTEGERS = np.array([[1, -2], [3, 4], [5, 100]])


class matlab:
    """An HDF5 file behind MATLAB's header."""

    def __init__(self, name, userblock=512, **options):
        self.path, self.userblock, self.options = name + ".mat", userblock, options

    def __enter__(self):
        self.file = h5py.File(self.path, "w", userblock_size=self.userblock, **self.options)
        return self.file

    def __exit__(self, *_):
        self.file.close()
        with open(self.path, "r+b") as file:
            file.write(b"MATLAB 7.3 MAT-file, made for tests".ljust(116) + b"\0" * 8 + b"\0\2IM")


def name_class(thing, class_name):
    thing.attrs["MATLAB_class"] = np.bytes_(class_name)
    return thing


def put(file, name, array, class_name="double", **options):
    return name_class(file.create_dataset(name, data=np.ascontiguousarray(array.T), **options),
                      class_name)


def put_all(file, x_options, options):
    put(file, "X", X, **x_options)
    put(file, "Y", Y, **options)
    put(file, "T", T, "logical", **options).attrs["MATLAB_int_decode"] = np.int32(1)


def put_compact(file, name, array, class_name="double"):
    plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plan.set_layout(h5py.h5d.COMPACT)
    array = np.ascontiguousarray(array.T)
    space = h5py.h5s.create_simple(array.shape)
    dataset = h5py.h5d.create(file.id, name.encode(), h5py.h5t.py_create(array.dtype), space, plan)
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, array)
    name_class(h5py.Dataset(dataset), class_name)


def put_sparse(file, rows, ir, jc, data):
    group = name_class(file.create_group("X"), "double")
    group.attrs["MATLAB_sparse"] = np.uint64(rows)
    if ir:  # MATLAB leaves them out where there are no entries
        group["ir"] = np.array(ir, np.uint64)
        group["data"] = np.array(data)
    group["jc"] = np.array(jc, np.uint64)


def put_part(file, **options):
    """Chunks of 2 x 2, of which one is written."""
    dataset = name_class(file.create_dataset("X", (4, 6), "<f8", chunks=(2, 2), **options),
                         "double")
    dataset[0:2, 2:4] = [[1, 2], [3, 4]]


# ---- what is read

with matlab("h5py-contiguous") as f:
    put_all(f, {}, {})
with matlab("h5py-userblock-1024", userblock=1024) as f:
    put_all(f, {}, {})
with matlab("h5py-compact") as f:
    put_compact(f, "X", X)
    put_compact(f, "Y", Y)
    put_compact(f, "T", T, "logical")
with matlab("h5py-chunked") as f:
    put_all(f, dict(chunks=(1, 2), compression="gzip", shuffle=True),
            dict(chunks=(1, 2), compression="gzip"))
with matlab("h5py-chunked-plain") as f:
    put_all(f, dict(chunks=(2, 2)), dict(chunks=(1, 3), shuffle=True))
with matlab("h5py-many-chunks") as f:  # trees of two levels: X[i, j] = 3 i + j
    put(f, "X", np.arange(210.0).reshape(70, 3), dtype="<f4", chunks=(1, 2), compression="gzip")
    for i in range(10):
        put_compact(f, "v%d" % i, Y[:1])
with matlab("h5py-absent-chunks") as f:
    put_part(f)
with matlab("h5py-unwritten") as f:
    name_class(f.create_dataset("X", (2, 3), "<f8"), "double")
for name, dtype, class_name in [
    ("single", "<f4", "single"),
    ("single-big", ">f4", "single"),
    ("double-big", ">f8", "double"),
    ("int8", "i1", "int8"),
    ("int16-big", ">i2", "int16"),
    ("int32", "<i4", "int32"),
    ("int64-big", ">i8", "int64"),
]:
    with matlab("h5py-" + name) as f:
        put(f, "X", INTEGERS, class_name, dtype=dtype)
with matlab("h5py-uint16") as f:
    put(f, "X", abs(INTEGERS), "uint16", dtype="<u2")
with matlab("h5py-sparse") as f:  # [1.5 0; 0 5; 3 0]
    put_sparse(f, 3, [0, 2, 1], [0, 2, 3], [1.5, 3, 5.0])
    put(f, "Y", Y)
with matlab("h5py-sparse-zeros") as f:
    put_sparse(f, 3, [], [0, 0, 0], [])
with matlab("h5py-matrix-y") as f:  # Y is 2 X
    put(f, "X", X)
    put(f, "Y", 2 * X)
with matlab("h5py-vector") as f:  # no classes, y of one dimension
    f.create_dataset("x", data=np.ascontiguousarray(X.T))
    f.create_dataset("y", data=Y.ravel())
with matlab("h5py-both-cases") as f:
    put(f, "X", X)
    put(f, "x", Y)
    put(f, "t", Y)
hdf5storage.savemat(
    "hdf5storage.mat",
    {"X": X, "Y": Y, "T": T.astype(bool)},
    format="7.3",
    store_python_metadata=False,
    oned_as="column",
)

# ---- what is refused

with matlab("h5py-sparse-bad") as f:  # a row that is not there
    put_sparse(f, 3, [0, 3, 1], [0, 2, 3], [1.5, 3, 5.0])
with matlab("h5py-empty") as f:
    name_class(f.create_dataset("X", data=np.array([0, 5], np.uint64)),
               "double").attrs["MATLAB_empty"] = np.uint8(1)
with matlab("h5py-three-dimensions") as f:
    put(f, "X", np.zeros((2, 3, 4)))
with matlab("h5py-fill") as f:
    put_part(f, fillvalue=7.0)
with matlab("h5py-fletcher") as f:
    put(f, "X", X, chunks=(1, 2), fletcher32=True)
with matlab("h5py-latest", libver="latest") as f:
    put(f, "X", X)
with matlab("h5py-text") as f:
    put(f, "X", np.array([[104, 105]], np.uint16), "char")
with matlab("h5py-cell") as f:
    one = f.create_group("#refs#").create_dataset("a", data=1.0)
    name_class(f.create_dataset("X", (1, 1), dtype=h5py.ref_dtype), "cell")[0, 0] = one.ref
with matlab("h5py-struct") as f:
    name_class(f.create_group("X"), "struct")["a"] = 1.0
with matlab("h5py-table") as f:
    name_class(f.create_dataset("X", data=np.array([[0xDD000000, 2, 1, 1, 1, 1]], np.uint32)),
               "table")
with matlab("h5py-complex") as f:
    pair = np.array([[(1.0, 2.0)]], dtype=[("real", "f8"), ("imag", "f8")])
    name_class(f.create_dataset("X", data=pair), "double")
with matlab("h5py-boolean") as f:  # an enumeration
    f.create_dataset("X", data=X.T > 1)
with matlab("h5py-beyond") as f:
    put(f, "X", np.array([[1], [2**53 + 1]]), "int64")
with matlab("h5py-no-x") as f:
    put(f, "A", X)
with matlab("h5py-nothing") as f:
    pass
with matlab("h5py-link") as f:
    f["X"] = h5py.SoftLink("/A")
    put(f, "A", X)
with matlab("h5py-external") as f:
    f.create_dataset("X", (2, 3), "<f8", external=[("absent.bin", 0, 48)])
