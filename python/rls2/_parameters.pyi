# Made from the library's table of settings by tools/make-python-docs.py.
from typing import Any, ClassVar, Literal

from ._params import Parameter
from ._types import ClassWeight, Columns, Groups, Texts

class RegressorParameters:
    _parameters: ClassVar[list[Parameter]]
    alpha: float | None
    alphas: Any
    n_alphas: int | None
    eps: float | None
    select: Literal["auto", "cv", "gcv", "cp", "aic", "bic", "loo"]
    kernels: Texts
    plain: bool
    groups: Groups
    scaling: Literal["none", "trace", "fisher", "fisher-sqrt"]
    center: bool
    features: Literal["auto", "none", "center", "standardize", "unit"]
    examples: Literal["none", "center", "standardize", "unit"]
    standardize: bool | Literal["auto"]
    categorical: Columns
    reference: bool
    missing: Literal["auto", "impute", "drop", "error"]
    rare: int
    loss: str | tuple[str, float]
    outputs: Literal["separate", "shared"]
    stack: bool | Literal["auto"]
    interval: float | None
    method: Literal["auto", "exact", "tall"]
    solver: Literal["newton", "alternate"]
    gap_tol: float
    delta: float
    max_iter: int
    df: Literal["auto", "each", "none"]
    intercept: bool | Literal["auto", "none", "mean", "free"]
    rank_tol: float
    memory: str | int | None
    n_jobs: int | None
    random_state: Any
    verbose: int
    def __init__(
        self,
        *,
        alpha: float | None = ...,
        alphas: Any = ...,
        n_alphas: int | None = ...,
        eps: float | None = ...,
        select: Literal["auto", "cv", "gcv", "cp", "aic", "bic", "loo"] = ...,
        kernels: Texts = ...,
        plain: bool = ...,
        groups: Groups = ...,
        scaling: Literal["none", "trace", "fisher", "fisher-sqrt"] = ...,
        center: bool = ...,
        features: Literal["auto", "none", "center", "standardize", "unit"] = ...,
        examples: Literal["none", "center", "standardize", "unit"] = ...,
        standardize: bool | Literal["auto"] = ...,
        categorical: Columns = ...,
        reference: bool = ...,
        missing: Literal["auto", "impute", "drop", "error"] = ...,
        rare: int = ...,
        loss: str | tuple[str, float] = ...,
        outputs: Literal["separate", "shared"] = ...,
        stack: bool | Literal["auto"] = ...,
        interval: float | None = ...,
        method: Literal["auto", "exact", "tall"] = ...,
        solver: Literal["newton", "alternate"] = ...,
        gap_tol: float = ...,
        delta: float = ...,
        max_iter: int = ...,
        df: Literal["auto", "each", "none"] = ...,
        intercept: bool | Literal["auto", "none", "mean", "free"] = ...,
        rank_tol: float = ...,
        memory: str | int | None = ...,
        n_jobs: int | None = ...,
        random_state: Any = ...,
        verbose: int = ...,
    ) -> None: ...

class ClassifierParameters:
    _parameters: ClassVar[list[Parameter]]
    alpha: float | None
    alphas: Any
    n_alphas: int | None
    eps: float | None
    select: Literal["auto", "cv", "gcv", "cp", "aic", "bic", "loo"]
    class_weight: ClassWeight
    kernels: Texts
    plain: bool
    groups: Groups
    scaling: Literal["none", "trace", "fisher", "fisher-sqrt"]
    center: bool
    features: Literal["auto", "none", "center", "standardize", "unit"]
    examples: Literal["none", "center", "standardize", "unit"]
    standardize: bool | Literal["auto"]
    categorical: Columns
    reference: bool
    missing: Literal["auto", "impute", "drop", "error"]
    rare: int
    loss: str | tuple[str, float]
    probability: bool
    outputs: Literal["separate", "shared"]
    stack: bool | Literal["auto"]
    method: Literal["auto", "exact", "tall"]
    solver: Literal["newton", "alternate"]
    gap_tol: float
    delta: float
    max_iter: int
    df: Literal["auto", "each", "none"]
    intercept: bool | Literal["auto", "none", "mean", "free"]
    rank_tol: float
    memory: str | int | None
    n_jobs: int | None
    random_state: Any
    verbose: int
    def __init__(
        self,
        *,
        alpha: float | None = ...,
        alphas: Any = ...,
        n_alphas: int | None = ...,
        eps: float | None = ...,
        select: Literal["auto", "cv", "gcv", "cp", "aic", "bic", "loo"] = ...,
        class_weight: ClassWeight = ...,
        kernels: Texts = ...,
        plain: bool = ...,
        groups: Groups = ...,
        scaling: Literal["none", "trace", "fisher", "fisher-sqrt"] = ...,
        center: bool = ...,
        features: Literal["auto", "none", "center", "standardize", "unit"] = ...,
        examples: Literal["none", "center", "standardize", "unit"] = ...,
        standardize: bool | Literal["auto"] = ...,
        categorical: Columns = ...,
        reference: bool = ...,
        missing: Literal["auto", "impute", "drop", "error"] = ...,
        rare: int = ...,
        loss: str | tuple[str, float] = ...,
        probability: bool = ...,
        outputs: Literal["separate", "shared"] = ...,
        stack: bool | Literal["auto"] = ...,
        method: Literal["auto", "exact", "tall"] = ...,
        solver: Literal["newton", "alternate"] = ...,
        gap_tol: float = ...,
        delta: float = ...,
        max_iter: int = ...,
        df: Literal["auto", "each", "none"] = ...,
        intercept: bool | Literal["auto", "none", "mean", "free"] = ...,
        rank_tol: float = ...,
        memory: str | int | None = ...,
        n_jobs: int | None = ...,
        random_state: Any = ...,
        verbose: int = ...,
    ) -> None: ...

