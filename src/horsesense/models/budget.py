"""The budget of a run: how many requests and tokens may be sent to servers, and at what cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Condition

from horsesense.errors import BudgetError

_PER = 1_000_000
_REQUESTS = "--max-requests"


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of a server per million tokens, in any currency; None if they are not known."""

    input: float | None = None
    output: float | None = None

    def cost(self, prompt_tokens: int, reply_tokens: int) -> float | None:
        """Return the cost of some tokens, or None without prices.

        >>> Prices(0.5, 2.0).cost(1_000_000, 500_000), Prices().cost(1, 1)
        (1.5, None)
        """
        if self.input is None and self.output is None:
            return None
        read, written = (self.input or 0.0) * prompt_tokens, (self.output or 0.0) * reply_tokens
        return (read + written) / _PER


@dataclass(slots=True)
class Budget:
    """The requests and tokens that were sent to servers, and limits that they must not exceed.

    One budget is shared by all models of a run and by all threads; `part` returns one that counts
    for a single model and spends from the whole. Call `reserve` before a request and `settle` after
    it, whatever became of it. A retry is a request of its own.
    """

    max_requests: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    prices: Prices = field(default_factory=Prices)
    requests: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    whole: Budget | None = field(default=None, repr=False)
    in_flight: int = field(default=0, repr=False)
    _settled: Condition = field(default_factory=Condition, repr=False, compare=False)

    def part(self) -> Budget:
        """Return a budget without limits of its own that spends from this one.

        >>> run = Budget(max_requests=2)
        >>> run.part().reserve(5, 1), run.part().reserve(5, 1), run.requests
        (None, None, 2)
        """
        return Budget(prices=self.prices, whole=self)

    @property
    def cost(self) -> float | None:
        """The cost so far, or None without prices."""
        return self.prices.cost(self.prompt_tokens, self.reply_tokens)

    def reserve(self, prompt_tokens: int, reply_tokens: int) -> None:
        """Count a request of at most that many tokens, or raise an error if it is too much.

        Requests in flight may take fewer tokens than they reserved. If those would make room for
        this one, they are waited for.
        """
        if self.whole is not None:
            self.whole.reserve(prompt_tokens, reply_tokens)
        with self._settled:
            while option := self._exceeded(prompt_tokens, reply_tokens):
                if option == _REQUESTS or not self.in_flight:
                    raise self._used_up(option)
                self._settled.wait()
            self.in_flight += 1
            self.requests += 1
            self.prompt_tokens += prompt_tokens
            self.reply_tokens += reply_tokens

    def settle(self, reserved: tuple[int, int], used: tuple[int, int]) -> None:
        """Replace the tokens reserved for a request, prompt and reply, by those it used."""
        if self.whole is not None:
            self.whole.settle(reserved, used)
        with self._settled:
            self.in_flight -= 1
            self.prompt_tokens += used[0] - reserved[0]
            self.reply_tokens += used[1] - reserved[1]
            self._settled.notify_all()

    def _exceeded(self, prompt_tokens: int, reply_tokens: int) -> str:
        """Return the first limit that a request would exceed; an empty string if there is none."""
        prompts, replies = self.prompt_tokens + prompt_tokens, self.reply_tokens + reply_tokens
        needs = self.requests + 1, prompts + replies, self.prices.cost(prompts, replies)
        for (option, limit), needed in zip(self._limits, needs, strict=True):
            if limit is not None and needed is not None and needed > limit:
                return option
        return ""

    @property
    def _limits(self) -> tuple[tuple[str, float | None], ...]:
        return (
            (_REQUESTS, self.max_requests),
            ("--max-tokens", self.max_tokens),
            ("--max-cost", self.max_cost),
        )

    def _used_up(self, option: str) -> BudgetError:
        limit = dict(self._limits)[option]
        return BudgetError(
            f"the budget is used up: the next request would exceed {option} {limit:g};"
            " all answers so far are stored, so raise the limit and run the same command"
            " again to continue"
        )
