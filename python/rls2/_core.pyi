"""librls2 as Python sees it: thin, typed, without defaults and without policy.

Everything here is implemented in C (python/src/*.c) on the public headers alone. Arrays in are
anything with the buffer protocol, of C doubles (int64 where said); arrays out are `Array`, which
numpy.asarray() views without a copy. Long calls release the GIL, look for signals about every
50 ms, and raise KeyboardInterrupt when there is one.

Failures raise RLS2Error (a ValueError) for what the caller got wrong, with `status` and `position`,
MemoryError, OSError for files (FileNotFoundError, IsADirectoryError, PermissionError where one that
is read is so), FloatingPointError for failed factorisations; the text is the library's own.
"""
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, NamedTuple, TypeAlias, TypedDict, final

import typing_extensions
from numpy.typing import NDArray

__version__: str

# Before Python 3.12 type checkers do not know that numpy's arrays have the buffer protocol.
Buffer: TypeAlias = typing_extensions.Buffer | NDArray[Any]

class RLS2Error(ValueError):
    status: int
    status_text: str
    position: int

# Called at most ten times a second: stage, done, total, lambda, gap. A true result stops the call.
Progress = Callable[[str, int, int, float, float], object]

@final
class Array:
    """Numbers that belong to a library object, kept alive; read-only.

    Column-major where it has two dimensions."""
    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class Table:
    """Columns in memory (rls2_table_create); copied.

    matrix: rows x len(matrix_names) doubles of any strides, or None; further columns follow it,
    each a name and either doubles (NaN: missing) or a list of texts, numbers and None (missing)."""
    def __new__(cls, name: str, rows: int, matrix: Buffer | None, matrix_names: Sequence[str],
                columns: Sequence[tuple[str, Buffer | Sequence[str | float | None]]]) -> Table: ...
    @classmethod
    def read(cls, path: str | bytes | PathLike[str], /) -> Table: ...
    @property
    def rows(self) -> int: ...
    @property
    def names(self) -> list[str]: ...

class Recipe(TypedDict, total=False):
    """rls2_recipe by the names of its fields; what is absent has the library's default."""
    targets: Sequence[str]          # one or several
    weight: str                     # column
    drop: Sequence[str]
    drop_missing: bool
    classify: int                   # -1, 0, 1
    reference: bool
    categorical: Sequence[str]
    examples: str                   # "none", "center", "standardize", "unit"
    features: str
    kernels: str
    class_weights: str              # "balanced" or "a=2,b=1"
    given_names: Sequence[str]
    given: Sequence[Buffer]         # rows x rows each, borrowed while the fit lives
    groups: dict[str, str]          # name: "a,b,gene_*"
    scaling: str                    # "none", "trace", "fisher", "fisher-sqrt"
    center: bool
    skip_degenerate: bool
    rank_tol: float
    memory: int                     # of the basis
    solver: str                     # "newton", "alternate"
    intercept: str                  # "none", "mean"
    gap_tol: float
    delta: float
    max_iter: int
    solver_memory: int
    lambdas: Buffer                 # or these two
    lambda_count: int
    ratio: float

class Point(NamedTuple):
    """rls2_path_point; outcome is "converged", "stalled" or "max_iter"."""
    lambda_: float
    objective: float
    gap: float
    residual: float
    df: float
    outcome: str
    iterations: int
    factorizations: int
    priced: int
    offered: int
    selected: int

class Criteria(NamedTuple):
    df: float
    rss: float
    gcv: float
    cp: float
    aic: float
    bic: float
    loo: float

class Certificate(NamedTuple):
    primal: float
    dual: float
    gap: float
    relative_gap: float
    residual: float
    max_q: float
    max_kernel: int

class Scaling(NamedTuple):
    """rls2_model_scaling"""
    rule: str                       # "none", "trace", "fisher", "fisher-sqrt"
    center: bool
    transductive: bool
    skip_degenerate: bool

