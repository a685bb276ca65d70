"""The performance profile: all that an evaluation found, and where to find it (thesis 4.2.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from horsesense.results.address import Address
from horsesense.results.measurement import Kind, Measurement
from horsesense.results.posed import PosedProblem, TokenCosts
from horsesense.results.record import Record
from horsesense.results.subjects import DatasetSubject, FormSubject, Gap, ModelSubject
from horsesense.scoring.outcome import Sheet


@dataclass(frozen=True, slots=True)
class OptionChosen:
    """How often an option was chosen at an address, of the decided problems that offer it.

    `option` is a position, `1`, `2`, …, or a text where few texts are offered, such as `true`.
    """

    of: Address
    option: str
    chosen: int
    offered: int


@dataclass(frozen=True)
class Profile:
    """A record, what it is about, all measurements, and all answers they are made of.

    `sheets` have the answers at every address of which the subset is `all`.
    """

    record: Record
    models: tuple[ModelSubject, ...]
    datasets: tuple[DatasetSubject, ...]
    forms: tuple[FormSubject, ...]
    measurements: tuple[Measurement, ...]
    options: tuple[OptionChosen, ...] = ()
    problems: tuple[PosedProblem, ...] = ()
    sheets: Mapping[Address, Sheet] = field(default_factory=dict)
    tokens: tuple[TokenCosts, ...] = ()
    gaps: tuple[Gap, ...] = ()

    def value(self, of: Address, metric: str) -> Measurement | None:
        """A metric at an address, if it was measured."""
        return self._index.get((Kind.VALUE, of, None, metric))

    def change(self, of: Address, against: Address, metric: str) -> Measurement | None:
        """A metric of two addresses, such as consistency, if it was measured."""
        return self._index.get((Kind.CHANGE, of, against, metric))

    def difference(self, of: Address, against: Address, metric: str) -> Measurement | None:
        """A metric at an address minus that at another, if it was measured."""
        return self._index.get((Kind.DIFFERENCE, of, against, metric))

    @property
    def evaluated(self) -> tuple[ModelSubject, ...]:
        """The models that it is about, without the baselines beside them.

        If there are only baselines, it is about those that the plan names.
        """
        named = self.record.plan.models
        models = tuple(one for one in self.models if not one.is_baseline)
        return models or tuple(one for one in self.models if one.name in named) or self.models

    def forms_of(self, dataset: str) -> tuple[FormSubject, ...]:
        """The forms in which a dataset was posed, the original first."""
        return tuple(form for form in self.forms if form.dataset == dataset)

    def standard(self, model: ModelSubject, dataset: str) -> Address:
        """Where the numbers of a model on a dataset stand that were chosen beforehand."""
        return Address(model.name, dataset, method=model.method_for(dataset))

    @cached_property
    def _index(self) -> dict[tuple[Kind, Address, Address | None, str], Measurement]:
        return {(one.kind, one.of, one.against, one.metric): one for one in self.measurements}
