"""Records: what a run was, so that it can be found, trusted and repeated."""

from __future__ import annotations

from dataclasses import dataclass

from horsesense.results.plan import Plan
from horsesense.schema import Named


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A run: its plan, what it was made with and of, when and where.

    `key` is a hash of all that its numbers depend on, and `id` the beginning of it: the same plan
    on the same data with the same program is the same run. `program` is a hash of the source code
    of horsesense. `asked` of the `queries` were put to models, the others were in the store.
    `in_memory` are the models and data that were given as they were: no plan names these.
    """

    id: str
    key: str
    plan: Plan
    horsesense: str
    program: str
    versions: Named[str]
    machine: Named[str]
    started_at: str
    finished_at: str
    seconds: float
    queries: int
    asked: int
    in_memory: tuple[str, ...] = ()

    @property
    def is_repeatable(self) -> bool:
        """Whether its plan names all that it takes to do it again."""
        return not self.in_memory
