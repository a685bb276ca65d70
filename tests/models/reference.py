"""The scores of the thesis, computed as they are defined and in no other way.

One sentence at a time, one forward pass for each thing that is asked, nothing packed or padded,
the head over every token, all in float64, so that what it differs by is our rounding and not its
own: slow, and plain enough to be checked by eye against section 3.1 of the thesis. It takes
nothing from the program but the problems. What was read once is remembered, and that is all that
is done for speed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from horsesense.schema import Problem, Sentence
from tests.models.cuts import Cut, blanks_of, cut

# The cost of each option; None where the method is undefined.
Costs: TypeAlias = tuple[float, ...] | None


class Reference(Protocol):
    """A model with the methods of its family."""

    def costs(self, problem: Problem) -> dict[str, Costs]:
        """The costs of the problem's options by every method."""
        ...


def reference_of(folder: Path, table: Table | None = None) -> Reference:
    """The model in a folder, as transformers loads it."""
    import transformers

    (architecture,) = transformers.AutoConfig.from_pretrained(folder).architectures
    network = getattr(transformers, architecture).from_pretrained(folder).eval().double()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    if architecture.endswith("ForMaskedLM"):
        return MaskedReference(network, tokenizer)
    if architecture.endswith("ForConditionalGeneration"):
        return Seq2SeqReference(network, tokenizer)
    return CausalReference(network, tokenizer, table)


@dataclass(frozen=True)
class Table:
    """How often each token occurs in a text corpus; `floor` is for those that do not."""

    total: int
    counts: Mapping[int, int]
    floor: float

    def log_prob(self, token: int) -> float:
        return math.log((self.counts.get(token, 0) or self.floor) / self.total)


@dataclass
class CausalReference:
    """The methods of 3.1.1."""

    network: Any
    tokenizer: Any
    table: Table | None = None
    _asked: dict[tuple[int, ...], list[float]] = field(default_factory=dict)

    def costs(self, problem: Problem) -> dict[str, Costs]:
        """The costs of the problem's options by every method."""
        cuts = [
            cut(self.tokenizer, sentence.text, blanks_of(problem, sentence))
            for sentence in problem.sentences
        ]
        costs: dict[str, Costs] = {
            "full": _all(self.full(one) for one in cuts),
            "mean-full": _all(_over(self.full(one), len(one.real)) for one in cuts),
            "all-but-first": _all(self.all_but_first(one) for one in cuts),
            "loss": _all(_over(self.all_but_first(one), len(one.real) - 1) for one in cuts),
            "partial": _all(self.partial(one) for one in cuts),
            "mean-partial": _all(_over(self.partial(one), len(one.suffix)) for one in cuts),
            "normalized-full": _all(self.normalized_full(one) for one in cuts),
            "mean-normalized-full": _all(
                _over(self.normalized_full(one), len(one.real) - len(one.blank)) for one in cuts
            ),
        }
        for limit in (1, 3):
            for mean in ("", "mean-"):
                costs[f"{mean}smart@{limit}"] = self.smart(cuts, costs, limit, mean)
        spaced = [self.spaced(problem, sentence) for sentence in problem.sentences]
        costs["compat:lm-eval"] = _all(self.partial(one) for one in spaced)
        costs["compat:lighteval"] = _all(self.lighteval(one) for one in spaced)
        costs["compat:llama.cpp"] = self.llama_cpp(cuts)
        return costs

    def log_probs(self, ids: tuple[int, ...]) -> list[float]:
        """The log-probability of each token but the first, from those before it."""
        if ids not in self._asked:
            import torch

            with torch.no_grad():
                logits = self.network(torch.tensor([ids])).logits[0]
            rows = torch.log_softmax(logits, -1)
            self._asked[ids] = [float(rows[at - 1, ids[at]]) for at in range(1, len(ids))]
        return self._asked[ids]

    def of_token(self, one: Cut, at: int) -> float | None:
        """The log-probability of a token: the first from BOS, else from the table, if any."""
        if at > 0:
            return self.log_probs(one.ids)[at - 1]
        return self.table.log_prob(one.ids[0]) if self.table else None

    def cost(self, one: Cut, positions: Sequence[int]) -> float | None:
        log_probs = [self.of_token(one, at) for at in positions]
        return -sum(log_probs) if None not in log_probs else None  # type: ignore[arg-type]

    def full(self, one: Cut) -> float | None:
        """(3.10)"""
        return self.cost(one, one.real)

    def all_but_first(self, one: Cut) -> float | None:
        """(3.15)"""
        return self.cost(one, one.real[1:]) if len(one.real) > 1 else None

    def partial(self, one: Cut) -> float | None:
        """(3.9)"""
        return self.cost(one, one.suffix) if one.suffix else None

    def normalized_full(self, one: Cut) -> float | None:
        """(3.11), with two blanks each phrase by itself."""
        full = self.full(one)
        if full is None or not one.blanks or not all(one.blanks):
            return None
        bos = one.ids[: one.real[0]]
        for blank in one.blanks:
            phrase = (*bos, *(one.ids[at] for at in blank))
            positions = tuple(range(len(bos), len(phrase)))
            alone = self.cost(Cut(phrase, positions, (), (), ()), positions)
            assert alone is not None
            full -= alone
        return full

    def smart(self, cuts: list[Cut], costs: dict[str, Costs], limit: int, mean: str) -> Costs:
        """Partial, unless at most so many tokens follow the blank, whichever option is in it."""
        if not cuts[0].blanks:
            return None
        if max(len(one.suffix) for one in cuts) > limit:
            return costs[f"{mean}partial"]
        if costs["full"] is not None:
            return costs[f"{mean}full"]
        return costs["loss" if mean else "all-but-first"]

    def spaced(self, problem: Problem, sentence: Sentence) -> Cut:
        """As other programs read it: a space after the option, whether or not there is one."""
        blanks, text = blanks_of(problem, sentence), sentence.text
        if blanks:
            text = f"{text[: blanks[-1].end]} {text[blanks[-1].end :].strip()}"
        return cut(self.tokenizer, text, blanks)

    def lighteval(self, one: Cut) -> float | None:
        """The option and what follows it."""
        if not one.blanks:
            return None
        first = min([*one.blank, *one.suffix])
        return self.cost(one, [at for at in one.real if at >= first])

    def llama_cpp(self, cuts: list[Cut]) -> Costs:
        """The mean over what follows, or over option and what follows where that is short.

        The last token is left out unless it is the only one.
        """
        if not cuts[0].blanks or len(cuts) != 2:
            return None
        common = 0
        while all(one.ids[common : common + 1] == cuts[0].ids[common : common + 1] for one in cuts):
            common += 1
        is_long = all(len(one.ids) - common > 3 for one in cuts)
        scored = [one.suffix if is_long else range(common, len(one.ids)) for one in cuts]
        kept = [positions[:-1] if len(positions) > 1 else positions for positions in scored]
        return _all(
            _over(self.cost(one, positions), len(positions))
            for one, positions in zip(cuts, kept, strict=True)
        )


