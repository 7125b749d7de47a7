"""Statistics of random cases: proof of requirements, percentiles, rare events, and drivers.

This package does not use flights. The last axis of every array is the case: values (..., cases), inputs (...,
inputs, cases). All names in the following list can be imported from this package. The module of a name is
imported when the name is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MODULES = {
    "binomial": "clopper_pearson risk_of_passing allowed_failures smallest_cases prove Proof",
    "looks": "plan_looks true_risk risk_of_looks LookPlan Enlargement",
    "percentiles": "percentile percentile_interval percentile_ranks tolerance_interval Percentile "
    "bound_cases bound_rank bound_confidence",
    "weighted": "weighted_mean weighted_percentile effective_cases",
    "normal": "mean_interval sigma_interval tolerance_factor anderson_darling normality Normality",
    "distribution": "empirical_distribution convergence EmpiricalDistribution Convergence",
    "rare": "compare_methods RareEvent Disagreement",
    "importance": "importance_sampling weighted_probability",
    "shifts": "design_points cross_entropy Shifts",
    "subset": "subset_simulation subset_runs SubsetRuns",
    "drivers": "rank_correlation partial_rank_correlation regression Regression",
    "shares": "first_order_shares",
    "sobol": "sobol_design sobol_indices SobolIndices MissingSalib",
    "propagation": "propagate compare_propagation FirstOrder PropagationCheck",
    "paired": "compare_means compare_failures mcnemar difference_of_failures PairedMeans PairedFailures",
    "intervals": "Interval Estimate",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
