"""Profiles: what a first pass over rows tells, before any are counted."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

from sklearn.exceptions import NotFittedError  # type: ignore[import-untyped]

from . import _core
from ._docs import described
from ._inputs import listed_names
from ._parameters import ProfileParameters
from ._params import settings_of_rows, thread_count
from ._pieces import Form, Pieces
from ._progress import ProgressLine, shown
from ._statistics import Statistics, batches_of, tell_notes
from ._types import Rows


@described
class Profile(ProfileParameters):
    """What all rows tell about their columns, where these are in several places.

    Statistics can be counted in parts and added up if it was decided before how rows are counted:
    columns, categories, means and knots. A profile finds that out in a pass of its own, which can
    be made in parts too; ``statistics`` then makes statistics of no rows, copies of which are
    filled wherever the rows are. Their sum is, to the bit, that of ``Statistics.fit`` of all rows
    in one place. Profiles and statistics can be pickled.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    n_rows_ : int
        Rows that were looked at, without those that are left out.

    See Also
    --------
    Statistics : counts of rows.

    Examples
    --------
    >>> from copy import copy
    >>> import numpy as np
    >>> import rls2
    >>> def part(seed):
    ...     rng = np.random.default_rng(seed)
    ...     X = rng.normal(size=(3000, 2))
    ...     return X, X[:, 0] ** 2 + 0.1 * rng.normal(size=3000)
    >>> first, second = (rls2.Profile(cv=5).partial_fit(*part(seed)) for seed in (0, 1))
    >>> empty = (first + second).statistics()
    >>> first, second = (copy(empty).partial_fit(*part(seed)) for seed in (0, 1))
    >>> first + second
    <Statistics: 6000 rows in 5 parts, 2 columns on 512 knots, target y>
    """

    _profile: _core.Profile | None = None
    # what columns of the table are, as settings, and those in which a part has numbers
    _roles: tuple[tuple[str, str], ...] = ()

    def fit(self, X: Rows, y: Rows = None, sample_weight: Any = None) -> Self:
        """Look at rows; those looked at before are forgotten.

        Parameters
        ----------
        X : array-like, frame or Batches
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets; not with Batches, which have their own.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each row stands for.

        Returns
        -------
        self
            Unchanged, where an error is raised.
        """
        anew = copy(self)
        anew._profile, anew._roles = None, ()
        self.__dict__.update(anew.partial_fit(X, y, sample_weight).__dict__)
        return self

    def partial_fit(self, X: Rows, y: Rows = None, sample_weight: Any = None) -> Self:
        """Look at rows, or at further ones.

        Parameters
        ----------
        X : array-like, frame or Batches
            Rows with the same columns as those before.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets; not with Batches, which have their own.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each row stands for; always or never.

        Returns
        -------
        self
            Unchanged, where an error is raised.
        """
        pieces = Pieces(batches_of(X, y, sample_weight), self._form())
        threads = thread_count(self.n_jobs)
        settings = [*settings_of_rows(self), *pieces.settings()]
        progress = ProgressLine() if self.verbose else None
        with shown(progress):
            found = pieces.reading(
                threads,
                progress,
                lambda told: _core.Profile.of_rows(pieces.source, settings, threads, told),
            )
        numbers = (("numbers", name) for name in pieces.inputs.numbers)
        self._take(found, (*pieces.settings(), *numbers))
        return self

    def merge(self, other: Profile) -> Self:
        """Add what was found in other rows.

        Parameters
        ----------
        other : Profile
            Of rows with the same columns, made with the same parameters.

        Returns
        -------
        self
            Unchanged, where an error is raised.
        """
        self._found()
        self._take(other._found(), other._roles)
        return self

    def __iadd__(self, other: object) -> Self:
        return self.merge(other) if isinstance(other, Profile) else NotImplemented

    def __add__(self, other: object) -> Self:
        return copy(self).merge(other) if isinstance(other, Profile) else NotImplemented

    def statistics(self) -> Statistics:
        """Statistics of no rows, to be filled by ``partial_fit``.

        Returns
        -------
        Statistics
            With the parameters of the profile.
        """
        threads = thread_count(self.n_jobs)
        settings = [*settings_of_rows(self), *self._settings()]
        plan = _core.Plan.of_profile(self._found(), settings, threads, None)
        made = Statistics(**{p.name: getattr(self, p.name) for p in self._parameters})
        made._stats = plan.count(threads, None)
        tell_notes(plan.notes, bool(self.verbose))
        return made

    # ---- files ----

    def save(self, path: Any) -> None:
        """Writes the file that ``rls2 stats --profile`` writes, without the parameters.

        Parameters
        ----------
        path : str or path-like
            The file; it is written whole or not at all.
        """
        self._found().save(path)

    @classmethod
    def load(
        cls,
        path: Any,
        *,
        target: str | list[str] = "y",
        sample_weight: str | None = None,
        **parameters: Any,
    ) -> Self:
        """Read a file, written by ``save`` or by ``rls2 stats --profile``.

        Parameters
        ----------
        path : str or path-like
            The file.
        target : str or list of str, default="y"
            The columns that are y.
        sample_weight : str, default=None
            The column that holds the weights of the rows.
        **parameters
            Those of the class, which are not in the file. Columns that hold categories but look
            like numbers or dates are to be named in `categorical`.

        Returns
        -------
        Profile
        """
        return cls(**parameters)._with(_core.Profile.load(path), target, sample_weight)

    def to_bytes(self) -> bytes:
        """The bytes of the file. Equal profiles have equal bytes."""
        return self._found().pack()

    @classmethod
    def from_bytes(
        cls,
        data: Any,
        *,
        target: str | list[str] = "y",
        sample_weight: str | None = None,
        **parameters: Any,
    ) -> Self:
        """The profile of such bytes, which are checked.

        Parameters
        ----------
        data : bytes-like
            What ``to_bytes`` made.
        target : str or list of str, default="y"
            The columns that are y.
        sample_weight : str, default=None
            The column that holds the weights of the rows.
        **parameters
            Those of the class, as for ``load``.

        Returns
        -------
        Profile
        """
        return cls(**parameters)._with(_core.Profile.unpack(data), target, sample_weight)

    def _with(self, profile: _core.Profile, target: str | list[str], weight: str | None) -> Self:
        targets = [target] if isinstance(target, str) else list(target)
        weights = [] if weight is None else [weight]
        absent = [name for name in (*targets, *weights) if name not in profile.columns]
        if absent:
            raise ValueError(
                f"the rows have no column {absent[0]!r}: target and sample_weight say which "
                "columns are y and weights"
            )
        inputs = [name for name in profile.columns if name not in (*targets, *weights)]
        self._profile = profile
        self._roles = (
            ("task", self.task),
            *(("target", name) for name in targets),
            *(("categorical", name) for name in listed_names(inputs, self.categorical)),
            *(("row-weights", name) for name in weights),
        )
        return self

    # ---- parts ----

    def _form(self) -> Form:
        classes, may_miss = self.task == "classification", self.missing != "error"
        if self._profile is None:
            return Form(classes, may_miss, self.categorical)
        targets = [name for role, name in self._roles if role == "target"]
        weights = [name for role, name in self._roles if role == "row-weights"]
        inputs = [name for name in self._profile.columns if name not in (*targets, *weights)]
        weight = weights[0] if weights else None
        return Form(
            classes, may_miss, self.categorical, needed=inputs, targets=targets, weight=weight
        )

    def _settings(self) -> list[tuple[str, str]]:
        """What columns are, in whatever order the parts came. Texts in one part of a column that
        has numbers in another do not make it one of categories: they may be slips."""
        order = {name: j for j, name in enumerate(self._found().columns)}
        numbers = {name for role, name in self._roles if role == "numbers"}
        targets = [name for role, name in self._roles if role in ("target", "row-weights")]
        inputs = [name for name in order if name not in targets]
        slips = numbers.difference(listed_names(inputs, self.categorical))
        return [
            (role, name)
            for role, name in sorted(self._roles, key=lambda one: order.get(one[1], -1))
            if role != "numbers" and not (role == "categorical" and name in slips)
        ]

    def _take(self, profile: _core.Profile, roles: tuple[tuple[str, str], ...]) -> None:
        if self._profile is None:
            self._profile, self._roles = profile, roles
        else:
            self._profile.merge(profile)
            self._roles = tuple(dict.fromkeys((*self._roles, *roles)))

    def _found(self) -> _core.Profile:
        if self._profile is None:
            raise NotFittedError("this profile is of no rows yet: look at some by partial_fit")
        return self._profile

    @property
    def n_rows_(self) -> int:
        return self._found().rows

    def __sklearn_is_fitted__(self) -> bool:
        return self._profile is not None

    def __eq__(self, other: object) -> bool:
        """Of the same rows, to the bit."""
        if not isinstance(other, Profile):
            return NotImplemented
        if self._profile is None or other._profile is None:
            return self is other
        return self._profile.pack() == other._profile.pack()

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        found = None if self._profile is None else self._profile.pack()
        return {**self.__dict__, "_profile": found}

    def __setstate__(self, state: dict[str, Any]) -> None:
        found = state.get("_profile")
        self.__dict__.update(state)
        self._profile = None if found is None else _core.Profile.unpack(found)

    def __repr__(self) -> str:
        if self._profile is None:
            return "<Profile: no rows yet>"
        return f"<Profile: {self._profile.rows} rows, {len(self._profile.columns)} columns>"
