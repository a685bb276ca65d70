"""Statistics: how far a share can be trusted, and whether two differ; schemas are drawn whole."""

from horsesense.metrics.statistics.agreement import (
    Majority,
    Ratings,
    fleiss_kappa,
    full_agreement,
    krippendorff_alpha,
    majority_vote,
)
from horsesense.metrics.statistics.bootstrap import (
    BootstrappedBest,
    bootstrap,
    bootstrap_best,
    bootstrap_difference,
)
from horsesense.metrics.statistics.bootstrapped import (
    Bootstrapped,
    Drawn,
    bootstrapped,
    counted_clusters,
)
from horsesense.metrics.statistics.differences import (
    DifferenceTable,
    MetricDifference,
    compare,
    compare_subset,
)
from horsesense.metrics.statistics.hypothesis import HypothesisTest, chi_square, exact_binomial
from horsesense.metrics.statistics.interval import LEVEL, Interval, clopper_pearson, wald, wilson
from horsesense.metrics.statistics.monte_carlo import (
    TRIALS,
    MonteCarlo,
    ThesisTerms,
    monte_carlo,
    thesis_terms,
)
from horsesense.metrics.statistics.multiplicity import (
    Adjusted,
    Correction,
    adjust,
    benjamini_hochberg,
    holm,
)
from horsesense.metrics.statistics.null import (
    Null,
    conditional_null,
    exactly,
    observed_null,
    schema_null,
)
from horsesense.metrics.statistics.power import (
    Noticeable,
    beyond_luck,
    discordant_deviation,
    lucky_draw,
    noticeable_difference,
    problem_deviation,
    schema_deviation,
    schemas_needed,
)
from horsesense.metrics.statistics.pvalue import p_cell, p_sentence
from horsesense.metrics.statistics.resampling import (
    FEW_CLUSTERS,
    FEW_SCHEMAS,
    RESAMPLES,
    SEED,
    resample,
    weights,
)
from horsesense.metrics.statistics.significance import (
    Significance,
    mcnemar,
    permute_labels,
    sign_flip,
    sign_test,
)

__all__ = [
    "Adjusted",
    "Bootstrapped",
    "BootstrappedBest",
    "Correction",
    "DifferenceTable",
    "Drawn",
    "FEW_CLUSTERS",
    "FEW_SCHEMAS",
    "HypothesisTest",
    "Interval",
    "LEVEL",
    "Majority",
    "MetricDifference",
    "MonteCarlo",
    "Noticeable",
    "Null",
    "RESAMPLES",
    "Ratings",
    "SEED",
    "Significance",
    "ThesisTerms",
    "TRIALS",
    "adjust",
    "benjamini_hochberg",
    "beyond_luck",
    "bootstrap",
    "bootstrap_best",
    "bootstrap_difference",
    "bootstrapped",
    "chi_square",
    "clopper_pearson",
    "compare",
    "compare_subset",
    "conditional_null",
    "counted_clusters",
    "discordant_deviation",
    "exact_binomial",
    "exactly",
    "fleiss_kappa",
    "full_agreement",
    "holm",
    "krippendorff_alpha",
    "lucky_draw",
    "majority_vote",
    "mcnemar",
    "monte_carlo",
    "noticeable_difference",
    "observed_null",
    "p_cell",
    "p_sentence",
    "permute_labels",
    "problem_deviation",
    "resample",
    "schema_deviation",
    "schema_null",
    "schemas_needed",
    "sign_flip",
    "sign_test",
    "thesis_terms",
    "wald",
    "weights",
    "wilson",
]