@dataclass
class MaskedReference:
    """The methods of 3.1.2, and others for masked models."""

    network: Any
    tokenizer: Any
    _asked: dict[tuple[Any, ...], float] = field(default_factory=dict)

    def costs(self, problem: Problem) -> dict[str, Costs]:
        """The costs of the problem's options by every method."""
        cuts = [
            cut(self.tokenizer, sentence.text, blanks_of(problem, sentence))
            for sentence in problem.sentences
        ]
        multi = [self.multi_mask(one) for one in cuts]
        single = [self.single_mask(one, one.blank) for one in cuts]
        statement = [self.single_mask(one, one.real) for one in cuts]
        within_word = [self.within_word(one) for one in cuts]
        sizes = [len(one.ids) for one in cuts]  # special tokens included
        has_blanks = all(one.blanks and all(one.blanks) for one in cuts)
        costs: dict[str, Costs] = {
            "statement": _all(_sum(each) for each in statement),
            "mean-statement": _all(map(_over, map(_sum, statement), sizes)),
            "within-word": _all(_sum(each) for each in within_word),
            "mean-within-word": _all(map(_over, map(_sum, within_word), sizes)),
            "zero-shot": self.zero_shot(cuts, multi),
        }
        of_blanks: dict[str, Costs] = {
            "multi-mask": _all(_sum(each) for each in multi),
            "loss": _all(_over(_sum(each), len(each)) for each in multi),
            "answer": _all(_sum(each) for each in single),
            "mean-answer": _all(_over(_sum(each), len(each)) for each in single),
            "abdou": _all(_mean_probability(each) for each in multi),
        }
        return costs | (of_blanks if has_blanks else dict.fromkeys(of_blanks))

    def log_prob(self, one: Cut, asked: int, masked: Sequence[int]) -> float:
        """The log-probability of a token with some tokens masked, itself among them."""
        ids = [self.tokenizer.mask_token_id if at in masked else i for at, i in enumerate(one.ids)]
        key = (tuple(ids), asked, one.ids[asked])
        if key not in self._asked:
            import torch

            with torch.no_grad():
                logits = self.network(torch.tensor([ids])).logits[0, asked]
            row = torch.log_softmax(logits, -1)
            self._asked[key] = float(row[one.ids[asked]])
        return self._asked[key]

    def multi_mask(self, one: Cut) -> list[float]:
        """(3.20): all blanks masked at once."""
        return [self.log_prob(one, at, one.blank) for at in one.blank]

    def single_mask(self, one: Cut, positions: Sequence[int]) -> list[float]:
        """(3.22) and (3.24): each token masked alone."""
        return [self.log_prob(one, at, (at,)) for at in positions]

    def within_word(self, one: Cut) -> list[float]:
        """Each token masked with those of its word that follow."""
        return [
            self.log_prob(
                one, at, [to for to in one.real if to >= at and one.words[to] == one.words[at]]
            )
            for at in one.real
        ]

    def zero_shot(self, cuts: list[Cut], multi: list[list[float]]) -> Costs:
        """One blank of one token, whatever the option."""
        if any(len(one.blanks) != 1 or len(one.blank) != 1 for one in cuts):
            return None
        return _all(_sum(each) for each in multi)


