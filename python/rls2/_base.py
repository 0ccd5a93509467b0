"""What the four estimators have in common: what they know after fitting, and what they say about
rows.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from sklearn import get_config  # type: ignore[import-untyped]
from sklearn.base import BaseEstimator  # type: ignore[import-untyped]
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped]

from . import _core
from ._arrow import is_arrow, pieces_of, read_arrow, whole_of
from ._coefficients import column_coefficients, noise_variance
from ._explain import Explained
from ._fit import (
    Problem,
    is_large,
    state_counted,
    state_problem,
    warn_if_it_interpolates,
    warn_unless_converged,
)
from ._frames import Cells, take_cells
from ._inputs import Inputs, check_sparse, read_rows, takes_missing
from ._params import kernel_text, loss_of, thread_count
from ._path import PathSummary
from ._stability import Selections
from ._targets import require_target
from ._types import Floats, Ints, Rows


class Estimator(Explained, Selections, BaseEstimator):  # type: ignore[misc]
    """Fits, remembers a model of the library, and asks it."""

    _is_classifier = False

    kernels: Any
    loss: Any
    missing: Any
    n_jobs: Any
    verbose: Any

    model_: _core.Model
    alpha_: float
    alphas_: Floats
    path_: PathSummary
    kernel_names_: list[str]
    kernel_weights_: Floats
    kernel_scales_: Floats
    selected_: Ints
    dual_coef_: Floats
    offset_: Any
    dual_gap_: Any
    objective_: Any
    df_: Any
    n_iter_: Any
    outcome_: Any
    contribution_names_: list[str]

    # ---- fitting ----

    def _learn(self, X: Rows, y: Rows, sample_weight: Any) -> Problem:
        goal = "all" if getattr(self, "alpha", None) is None else "path"
        if goal == "path" and getattr(self, "interval", None) is not None:
            goal = "model"  # at alpha, with rows left out for its intervals
        problem = self._state(X, y, sample_weight, goal)
        plan, fit = problem.plan, problem.fit()
        place = len(fit.lambdas) - 1 if goal == "path" else fit.chosen
        model, scales = fit.model(place), [np.array(scales) for scales in fit.scales]
        inputs, flat, kept = problem.inputs, problem.targets.flat, problem.kept
        self._adopt(model, plan.kernel_names, scales, flat=flat, kept=kept, rows=inputs.rows)
        self.alpha_ = model.lambda_
        self.alphas_ = np.array(fit.lambdas)
        self.path_ = PathSummary(plan, fit)
        self._remember_inputs(inputs, kept)
        self._remember_choice(fit)
        warn_unless_converged(fit.point(place), self)
        warn_if_it_interpolates(model, self, problem.row_count())
        return problem

    def _state(self, X: Rows, y: Rows, sample_weight: Any, goal: str) -> Problem:
        classes = self._is_classifier
        if is_arrow(X):
            require_target(self, y)
            X, y, sample_weight = read_arrow(
                X, y, sample_weight, lambda numbers: is_large(self, numbers, goal)
            )
        counted = state_counted(self, X, y, sample_weight, classes=classes, goal=goal)
        if counted is not None:
            return counted
        return state_problem(self, X, y, sample_weight, classes=classes, goal=goal)

    def _remember_choice(self, fit: _core.Fit) -> None:
        """What the choice of lambda leaves behind, beyond lambda."""

    def _remember_inputs(self, inputs: Inputs, kept: Ints | None) -> None:
        """kept: the rows that were learned from; None: all."""
        stack = inputs.stack if inputs.stack is None or kept is None else inputs.stack[kept]
        kinds = dict(zip(self.model_.inputs, self.model_.input_kinds, strict=True))
        self._text_inputs = [name for name in inputs.texts if kinds.get(name) != "numbers"]
        self._stack_rows = None if stack is None else stack.rows
        self._universe = None if stack is None else stack.universe

    def _adopt(
        self,
        model: _core.Model,
        names: list[str],
        scales: list[Floats],
        *,
        flat: bool,
        kept: Ints | None,
        rows: int,
    ) -> None:
        """Everything a model says about itself, as attributes."""
        self.model_ = model
        self._flat = flat
        self._kept = kept
        outputs = range(model.outputs)
        chosen = [model.selected(o) for o in outputs]
        points = [model.point(o) for o in outputs]
        weights = np.zeros((model.outputs, len(names)))
        for o in outputs:
            weights[o, [k for k, *_ in chosen[o]]] = [d for _, _, d, _ in chosen[o]]
        self.kernel_names_ = list(names)
        self.kernel_weights_ = self._by_output(weights)
        self.kernel_scales_ = self._by_output(np.array(scales))
        self.selected_ = np.flatnonzero(weights.any(axis=0))
        if not model.is_compact:  # which has none for each row
            self.dual_coef_ = self._by_output(
                _spread(np.array([np.array(model.c(o)) for o in outputs]), kept, rows)
            )
        self.offset_ = self._by_output(np.array([model.base(o) for o in outputs]))
        self.dual_gap_ = self._by_output(np.array([point.gap for point in points]))
        self.objective_ = self._by_output(np.array([point.objective for point in points]))
        self.df_ = self._by_output(np.array([point.df for point in points]))
        self.n_iter_ = self._by_output(np.array([point.iterations for point in points]))
        self.outcome_ = self._by_output(np.array([point.outcome for point in points]))
        prefix = [f"{name}:" for name in self._output_names()] if model.outputs > 1 else [""]
        self.contribution_names_ = [
            prefix[o] + name
            for o in outputs
            for name in [
                *(name for _, name, _, _ in chosen[o]),
                *(f"stack: {name}" for name, _, _ in model.members(o)[1:]),
            ]
        ]

    def _by_output(self, values: Any) -> Any:
        """Without the first dimension where there is but one response, as y had none."""
        if len(values) > 1 or not self._flat:
            return values
        return values[0].item() if np.ndim(values[0]) == 0 else values[0]

    def _output_names(self) -> list[str]:
        return list(self.model_.output_names)

    @property
    def kernel_shares_(self) -> Floats:
        """What each kernel explains of the variance of left-out rows, after cross-validation."""
        check_is_fitted(self, "model_")
        if self.model_.left_out is None:
            raise AttributeError("kernel_shares_ is known where lambda was chosen on left-out rows")
        dense = np.zeros((self.model_.outputs, len(self.kernel_names_)))
        for o in range(self.model_.outputs):
            kernels, shares = self.model_.left_out_shares(o)
            dense[o, np.asarray(kernels)] = np.asarray(shares)
        return np.asarray(self._by_output(dense))

    def _loss(self) -> _core.Loss:
        """Of the model, or before fit that of the parameters."""
        return self.model_.loss(0) if hasattr(self, "model_") else loss_of(self)

    # ---- coefficients ----

    @property
    def coef_(self) -> Floats:
        """Coefficients of the columns, in their own units; linear kernels only."""
        check_is_fitted(self, "model_")
        return self._linear()[0]

    @property
    def coef_names_(self) -> list[str]:
        """Names of what ``coef_`` has numbers for: columns, and the indicators that columns of text
        became.
        """
        check_is_fitted(self, "model_")
        return list(self.model_.columns)

    @property
    def intercept_(self) -> Any:
        """Constant part of the prediction: with coef_ where there is one, else that of offset_."""
        check_is_fitted(self, "model_")
        linear = self.model_.is_linear and not self._prepares_examples()
        linear = linear and not self.model_.members(0)
        return self._linear()[1] if linear else self.offset_

    def _prepares_examples(self) -> bool:
        return self.model_.preprocessing[0] != "none"

    @property
    def stack_weights_(self) -> Any:
        """Weights of the sparse part and of each member, by name; of several outputs a list."""
        check_is_fitted(self, "model_")
        outputs = range(self.model_.outputs)
        if not self.model_.members(0):
            raise AttributeError("stack_weights_ is there after a fit of a stack (stack=True)")
        told = [
            {name or "sparse part": weight for name, weight, _ in self.model_.members(o)}
            for o in outputs
        ]
        return told[0] if self._flat and len(told) == 1 else told

    @property
    def relevance_(self) -> dict[str, float]:
        """Each input's share of the squared distance between rows, by widths that were learned."""
        check_is_fitted(self, "model_")
        shares = self.model_.relevance()
        if not shares:
            raise AttributeError(
                "relevance_ is there where a kernel with learned widths was selected, as "
                "rbf(learn)@all"
            )
        return dict(sorted(shares, key=lambda pair: -pair[1]))

    def _linear(self) -> tuple[Floats, Any]:
        if self.model_.members(0):
            raise AttributeError(
                "coef_ is not there of a stack, whose members have coefficients of their own"
            )
        if not self.model_.is_linear:
            raise AttributeError(
                "coef_ is there for linear kernels only, and the dictionary is "
                f"'{self.model_.spec}'; "
                "predict_contributions tells what each kernel adds"
            )
        if self._prepares_examples():
            raise AttributeError(
                "coef_ is not there where examples are preprocessed: rows are not used in their "
                "own units"
            )
        coefficients, constants = column_coefficients(self.model_)
        return self._by_output(coefficients), self._by_output(constants)

    # ---- rows ----

    def _ask(self, X: Rows, ask: Callable[[NewRows], Any]) -> Any:
        """An answer of the model about rows, in whatever shape they come."""
        check_is_fitted(self, "model_")
        if is_arrow(X):
            answers = [self._ask(piece, ask) for piece in pieces_of(X)]
            return np.concatenate(answers) if answers else self._ask(whole_of(X), ask)
        inputs = read_rows(self, X, reset=False)
        check_sparse(inputs, self.model_.is_linear, self.model_.spec)
        return ask(NewRows(self, inputs))

    def _raw(self, X: Rows) -> Floats:
        """Predictions of all outputs, rows x outputs."""
        threads = thread_count(self.n_jobs)
        answer = self._ask(
            X, lambda rows: np.array(self.model_.predict(rows.x, rows.count, rows.given, threads))
        )
        return np.asarray(answer).reshape((-1, self.model_.outputs), order="F")

    def _deviations(self, X: Rows, of_observations: bool) -> Floats:
        """Standard deviations of the function, or of new observations, rows x outputs, in the units
        of y."""

        def ask(rows: NewRows) -> Floats:
            outputs = range(self.model_.outputs)
            return np.stack([self._deviation(rows, o, of_observations) for o in outputs], axis=1)

        return np.asarray(self._ask(X, ask))

    def _deviation(self, rows: NewRows, output: int, of_observations: bool) -> Floats:
        variance = np.array(
            self.model_.variance(output, rows.x, rows.count, rows.given, rows.diagonals())
        )
        noise = noise_variance(self.model_, output)
        function = variance * (noise / self.model_.lambda_)
        return np.sqrt(function + noise if of_observations else function)

    def predict_contributions(self, X: Rows) -> Any:
        """What each selected kernel adds to each prediction.

        Parameters
        ----------
        X : array-like, frame, sparse matrix or KernelStack of n_samples rows
            Rows as for predict.

        Returns
        -------
        ndarray of shape (n_samples, n_contributions)
            With ``offset_`` they sum to the prediction, or to the decision function (of several
            outputs each over its own columns); with ``loss="poisson"`` to the logarithm of the
            rate. Columns are named by ``contribution_names_``; after
            ``set_output(transform="pandas")`` (or "polars") it is a frame that bears those names.
        """

        def ask(rows: NewRows) -> Floats:
            parts = [
                np.array(self.model_.contributions(o, rows.x, rows.count, rows.given)).reshape(
                    (rows.count, -1), order="F"
                )
                for o in range(self.model_.outputs)
            ]
            return np.concatenate(parts, axis=1)

        return self._in_container(self._ask(X, ask), X)

    def certify(self, X: Rows, y: Rows) -> Any:
        """The certificate, recomputed from the training data.

        Every kernel of the dictionary is evaluated anew on the rows; nothing of the fit is used but
        its answer, the weights of kernels and rows. Of rows that were counted (``method="tall"``)
        the objective is that of the rows themselves, and so is its lower bound.

        Parameters
        ----------
        X, y
            The rows the model was trained on, in that order, and their targets. Others are refused,
            as ``rls2 verify`` does: the model has a fingerprint of its rows, and other rows have
            another objective.

        Returns
        -------
        Certificate, or a list of them for several outputs that do not share kernel weights
            primal: the objective reached; dual: no solution is below; gap and relative_gap: their
            difference; residual; max_q and max_kernel: the largest quadratic form, and the kernel
            it belongs to.
        """
        check_is_fitted(self, "model_")
        weighted = self.model_.weight_column is not None or self.get_params().get("class_weight")
        if self.model_.is_compact and weighted:
            raise ValueError(
                "a model of counted rows does not keep their weights, without which its objective "
                "cannot be recomputed"
            )
        responses, columns = self._responses(y), self._target_cells(y)
        inputs = read_rows(self, X, reset=False)
        if self._kept is not None and inputs.rows != self.model_.rows:
            inputs, responses = inputs.take(self._kept), responses[self._kept]
            columns = [take_cells(cells, self._kept) for cells in columns]
        if inputs.rows != self.model_.rows or len(responses) != self.model_.rows:
            raise ValueError(
                f"the model was trained on {self.model_.rows} rows, and these are {inputs.rows} "
                f"with {len(responses)} "
                "targets"
            )
        rows = NewRows(self, inputs, self._response_columns(columns))
        if rows.data.fingerprint != self.model_.fingerprint and self.model_.weight_column is None:
            raise ValueError(_OTHER_ROWS)
        found = self._certificates(rows, responses)
        for output, certificate in enumerate(found):
            known = self.model_.represented(output)
            counted = known is not None and known[0] != 0  # points stand for more values
            _check_objective(
                certificate.primal,
                self.model_.point(output).objective,
                _COUNTED_TOL if counted else _OBJECTIVE_TOL,
            )
        return found[0] if len(found) == 1 else found

    def _certificates(self, rows: NewRows, responses: Floats) -> list[_core.Certificate]:
        """One for each output, or one of all of them where they share kernel weights."""
        model = self.model_
        if model.shares_weights:
            together = np.ascontiguousarray(responses.ravel(order="F"))
            return [model.certify_outputs(rows.x, rows.count, rows.given, together)]
        return [
            model.certify(o, rows.x, rows.count, rows.given, np.ascontiguousarray(responses[:, o]))
            for o in range(model.outputs)
        ]

    def _responses(self, y: Rows) -> Floats:
        raise NotImplementedError

    def _target_cells(self, y: Rows) -> list[Cells]:
        """y as the table had it, column by column."""
        raise NotImplementedError

    def _response_columns(self, cells: list[Cells]) -> list[tuple[str, Cells]]:
        """The columns that followed X in the table the model was trained on.

        Weights are the model's, which class weights may have changed: rows with weights are known
        by their objective.
        """
        model = self.model_
        names = model.output_names if model.target is None else [model.target]
        columns = list(zip(names, cells, strict=True))
        if model.weight_column is not None and model.weights is not None:
            columns.append((model.weight_column, np.array(model.weights)))
        return columns

    # ---- frames out ----

    def set_output(self, *, transform: str | None = None) -> Self:
        """Container of predict_contributions: "default" (an array), "pandas" or "polars".

        Parameters
        ----------
        transform : {"default", "pandas", "polars"}, default=None
            None leaves it as it is.

        Returns
        -------
        self
        """
        if transform not in (None, "default", "pandas", "polars"):
            raise ValueError(f"transform={transform!r} should be 'default', 'pandas' or 'polars'")
        if transform is not None:
            self._output_container = transform
        return self

    def _in_container(self, values: Floats, X: Rows) -> Any:
        wanted = getattr(self, "_output_container", None) or get_config()["transform_output"]
        if wanted == "pandas":
            import pandas  # type: ignore[import-untyped, unused-ignore]

            return pandas.DataFrame(
                values, columns=self.contribution_names_, index=getattr(X, "index", None)
            )
        if wanted == "polars":
            import polars

            return polars.DataFrame(values, schema=self.contribution_names_, orient="row")
        return values

    # ---- files and pickles ----

    def save(self, path: Any) -> None:
        """Writes the model file that the command writes too: ``rls2 predict``, ``show`` and
        ``verify`` read it.

        Parameters
        ----------
        path : str or path-like
            The file; it is written whole or not at all.
        """
        check_is_fitted(self, "model_")
        self.model_.save(path)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        if "model_" in state:
            state["model_"] = state["model_"].pack()
        state["_rls2_version"] = _core.__version__
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        version = state.pop("_rls2_version", "unknown")
        if version != _core.__version__:
            warnings.warn(
                f"{type(self).__name__}: pickled by rls2 {version}, and this is "
                f"{_core.__version__}: what one version "
                "remembers another may not know; files made by save() are read by every later "
                "version",
                UserWarning,
                stacklevel=2,
            )
        if "model_" in state:
            state["model_"] = _core.Model.unpack(state["model_"])
        super().__setstate__(state)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        text = None if self.kernels is None else kernel_text(self.kernels)
        tags.input_tags.sparse = text is not None and _core.is_linear(text)
        tags.input_tags.allow_nan = takes_missing(self)
        return tags