class RegressorCVParameters:
    _parameters: ClassVar[list[Parameter]]
    alphas: Any
    n_alphas: int | None
    eps: float | None
    cv: Any
    repeats: int
    rule: Literal["min", "1se"]
    scoring: str | None
    select: Literal["cv", "gcv", "cp", "aic", "bic", "loo"]
    baselines: bool | Literal["auto"]
    stability: int
    stability_errors: float
    kernels: Texts
    plain: bool
    groups: Groups
    scaling: Literal["none", "trace", "fisher", "fisher-sqrt"]
    center: bool
    features: Literal["auto", "none", "center", "standardize", "unit"]
    examples: Literal["none", "center", "standardize", "unit"]
    standardize: bool | Literal["auto"]
    categorical: Columns
    reference: bool
    missing: Literal["auto", "impute", "drop", "error"]
    rare: int
    loss: str | tuple[str, float]
    outputs: Literal["separate", "shared"]
    stack: bool | Literal["auto"]
    interval: float | None
    method: Literal["auto", "exact", "tall"]
    solver: Literal["newton", "alternate"]
    gap_tol: float
    delta: float
    max_iter: int
    df: Literal["auto", "each", "none"]
    intercept: bool | Literal["auto", "none", "mean", "free"]
    rank_tol: float
    memory: str | int | None
    n_jobs: int | None
    random_state: Any
    verbose: int
    def __init__(
        self,
        *,
        alphas: Any = ...,
        n_alphas: int | None = ...,
        eps: float | None = ...,
        cv: Any = ...,
        repeats: int = ...,
        rule: Literal["min", "1se"] = ...,
        scoring: str | None = ...,
        select: Literal["cv", "gcv", "cp", "aic", "bic", "loo"] = ...,
        baselines: bool | Literal["auto"] = ...,
        stability: int = ...,
        stability_errors: float = ...,
        kernels: Texts = ...,
        plain: bool = ...,
        groups: Groups = ...,
        scaling: Literal["none", "trace", "fisher", "fisher-sqrt"] = ...,
        center: bool = ...,
        features: Literal["auto", "none", "center", "standardize", "unit"] = ...,
        examples: Literal["none", "center", "standardize", "unit"] = ...,
        standardize: bool | Literal["auto"] = ...,
        categorical: Columns = ...,
        reference: bool = ...,
        missing: Literal["auto", "impute", "drop", "error"] = ...,
        rare: int = ...,
        loss: str | tuple[str, float] = ...,
        outputs: Literal["separate", "shared"] = ...,
        stack: bool | Literal["auto"] = ...,
        interval: float | None = ...,
        method: Literal["auto", "exact", "tall"] = ...,
        solver: Literal["newton", "alternate"] = ...,
        gap_tol: float = ...,
        delta: float = ...,
        max_iter: int = ...,
        df: Literal["auto", "each", "none"] = ...,
        intercept: bool | Literal["auto", "none", "mean", "free"] = ...,
        rank_tol: float = ...,
        memory: str | int | None = ...,
        n_jobs: int | None = ...,
        random_state: Any = ...,
        verbose: int = ...,
    ) -> None: ...