@dataclass
class Seq2SeqReference:
    """The parametrized masked score of 3.1.3."""

    network: Any
    tokenizer: Any
    _asked: dict[tuple[str, str], list[float]] = field(default_factory=dict)

    def costs(self, problem: Problem) -> dict[str, Costs]:
        """The costs of the problem's options by every method."""
        if not problem.blanks:
            return dict.fromkeys(SEQ2SEQ_METHODS)
        costs: dict[str, Costs] = {}
        for method, (prefix, is_mean, counts_eos) in SEQ2SEQ_METHODS.items():
            found = []
            for option in problem.options:
                log_probs = self.log_probs(source_of(problem, prefix), label_of(option))
                counted = log_probs if counts_eos else log_probs[:-1]
                found.append(_over(_sum(counted), len(counted) if is_mean else 1))
            costs[method] = _all(found)
        return costs

    def log_probs(self, source: str, label: str) -> list[float]:
        """The log-probability of each token of the label, EOS at last."""
        if (source, label) not in self._asked:
            ids, labels = self.tokenizer(source).input_ids, self.tokenizer(label).input_ids
            assert ids[-1] == labels[-1] == self.tokenizer.eos_token_id
            import torch

            with torch.no_grad():
                out = self.network(input_ids=torch.tensor([ids]), labels=torch.tensor([labels]))
            rows = torch.log_softmax(out.logits[0].float(), -1)
            self._asked[source, label] = [float(rows[at, to]) for at, to in enumerate(labels)]
        return self._asked[source, label]


# Each with its task prefix, whether it is a mean, and whether EOS counts.
SEQ2SEQ_METHODS = {
    "basic": ("", False, True),
    "mean": ("", True, False),
    "prefix": ("wsc: ", False, True),
    "mean-prefix": ("wsc: ", True, False),
    "loss": ("", True, True),
    "prefix-loss": ("wsc: ", True, True),
    "without-eos": ("", False, False),
    "prefix-without-eos": ("wsc: ", False, False),
}


def source_of(problem: Problem, prefix: str) -> str:
    """(3.26): the statement with a sentinel for each blank, and no space before it."""
    source, end, text = prefix, 0, problem.statement.text
    for number, blank in enumerate(blanks_of(problem, problem.statement)):
        source = (source + text[end : blank.start]).rstrip(" ") + f"<extra_id_{number}>"
        end = blank.end
    return source + text[end:]


def label_of(phrases: Sequence[str]) -> str:
    """What is to be written for the blanks, and no space before a sentinel."""
    spans = [f"<extra_id_{number}> {phrase}".rstrip(" ") for number, phrase in enumerate(phrases)]
    return "".join([*spans, f"<extra_id_{len(phrases)}>"])


def _all(costs: Any) -> Costs:
    found = tuple(costs)
    return None if None in found else found


def _over(cost: float | None, count: int) -> float | None:
    return None if cost is None or not count else cost / count


def _sum(log_probs: Sequence[float]) -> float:
    return -sum(log_probs)


def _mean_probability(log_probs: Sequence[float]) -> float | None:
    if not log_probs:
        return None
    return -math.log(sum(map(math.exp, log_probs)) / len(log_probs))
