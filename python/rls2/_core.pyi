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
from typing import Any, NamedTuple, TypeAlias, final

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
    """Numbers that belong to a library object, kept alive; read-only, column-major where it has two
    dimensions."""
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
    @property
    def kinds(self) -> list[str]: ...               # "numbers", "text" or "dates", of each column
    # Texts as they were given where there are some (None: missing), else numbers (NaN).
    def cells(self, column: int, /) -> Array | list[str | None]: ...

@final
class Arrow:
    """Rows of an Arrow stream (rls2_arrow_open), for one thread at a time.

    stream: what __arrow_c_stream__ returned, which is used up."""
    def __new__(cls, stream: object) -> Arrow: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def dictionaries(self) -> list[bool]: ...       # is the column one?
    def next(self, rows: int, /) -> Table | None: ...   # that many or fewer; None: no more

# Rows, matrix, names of its columns and further columns, as Table has them; None: no more.
Piece: TypeAlias = tuple[int, Buffer | None, Sequence[str],
                         Sequence[tuple[str, Buffer | Sequence[str | float | None]]]] | None

@final
class Source:
    """Rows that Python hands out in pieces (rls2_source_open_calls), for one thread at a time.

    first: some rows that tell columns and how cells are written, which are not counted. again is
    called before each pass, then next until it returns None; both by whatever thread of the library
    needs rows, one at a time. What they raise is raised by the call that reads."""
    def __new__(cls, first: Table, again: Callable[[], object],
                next: Callable[[], Piece]) -> Source: ...

@final
class Profile:
    """rls2_profile, for one thread at a time; another one gets a RuntimeError."""
    # The first pass over rows, which may be some of all (rls2_plan_profile); settings as for Plan.
    @classmethod
    def of_rows(cls, source: Source, settings: Sequence[tuple[str, str]], threads: int,
                progress: Progress | None, /) -> Profile: ...
    @classmethod
    def load(cls, path: str | bytes | PathLike[str], /) -> Profile: ...
    @classmethod
    def unpack(cls, data: typing_extensions.Buffer, /) -> Profile: ...
    def save(self, path: str | bytes | PathLike[str], /) -> None: ...
    def pack(self) -> bytes: ...
    def merge(self, other: Profile, /) -> None: ...
    @property
    def rows(self) -> int: ...
    @property
    def left_out(self) -> int: ...
    @property
    def columns(self) -> list[str]: ...

@final
class Stats:
    """rls2_stats. Any number of threads may look at it; while one changes it others get a
    RuntimeError."""
    @classmethod
    def load(cls, path: str | bytes | PathLike[str], /) -> Stats: ...
    @classmethod
    def unpack(cls, data: typing_extensions.Buffer, /) -> Stats: ...
    def save(self, path: str | bytes | PathLike[str], /) -> None: ...
    def pack(self) -> bytes: ...
    def merge(self, other: Stats, /) -> None: ...
    def subtract(self, other: Stats, /) -> None: ...
    def clear(self) -> None: ...                    # of no rows, counted alike
    # In one pass, all or none; threads and progress as for Plan.fit.
    def add_rows(self, source: Source, threads: int, progress: Progress | None, /) -> None: ...
    @property
    def rows(self) -> int: ...                      # that were counted,
    @property
    def left_out(self) -> int: ...                  # and that were not
    @property
    def parts(self) -> int: ...                     # folds; 0: none
    @property
    def seed(self) -> int: ...
    @property
    def bytes(self) -> int: ...                     # of memory, for the counts
    @property
    def inputs(self) -> list[str]: ...              # of the table
    @property
    def targets(self) -> list[str]: ...
    @property
    def class_labels(self) -> list[str]: ...
    @property
    def weight(self) -> str | None: ...             # the column of row weights
    @property
    def axes(self) -> list[tuple[str, int, bool]]: ...  # name, points, is every row at one?
    @property
    def kernels(self) -> list[str]: ...             # of several axes, that rows were counted for

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