class ClassifierCVParameters:
    _parameters: ClassVar[list[Parameter]]
    alphas: Any
    n_alphas: int | None
    eps: float | None
    cv: Any
    repeats: int
    rule: Literal["min", "1se"]
    scoring: str | None
    select: Literal["cv", "gcv", "cp", "aic", "bic", "loo"]
    baselines: bool | Literal["auto"]
    stability: int
    stability_errors: float
    class_weight: ClassWeight
    kernels: Texts
    plain: bool
    groups: Groups
    scaling: Literal["none", "trace", "fisher", "fisher-sqrt"]
    center: bool
    features: Literal["auto", "none", "center", "standardize", "unit"]
    examples: Literal["none", "center", "standardize", "unit"]
    standardize: bool | Literal["auto"]
    categorical: Columns
    reference: bool
    missing: Literal["auto", "impute", "drop", "error"]
    rare: int
    loss: str | tuple[str, float]
    probability: bool
    outputs: Literal["separate", "shared"]
    stack: bool | Literal["auto"]
    method: Literal["auto", "exact", "tall"]
    solver: Literal["newton", "alternate"]
    gap_tol: float
    delta: float
    max_iter: int
    df: Literal["auto", "each", "none"]
    intercept: bool | Literal["auto", "none", "mean", "free"]
    rank_tol: float
    memory: str | int | None
    n_jobs: int | None
    random_state: Any
    verbose: int
    def __init__(
        self,
        *,
        alphas: Any = ...,
        n_alphas: int | None = ...,
        eps: float | None = ...,
        cv: Any = ...,
        repeats: int = ...,
        rule: Literal["min", "1se"] = ...,
        scoring: str | None = ...,
        select: Literal["cv", "gcv", "cp", "aic", "bic", "loo"] = ...,
        baselines: bool | Literal["auto"] = ...,
        stability: int = ...,
        stability_errors: float = ...,
        class_weight: ClassWeight = ...,
        kernels: Texts = ...,
        plain: bool = ...,
        groups: Groups = ...,
        scaling: Literal["none", "trace", "fisher", "fisher-sqrt"] = ...,
        center: bool = ...,
        features: Literal["auto", "none", "center", "standardize", "unit"] = ...,
        examples: Literal["none", "center", "standardize", "unit"] = ...,
        standardize: bool | Literal["auto"] = ...,
        categorical: Columns = ...,
        reference: bool = ...,
        missing: Literal["auto", "impute", "drop", "error"] = ...,
        rare: int = ...,
        loss: str | tuple[str, float] = ...,
        probability: bool = ...,
        outputs: Literal["separate", "shared"] = ...,
        stack: bool | Literal["auto"] = ...,
        method: Literal["auto", "exact", "tall"] = ...,
        solver: Literal["newton", "alternate"] = ...,
        gap_tol: float = ...,
        delta: float = ...,
        max_iter: int = ...,
        df: Literal["auto", "each", "none"] = ...,
        intercept: bool | Literal["auto", "none", "mean", "free"] = ...,
        rank_tol: float = ...,
        memory: str | int | None = ...,
        n_jobs: int | None = ...,
        random_state: Any = ...,
        verbose: int = ...,
    ) -> None: ...

class StatisticsParameters:
    _parameters: ClassVar[list[Parameter]]
    task: Literal["regression", "classification"]
    cv: int | None
    class_weight: ClassWeight
    kernels: Texts
    groups: Groups
    features: Literal["auto", "none", "center", "standardize", "unit"]
    standardize: bool | Literal["auto"]
    categorical: Columns
    reference: bool
    missing: Literal["auto", "impute", "drop", "error"]
    rare: int
    memory: str | int | None
    n_jobs: int | None
    random_state: Any
    verbose: int
    def __init__(
        self,
        *,
        task: Literal["regression", "classification"] = ...,
        cv: int | None = ...,
        class_weight: ClassWeight = ...,
        kernels: Texts = ...,
        groups: Groups = ...,
        features: Literal["auto", "none", "center", "standardize", "unit"] = ...,
        standardize: bool | Literal["auto"] = ...,
        categorical: Columns = ...,
        reference: bool = ...,
        missing: Literal["auto", "impute", "drop", "error"] = ...,
        rare: int = ...,
        memory: str | int | None = ...,
        n_jobs: int | None = ...,
        random_state: Any = ...,
        verbose: int = ...,
    ) -> None: ...

class ProfileParameters:
    _parameters: ClassVar[list[Parameter]]
    task: Literal["regression", "classification"]
    cv: int | None
    class_weight: ClassWeight
    kernels: Texts
    groups: Groups
    features: Literal["auto", "none", "center", "standardize", "unit"]
    standardize: bool | Literal["auto"]
    categorical: Columns
    reference: bool
    missing: Literal["auto", "impute", "drop", "error"]
    rare: int
    memory: str | int | None
    n_jobs: int | None
    random_state: Any
    verbose: int
    def __init__(
        self,
        *,
        task: Literal["regression", "classification"] = ...,
        cv: int | None = ...,
        class_weight: ClassWeight = ...,
        kernels: Texts = ...,
        groups: Groups = ...,
        features: Literal["auto", "none", "center", "standardize", "unit"] = ...,
        standardize: bool | Literal["auto"] = ...,
        categorical: Columns = ...,
        reference: bool = ...,
        missing: Literal["auto", "impute", "drop", "error"] = ...,
        rare: int = ...,
        memory: str | int | None = ...,
        n_jobs: int | None = ...,
        random_state: Any = ...,
        verbose: int = ...,
    ) -> None: ...