class NewRows:
    """Rows as the model wants them, for as long as it looks at them."""

    def __init__(
        self,
        estimator: Estimator,
        inputs: Inputs,
        responses: Sequence[tuple[str, Cells]] = (),
        whole: bool = False,
    ) -> None:
        """With responses, or if asked for, the rows are whole; else columns that no selected kernel
        uses may be zero.
        """
        model = estimator.model_
        strict = not takes_missing(estimator)
        rule = "as-trained" if responses else "error" if strict else "impute"
        self.count = inputs.rows
        self.stack = inputs.stack
        self.given: list[Floats] = []
        self.x: Any = inputs.matrix
        if inputs.stack is not None:
            self.given = inputs.stack._against(estimator._stack_rows, estimator._universe)
        if responses or (inputs.stack is None and (model.needs_encoding or inputs.needs_reading)):
            table = inputs.table(responses)
            self.data = model.encode(table, whole or bool(responses), rule)
            self.x = None if inputs.stack is not None else self.data.x
            _tell_guesses(estimator, self.data)

    def diagonals(self) -> list[Floats]:
        return [] if self.stack is None else self.stack._diagonals_of_rows()


def _tell_guesses(estimator: Estimator, data: _core.Data) -> None:
    """Where a model had to guess what a cell means."""
    guesses = [(data.imputed, "missing cells imputed"), (data.unseen, "unseen categories")]
    found = ", ".join(f"{what}: {count}" for count, what in guesses if count)
    if found and estimator.verbose:
        print(f"[rls2] new rows: {found}", file=sys.stderr)


_OTHER_ROWS = "these are not the rows the model was trained on, or not in that order"
#: As `rls2 verify` has it.
_OBJECTIVE_TOL = 1e-7
_COUNTED_TOL = 1e-2  # that of counted rows, as rls2 verify has it


def _check_objective(found: float, known: float, tol: float) -> None:
    """The objective is made of all rows and targets: others have another."""
    if not abs(found - known) <= tol * max(abs(found), abs(known)):
        raise ValueError(
            f"{_OTHER_ROWS}: the objective at its answer is {found:.10g} with them, and the model "
            f"says {known:.10g}"
        )


def _spread(values: Floats, kept: Ints | None, rows: int) -> Floats:
    """Numbers of the rows that were kept, zero in the others."""
    if kept is None:
        return values
    spread = np.zeros((len(values), rows))
    spread[:, kept] = values
    return spread