class Loss(NamedTuple):
    """rls2_loss"""
    text: str                       # "logistic", "quantile(0.9)"
    has_probabilities: bool
    takes_labels: bool              # of classes
    takes_counts: bool              # responses that are not negative

class Setting(NamedTuple):
    """A row of the table of settings, in the words of the estimators."""
    name: str                       # as Plan takes it
    python: str                     # the parameter; "" where there is none
    kind: str                       # "flag", "switch", "choice", "text", "column", "number",
                                    # "count", "list"
    scope: str                      # "reading", "data", "testing", "fitting", "lambda", "splits",
                                    # "choice"
    choices: list[str]
    default: str                    # written as a value; "" where there is none
    sentence: str
    help: str                       # continues the sentence

@final
class Data:
    """A table as the learner sees it: encoded and preprocessed."""
    @property
    def rows(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def output_names(self) -> list[str]: ...
    @property
    def class_labels(self) -> list[str]: ...
    @property
    def x(self) -> Array: ...       # rows x columns
    @property
    def weights(self) -> Array | None: ...
    # means are taken off each column, which is then divided by deviations (0: it becomes zero);
    # None: features were not preprocessed
    @property
    def means(self) -> Array | None: ...            # taken off each column, then it is divided ...
    @property
    def deviations(self) -> Array | None: ...       # ... by these (0: it becomes zero); None:
                                                    # features were not preprocessed
    @property
    def source_rows(self) -> Array: ...             # of the table (int64)
    @property
    def fingerprint(self) -> int: ...
    @property
    def imputed(self) -> int: ...                   # cells that were missing and are filled
    @property
    def unseen(self) -> int: ...                    # cells with a category that training had not

@final
class Plan:
    """What is asked of a table, completed (rls2_plan_complete).

    goal: "kernels", "path", "curve", "model" or "all". settings: pairs of a name and a value in
    words; of a list each pair adds one. given: names and matrices, rows x rows of the table, which
    are borrowed as long as the plan lives. lambdas: numbers instead of the setting "lambdas".
    A plan is for one thread at a time; another one gets a RuntimeError."""
    def __new__(cls, table: Table, goal: str, settings: Sequence[tuple[str, str]],
                given: Sequence[tuple[str, Buffer]], lambdas: Buffer | None) -> Plan: ...
    # The first pass over rows that are not in memory (rls2_plan_complete_rows); threads and
    # progress as for `fit`. The source is kept.
    @classmethod
    def of_rows(cls, source: Source, goal: str, settings: Sequence[tuple[str, str]],
                lambdas: Buffer | None, threads: int, progress: Progress | None,
                /) -> Plan: ...
    # Of a copy of a profile, with the goal "model": `count` makes statistics of no rows of it.
    @classmethod
    def of_profile(cls, profile: Profile, settings: Sequence[tuple[str, str]], threads: int,
                   progress: Progress | None, /) -> Plan: ...
    # Of a copy of statistics, which may change afterwards.
    @classmethod
    def of_stats(cls, stats: Stats, goal: str, settings: Sequence[tuple[str, str]],
                 lambdas: Buffer | None, /) -> Plan: ...
    @property
    def data(self) -> Data: ...                     # the training rows, or a sample of them
    @property
    def row_count(self) -> int: ...                 # that are learned from
    @property
    def kernels(self) -> str: ...                   # the dictionary as text
    @property
    def kernel_names(self) -> list[str]: ...
    @property
    def is_linear(self) -> bool: ...                # is every kernel of it?
    @property
    def notes(self) -> list[str]: ...               # what was inferred
    # Splits of one's own instead of those of the settings: a fold number for each row (int64;
    # negative: always learned from), or lists of rows (int64).
    def split_by(self, fold: Buffer, /) -> None: ...
    def split_into(self, training: Sequence[Buffer], validation: Sequence[Buffer], /) -> None: ...
    # Seconds and bytes that `fit` will take, and both in words; threads: as there.
    def forecast(self, threads: int, /) -> tuple[float, float, str]: ...
    # threads: 0 is one per core. When `progress` asks to stop along the path, the path has the
    # lambdas finished so far; elsewhere it is an RLS2Error of status 7.
    def fit(self, threads: int, progress: Progress | None, /) -> Fit: ...
    # The second pass alone, of a plan of rows; of a plan of a profile there is none.
    def count(self, threads: int, progress: Progress | None, /) -> Stats: ...

@final
class Fit:
    """What a plan led to (rls2_plan_fit). Keeps the plan alive."""
    @property
    def outputs(self) -> int: ...
    @property
    def lambdas(self) -> list[float]: ...           # finished for all outputs, descending
    @property
    def chosen(self) -> int: ...                    # which of them is; -1: none
    @property
    def cv(self) -> CV | None: ...
    @property
    def scales(self) -> list[Array]: ...            # for each output, m values
    def point(self, i: int, /) -> Point: ...        # of several outputs together
    def model(self, i: int, /) -> Model: ...
    def weights(self, output: int, i: int, /) -> tuple[Array, Array]: ...   # kernels (int64), d
    def c(self, output: int, i: int, /) -> Array: ...
    def intercept(self, output: int, i: int, /) -> float: ...
    def predict(self, output: int, x: Buffer | None, rows: int, given: Sequence[Buffer],
                /) -> Array: ...                    # rows x points

@final
class CV:
    """The curve of cross-validation of a fit, which is kept alive."""
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
    @property
    def coverage(self) -> dict[str, Array]: ...     # member: lambdas x intervals; {}: no interval

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
    def rows(self) -> int: ...                      # learned from
    @property
    def points(self) -> int: ...                    # rows it keeps: those, or made ones
    @property
    def is_compact(self) -> bool: ...               # expanded on made rows, in blocks
    @property
    def columns(self) -> list[str]: ...             # of the numbers
    @property
    def inputs(self) -> list[str]: ...              # of the table
    @property
    def input_kinds(self) -> list[str]: ...         # "numbers", "text" or "dates", of each input
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
    def is_linear(self) -> bool: ...                # is every kernel of its dictionary?
    @property
    def dictionary(self) -> list[str]: ...          # names of all its kernels
    @property
    def groups(self) -> dict[str, list[str]]: ...   # columns of the groups its text may refer to
    @property
    def scaling(self) -> Scaling: ...
    @property
    def solver(self) -> str: ...
    @property
    def intercept_is_free(self) -> bool: ...        # found with the rest, not penalised
    @property
    def shares_weights(self) -> bool: ...           # have outputs one set of kernel weights?
    @property
    def preprocessing(self) -> tuple[str, str]: ...  # of examples, of features
    @property
    def given_names(self) -> list[str]: ...
    # preprocessing or indicators: numbers as they stand in the table are not those the learner sees
    @property
    def needs_encoding(self) -> bool: ...           # preprocessing or indicators: numbers of the
                                                    # table are not those the learner sees
    @property
    def lambda_(self) -> float: ...
    # where lambda was chosen on left-out rows: measure, its mean and standard error, splits
    @property
    def left_out(self) -> tuple[str, float, float, int] | None: ...
    def loss(self, output: int, /) -> Loss: ...
    def intercept(self, output: int, /) -> float: ...
    def base(self, output: int, /) -> float: ...    # what contributions are added to
    # name, weight and lambda of the sparse part ("") and of the members of a stack; empty where the
    # model stands alone
    def members(self, output: int, /) -> list[tuple[str, float, float]]: ...
    # name and share of each input where widths were learned; else empty
    def relevance(self) -> list[tuple[str, float]]: ...
    def point(self, output: int, /) -> Point: ...
    # number, name, d, scale
    def selected(self, output: int, /) -> list[tuple[int, str, float, float]]: ...
    def c(self, output: int, /) -> Array | None: ...         # None of compact models
    def scales(self, output: int, /) -> Array: ...           # of all kernels of the dictionary
    def coefficients(self, output: int, /) -> Array: ...     # RLS2Error: a kernel is not linear
    def shares(self, output: int, /) -> Array: ...
    # of compact models: bound of what the representation changes, mean square of the residuals on
    # the training rows, variance of the response there; NaN where unknown
    def represented(self, output: int, /) -> tuple[float, float, float] | None: ...
    # what each kernel explains of left-out rows: kernels (int64) and shares
    def left_out_shares(self, output: int, /) -> tuple[Array, Array]: ...
    # splits by which lambda was chosen, and how many of them selected each kernel of the dictionary
    # and each input (int64); and the same of the halves of stability selection
    def split_selections(self) -> tuple[int, Array, Array] | None: ...
    def half_selections(self) -> tuple[int, Array, Array] | None: ...
    # halves, rows, inputs, limit, mean, threshold, least, errors, likely_errors
    def stability(self) -> dict[str, float] | None: ...
    # target: the response is read too where it is there, and then every input is needed.
    # missing: "error" (of unseen categories too); "impute"; "drop": rows with missing cells are
    # left out, perhaps all; "as-trained".
    def encode(self, table: Table, target: bool = False, missing: str = "as-trained",
               /) -> Data: ...
    @property
    def weights(self) -> Array | None: ...          # of the training rows
    @property
    def fingerprint(self) -> int: ...               # of the training rows, as Data has it
    @property
    def weight_column(self) -> str | None: ...
    # x: rows x columns doubles, column-major (used where it lies) or of any strides (copied); None
    # with given alone.
    # threads: 0 is one per core; while another thread is using the model its number holds.
    def predict(self, x: Buffer | None, rows: int, given: Sequence[Buffer], threads: int,
                /) -> Array: ...                    # rows x outputs
    # Of what `predict` says, which is on the scale of the loss: rates of counts, quantiles in
    # order; and rows x classes, in the order of class_labels.
    def respond(self, f: Buffer, /) -> Array: ...   # rows x outputs
    def probabilities(self, f: Buffer, /) -> Array: ...  # RLS2Error: the loss has none
    # rows x 2 intervals: all lower ends, then all upper ones; RLS2Error: it is not calibrated
    def intervals(self, f: Buffer, /) -> Array: ...
    def interval_level(self) -> float | None: ...
    def variance(self, output: int, x: Buffer | None, rows: int, given: Sequence[Buffer],
                 given_diagonals: Sequence[Buffer], /) -> Array: ...
    def contributions(self, output: int, x: Buffer | None, rows: int, given: Sequence[Buffer],
                      /) -> Array: ...              # rows x (selected + members)
    def certify(self, output: int, x: Buffer | None, rows: int, given: Sequence[Buffer], y: Buffer,
                /) -> Certificate: ...
    # of all outputs together, which share kernel weights; y is rows x outputs, column by column
    def certify_outputs(self, x: Buffer | None, rows: int, given: Sequence[Buffer], y: Buffer,
                        /) -> Certificate: ...
    def degrees_of_freedom(self, output: int, /) -> float: ...
    # value, level (None of a number), training rows, effect, lower and upper end of the band
    def effect(self, output: int, input: int, /) -> list[
        tuple[float, str | None, float, float, float, float]]: ...
    # at all values of the first (so many) and of the second input
    def joint_effect(self, output: int, first: int, second: int, values: int, others: int,
                     /) -> Array: ...
    # inputs (number, share, alone, interaction), pairs (first, second, share, H^2), sample, how
    # many inputs interact, how many of these were compared; RLS2Error: it is compact
    def explain(self, output: int, /) -> tuple[
        list[tuple[int, float, float, float]], list[tuple[int, int, float, float]], list[int],
        int, int]: ...

def decide(f: Buffer, outputs: int, /) -> Array: ...         # int64 class numbers
def loss(text: str, /) -> Loss: ...              # the first of several quantiles; RLS2Error: it
                                                # is the name of none
def is_linear(kernels: str, /) -> bool: ...     # every kernel of the text, whatever the columns
def prefers_pieces(settings: Sequence[tuple[str, str]], bytes: float,
                   /) -> bool: ...              # of rows that take so many
def settings() -> list[Setting]: ...