@final
class Data:
    """A data set made of a table by a recipe, preprocessed (rls2_dataset_create,
    rls2_dataset_preprocess): exactly what the command makes of the same cells."""
    def __new__(cls, table: Table, recipe: Recipe) -> Data: ...
    @property
    def rows(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def outputs(self) -> int: ...
    @property
    def output_names(self) -> list[str]: ...
    @property
    def class_labels(self) -> list[str]: ...
    @property
    def x(self) -> Array: ...       # rows x columns
    @property
    def y(self) -> Array | None: ...                # rows x outputs; None: made without the target
    @property
    def classes(self) -> Array | None: ...          # int64
    @property
    def weights(self) -> Array | None: ...
    # means are taken off each column, which is then divided by deviations (0: it becomes zero);
    # None: features were not preprocessed
    @property
    def means(self) -> Array | None: ...
    @property
    def deviations(self) -> Array | None: ...
    @property
    def source_rows(self) -> list[int]: ...
    @property
    def fingerprint(self) -> int: ...
    # of the dictionary of the recipe on these columns; none if it has no "kernels"
    @property
    def kernel_names(self) -> list[str]: ...

@final
class Path:
    """Fits the paths of all outputs on all rows of the data, as `rls2 train` does on the whole
    data: dictionary, one basis or one for each class (Fisher rules), grid, paths. Keeps the data
    alive. threads: 0 is one per core. When `progress` asks to stop along the path, the path has the
    lambdas finished so far, perhaps none; while the basis is made it is an RLS2Error of status 7.
    """
    def __new__(cls, data: Data, recipe: Recipe, degrees_of_freedom: bool, threads: int,
                progress: Progress | None) -> Path: ...
    @property
    def kernel_names(self) -> list[str]: ...
    @property
    def scales(self) -> list[Array]: ...            # for each output, m values
    @property
    def outputs(self) -> int: ...
    @property
    def lambdas(self) -> list[float]: ...           # finished for all outputs, descending
    def point(self, output: int, i: int, /) -> Point: ...
    def weights(self, output: int, i: int, /) -> tuple[Array, Array]: ...   # kernels (int64), d
    def c(self, output: int, i: int, /) -> Array: ...
    def intercept(self, output: int, /) -> float: ...
    def criteria(self, output: int, /) -> list[Criteria]: ...
    def predict(self, output: int, x: Buffer | None, rows: int, given: Sequence[Buffer],
                /) -> Array: ...                       # rows x points
    def certify(self, output: int, i: int, /) -> Certificate: ...
    def model(self, i: int, /) -> Model: ...           # attached to the data

@final
class Splits:
    @classmethod
    def folds(cls, n: int, strata: Buffer | None, folds: int, repeats: int, seed: int,
              /) -> Splits: ...
    @classmethod
    def random(cls, n: int, strata: Buffer | None, count: int, share: float, seed: int,
               /) -> Splits: ...
    @classmethod
    def given(cls, fold: Buffer, /) -> Splits: ...          # int64
    @classmethod
    def listed(cls, n: int, training: Sequence[Buffer], validation: Sequence[Buffer],
               /) -> Splits: ...                       # int64 rows
    @property
    def count(self) -> int: ...
    def training(self, i: int, /) -> Array: ...        # int64
    def validation(self, i: int, /) -> Array: ...

@final
class CV:
    """rls2_cv_run. measure: a name of rls2_measure_find or "auto"."""
    def __new__(cls, table: Table, recipe: Recipe, splits: Splits, measure: str, baselines: bool,
                threads: int, progress: Progress | None) -> CV: ...
    @property
    def lambdas(self) -> Array: ...
    @property
    def cvm(self) -> Array: ...
    @property
    def cvsd(self) -> Array: ...
    @property
    def nzero(self) -> Array: ...
    @property
    def scores(self) -> Array: ...                  # lambdas x splits
    @property
    def measure(self) -> str: ...
    @property
    def rises(self) -> bool: ...
    @property
    def min(self) -> int: ...
    @property
    def one_se(self) -> int: ...
    @property
    def unconverged(self) -> int: ...
    def predictions(self, i: int, /) -> Array: ...     # rows x outputs
    @property
    def baselines(self) -> dict[str, tuple[float, float, float]]: ...   # name: lambda, cvm, cvsd

@final
class Model:
    """rls2_model. Rows are given as a table, encoded as the training rows were, or as the numbers
    the learner sees."""
    @classmethod
    def load(cls, path: str | bytes | PathLike[str], /) -> Model: ...
    @classmethod
    def unpack(cls, data: typing_extensions.Buffer, /) -> Model: ...
    def save(self, path: str | bytes | PathLike[str], /) -> None: ...
    def pack(self) -> bytes: ...
    @property
    def outputs(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> list[str]: ...             # of the numbers
    @property
    def inputs(self) -> list[str]: ...              # of the table
    @property
    def target(self) -> str | None: ...
    @property
    def output_names(self) -> list[str]: ...
    @property
    def is_classification(self) -> bool: ...
    @property
    def class_labels(self) -> list[str]: ...
    @property
    def spec(self) -> str: ...
    @property
    def dictionary(self) -> list[str]: ...          # names of all its kernels
    @property
    def groups(self) -> dict[str, list[str]]: ...   # columns of the groups its text may refer to
    @property
    def scaling(self) -> Scaling: ...
    @property
    def solver(self) -> str: ...
    @property
    def preprocessing(self) -> tuple[str, str]: ...  # of examples, of features
    @property
    def given_names(self) -> list[str]: ...
    # preprocessing or indicators: numbers as they stand in the table are not those the learner sees
    @property
    def needs_encoding(self) -> bool: ...
    @property
    def lambda_(self) -> float: ...
    def intercept(self, output: int, /) -> float: ...
    def point(self, output: int, /) -> Point: ...
    # number, name, d, scale
    def selected(self, output: int, /) -> list[tuple[int, str, float, float]]: ...
    def c(self, output: int, /) -> Array: ...
    def scales(self, output: int, /) -> Array: ...           # of all kernels of the dictionary
    # RLS2Error where a kernel is not linear
    def coefficients(self, output: int, /) -> Array: ...
    def shares(self, output: int, /) -> Array: ...
    # target: the response is read too where it is there, and then every input is needed.
    # drop_missing: rows with missing cells are left out, perhaps all; else they are an error.
    def encode(self, table: Table, target: bool = False, drop_missing: bool = False, /) -> Data: ...
    @property
    def weights(self) -> Array | None: ...          # of the training rows
    @property
    def fingerprint(self) -> int: ...               # of the training rows, as Data has it
    @property
    def weight_column(self) -> str | None: ...
    # x: rows x columns doubles, column-major (used where it lies) or of any strides (copied); None
    # with given alone. threads: 0 is one per core; while another thread is using the model its
    # number holds.
    def predict(self, x: Buffer | None, rows: int, given: Sequence[Buffer], threads: int,
                /) -> Array: ...                       # rows x outputs
    def variance(self, output: int, x: Buffer | None, rows: int, given: Sequence[Buffer],
                 given_diagonals: Sequence[Buffer], /) -> Array: ...
    def contributions(self, output: int, x: Buffer | None, rows: int, given: Sequence[Buffer],
                      /) -> Array: ...                 # rows x selected
    def certify(self, output: int, x: Buffer | None, rows: int, given: Sequence[Buffer],
                y: Buffer, /) -> Certificate: ...
    def degrees_of_freedom(self, output: int, /) -> float: ...

def decide(f: Buffer, outputs: int, /) -> Array: ...         # int64 class numbers
def lambda_grid(lo: float, hi: float, count: int, /) -> Array: ...
def dictionary_names(spec: str, columns: Sequence[str], groups: dict[str, str] = ...,
                     given_names: Sequence[str] = ...) -> list[str]: ...
