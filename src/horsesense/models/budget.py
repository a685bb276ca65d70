"""The budget of a run: how many requests and tokens may be sent to servers, and at what cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from horsesense.errors import BudgetError

_PER = 1_000_000


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
    it. A retry is a request of its own.
    """

    max_requests: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    prices: Prices = field(default_factory=Prices)
    requests: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    whole: Budget | None = field(default=None, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

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
        """Count a request of at most that many tokens, or raise an error if it is too much."""
        if self.whole is not None:
            self.whole.reserve(prompt_tokens, reply_tokens)
        with self._lock:
            self._check(prompt_tokens, reply_tokens)
            self.requests += 1
            self.prompt_tokens += prompt_tokens
            self.reply_tokens += reply_tokens

    def settle(self, reserved: tuple[int, int], used: tuple[int, int]) -> None:
        """Replace the tokens reserved for a request, prompt and reply, by those it used."""
        if self.whole is not None:
            self.whole.settle(reserved, used)
        with self._lock:
            self.prompt_tokens += used[0] - reserved[0]
            self.reply_tokens += used[1] - reserved[1]

    def _check(self, prompt_tokens: int, reply_tokens: int) -> None:
        prompts, replies = self.prompt_tokens + prompt_tokens, self.reply_tokens + reply_tokens
        cost = self.prices.cost(prompts, replies)
        limits = (
            ("--max-requests", self.max_requests, self.requests + 1),
            ("--max-tokens", self.max_tokens, prompts + replies),
            ("--max-cost", self.max_cost, cost),
        )
        for option, limit, needed in limits:
            if limit is not None and needed is not None and needed > limit:
                raise BudgetError(
                    f"the budget is used up: the next request would exceed {option} {limit:g};"
                    " all answers so far are stored, so raise the limit and run the same command"
                    " again to continue"
                )
