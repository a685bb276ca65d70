"""Chat models: what they say, in both orders, beside what they know, and what the requests cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from horsesense.models import Prices
from horsesense.reports import wording
from horsesense.reports.conclusion import is_above, is_beyond_chance, is_enough
from horsesense.reports.lookup import Lookup, Row, finished, tested, without_repeats
from horsesense.reports.sections import LAST, Part, section
from horsesense.reports.table import (
    INTERVAL,
    METRIC,
    MODEL,
    TESTED,
    ReportTable,
    RowGroup,
    TableColumn,
    left,
)
from horsesense.reports.wording import (
    SCHEMA_ACCURACY,
    SYMBOLS,
    UNDEFINED,
    counted,
    methods_in_order,
    percent,
    percent_interval,
    points,
    share,
    standard,
    table_name,
)
from horsesense.results import (
    ORIGINAL,
    DatasetSubject,
    Estimate,
    ModelSubject,
    ReplyCount,
    ResultKey,
    Results,
)
from horsesense.results.measuring import (
    CHAT,
    FaultRule,
    OrderShares,
    Undecided,
    accuracies_by_rule,
    count_undecided,
    order_shares,
    same_models,
)

_PROTOCOL = left("Protocol")
_DATASET = left("Dataset")
# Above this share, a bias towards a place is worth a sentence.
_HALF = 0.5


@section("chat", title="What it says", position=25)
def chat(results: Results) -> Iterator[Part]:
    """How chat models answer in both orders, which replies have no answer, and what they know."""
    models = [model for model in results.evaluated if model.family == CHAT]
    if not models:
        return
    shares = {
        key: order_shares(results, key)
        for dataset in results.datasets
        for key in _keys(results, dataset, models)
    }
    for dataset in results.datasets:
        for model in models:
            if (key := standard(model, dataset.name)) in shares:
                yield _in_both_orders(results, key, shares[key])
        yield from _says_and_knows(results, dataset)
    for dataset in results.datasets:
        yield _order(results, dataset, shares)
    yield _replies(results, models)
    for dataset in results.datasets:
        yield _by_rule(results, dataset, models)
        yield _known(results, dataset)


@section("usage", title="Requests and cost", position=LAST - 1)
def usage(results: Results) -> Iterator[Part]:
    """What was sent to servers, and how many tokens the replies of chat models have."""
    if results.usage or results.replies:
        yield _usage(results)


def _in_both_orders(results: Results, key: ResultKey, shares: OrderShares) -> str:
    """Say what the choice follows when the options change places."""
    problems = f"{counted(shares.same.n_problems, 'problem')} of {key.dataset}"
    sentences = [
        f"Asked in both orders with the protocol {key.method}, {key.model} makes the same choice in"
        f" {percent_interval(shares.same)} of the {problems}."
    ]
    if shares.by_order.value:
        first = _first_chosen(results, key)
        where = ""
        if first is not None and first != _HALF:
            place, often = ("first", first) if first > _HALF else ("last", 1 - first)
            where = f": it chooses whatever stands {place} in {percent(often)} of the questions"
        sentences.append(
            f"In {percent(shares.by_order.value)}, its choice stays at its place when the options"
            f" change places{where}."
        )
    if shares.no_answer:
        sentences.append(f"In {percent(shares.no_answer)}, a reply has no answer.")
    return " ".join(sentences)


def _order(
    results: Results, dataset: DatasetSubject, shares_by_key: Mapping[ResultKey, OrderShares]
) -> ReportTable | None:
    rows: list[Row] = []
    for key, shares in shares_by_key.items():
        if key.dataset != dataset.name:
            continue
        cells = [
            *_with_interval(shares.same),
            *_with_interval(shares.by_order),
            share(shares.no_answer),
        ]
        number = f"{shares.same.n_problems:,}"
        rows.append((key.model, key.method, *cells, share(_first_chosen(results, key)), number))
    if not rows:
        return None
    return ReportTable(
        name=table_name("order", dataset.name),
        title=f"Choices on {dataset.name} when the options change places",
        columns=(
            MODEL,
            _PROTOCOL,
            TableColumn("Same Choice"),
            INTERVAL,
            TableColumn("Follows Order"),
            INTERVAL,
            TableColumn("No Answer"),
            TableColumn("First Chosen"),
            TableColumn("Problems"),
        ),
        groups=(RowGroup(without_repeats(rows, 2)),),
        notes=(
            "each choice is asked in both orders; a problem is decided only if both lead to the"
            " same option, as guessing does in half of the problems with two options",
            "judge: each sentence is judged with yes and no in both orders",
            "no answer: a reply is refused, unparsable or truncated",
            "first chosen: share of the replies with an answer that give the one shown first",
            _intervals(results),
        ),
        is_main=True,
    )


def _replies(results: Results, models: Iterable[ModelSubject]) -> ReportTable | None:
    names = [model.name for model in models]
    rows = [
        (
            count.model,
            count.dataset,
            count.method,
            *(
                f"{number:,}"
                for number in (
                    count.requests,
                    count.refused,
                    count.unparsable,
                    count.truncated,
                    count.with_log_probs,
                    count.written_differs,
                )
            ),
        )
        for count in results.replies
        if count.model in names and count.variant == ORIGINAL
    ]
    if not rows:
        return None
    return ReportTable(
        name="replies",
        title="Replies by how they were read",
        columns=(
            MODEL,
            _DATASET,
            _PROTOCOL,
            TableColumn("Requests"),
            TableColumn("Refused"),
            TableColumn("Unparsable"),
            TableColumn("Truncated"),
            TableColumn("With Probabilities"),
            TableColumn("Written Differs"),
        ),
        groups=(RowGroup(without_repeats(rows, 3)),),
        notes=(
            "requests: distinct ones about the original problems",
            "refused, unparsable, truncated: the reply has no answer that can be read",
            "with probabilities: the model gave log-probabilities of the answers, and the most"
            " likely one counts; written differs: the reply states another one",
        ),
    )


def _by_rule(
    results: Results, dataset: DatasetSubject, models: Iterable[ModelSubject]
) -> ReportTable | None:
    """Accuracies if problems without an answer count as failed, as half, or not at all."""
    rows: list[Row] = []
    for key in _keys(results, dataset, models):
        faulty = count_undecided(results.answer_sets[key].labelled().answers)[Undecided.NO_ANSWER]
        if not faulty:
            continue
        by_rule = [accuracies_by_rule(results, key, rule) for rule in FaultRule]
        for symbol_, *measured in zip(SYMBOLS.values(), *by_rule, strict=True):
            cells = [cell for each in measured for cell in _with_interval(each)]
            rows.append(
                (key.model, key.method, symbol_, f"{faulty:,}", *cells, _size(measured[-1]))
            )
    if not rows:
        return None
    return ReportTable(
        name=table_name("without-answer", dataset.name),
        title=f"Accuracy on {dataset.name}, with problems without an answer counted in three ways",
        columns=(
            MODEL,
            _PROTOCOL,
            METRIC,
            TableColumn("No Answer"),
            TableColumn("As Failed"),
            INTERVAL,
            TableColumn("As Half"),
            INTERVAL,
            TableColumn("Left Out"),
            INTERVAL,
            TableColumn("n"),
        ),
        groups=(RowGroup(without_repeats(rows, 3)),),
        notes=(
            "no answer: problems about which a reply is refused, unparsable or truncated",
            "left out: without these problems, and without schemas with such a problem; n counts"
            " what is left, problems for a and schemas for A",
            f"problems that are undecided for another reason {_ties(results)}",
            _intervals(results),
        ),
    )


def _size(estimate: Estimate) -> str:
    """The number of problems or schemas that an accuracy is about."""
    is_of_schemas = estimate.metric == SCHEMA_ACCURACY
    return f"{estimate.n_schemas if is_of_schemas else estimate.n_problems:,}"


def _known(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    """What models say when they are asked, beside their log-probabilities of the same problems."""
    lookup = Lookup(results)
    rows: list[Row] = []
    for asked, model in same_models(results.models):
        known = standard(model, dataset.name)
        for key in _keys(results, dataset, [asked]):
            for metric, symbol_ in SYMBOLS.items():
                said, knows = lookup.value(key, metric), lookup.value(known, metric)
                difference = lookup.difference(key, known, metric)
                rows.append(
                    (
                        asked.name,
                        key.method,
                        symbol_,
                        *(cell for each in (said, knows) for cell in _with_interval(each)),
                        *tested(difference)[:-1],
                    )
                )
    return finished(
        lookup,
        (
            MODEL,
            _PROTOCOL,
            METRIC,
            TableColumn("Says"),
            INTERVAL,
            TableColumn("Knows"),
            INTERVAL,
            TableColumn("Says – Knows"),
            *TESTED[:-1],
        ),
        (RowGroup(tuple(rows)),),
        name=table_name("says-and-knows", dataset.name),
        title=f"Does it know more than it says? Replies and log-probabilities on {dataset.name}",
        is_main=True,
        notes=(
            "says: accuracy of the chat model by a protocol; knows: accuracy of the same model as a"
            " language model, by its standard method; the difference is paired by problems",
        ),
    )


def _says_and_knows(results: Results, dataset: DatasetSubject) -> Iterator[str]:
    """Compare the standard protocol of a model with its log-probabilities, in words."""
    lookup = Lookup(results)
    for asked, model in same_models(results.evaluated):
        key, known = standard(asked, dataset.name), standard(model, dataset.name)
        said, knows = (lookup.value(each, SCHEMA_ACCURACY) for each in (key, known))
        difference = lookup.difference(key, known, SCHEMA_ACCURACY)
        if said is None or knows is None or difference is None or difference.value is None:
            continue
        yield (
            f"By its log-probabilities ({known.method}), {model.name} solves"
            f" {percent(knows.value)} of the schemas of {dataset.name}; asked ({key.method}), it"
            f" solves {percent(said.value)}: {points(difference, 'its log-probabilities')}."
            f" {_who_knows_more(said, knows, difference)}"
        )


def _who_knows_more(said: Estimate, knows: Estimate, difference: Estimate) -> str:
    """Conclude from the interval of the difference; guessing is not knowing.

    Undecided problems count as failed, so a model that mostly guesses solves fewer when asked.
    """
    if not is_enough(difference):
        return "There are too few schemas to tell whether it knows more than it says."
    if difference.high is not None and difference.high < 0:
        if is_beyond_chance(knows):
            return "It knows more than it says."
        return (
            "But its log-probabilities do not clearly solve more than guessing would, so this does"
            " not show that it knows more than it says."
        )
    if is_above(difference, 0.0) and is_beyond_chance(said):
        return "It says more than its log-probabilities show."
    return "Whether it knows more than it says is not clear."


def _usage(results: Results) -> ReportTable:
    used = {each.model: each for each in results.usage}
    replies = {each.model: each for each in results.replies if not each.method}
    plan = results.record.plan
    prices = Prices(plan.price_input, plan.price_output)
    served = {model.name for model in results.models if model.server}
    rows = []
    for name in dict.fromkeys((*replies, *used)):
        count, sent = replies.get(name), used.get(name)
        rows.append(
            (
                name,
                *_all(count, prices if name in served else Prices()),
                *((UNDEFINED,) * 4 if sent is None else (
                    f"{sent.requests:,}", f"{sent.prompt_tokens:,}", f"{sent.reply_tokens:,}",
                    _cost(sent.cost),
                )),
            )
        )  # fmt: skip
    return ReportTable(
        name="usage",
        title="Requests, tokens and cost",
        columns=(
            MODEL,
            TableColumn("All Requests"),
            TableColumn("All Prompt Tokens"),
            TableColumn("All Reply Tokens"),
            TableColumn("Cost of All"),
            TableColumn("Sent"),
            TableColumn("Prompt Tokens Sent"),
            TableColumn("Reply Tokens Received"),
            TableColumn("Cost of Sent"),
        ),
        groups=(RowGroup(tuple(rows)),),
        notes=(
            "all: the distinct requests of chat models about all datasets, variants and protocols,"
            " with the tokens of their replies, also if an earlier run stored them",
            "sent: what this run itself sent to a server, retries included; after a run that was"
            " interrupted, only what was still missing",
            "cost: by the prices of the plan, in their currency; that of all is what a run without"
            " stored replies and retries costs",
        ),
    )


def _all(count: ReplyCount | None, prices: Prices) -> Row:
    """The distinct requests, their tokens and what these cost, stored replies included."""
    if count is None:
        return (UNDEFINED,) * 4
    tokens = count.prompt_tokens, count.reply_tokens
    return f"{count.requests:,}", *(f"{each:,}" for each in tokens), _cost(prices.cost(*tokens))


def _cost(cost: float | None) -> str:
    return UNDEFINED if cost is None else f"{cost:,.2f}"


def _keys(
    results: Results, dataset: DatasetSubject, models: Iterable[ModelSubject]
) -> Iterator[ResultKey]:
    """The keys of the models on the original of a dataset, by every protocol with answers."""
    for model in models:
        for method in methods_in_order(model):
            key = ResultKey(model.name, dataset.name, method=method)
            if key in results.answer_sets and results.answer_sets[key].answers:
                yield key


def _first_chosen(results: Results, key: ResultKey) -> float | None:
    """The share of replies with an answer that give the one shown first; None if unknown."""
    for count in results.replies:
        place = count.model, count.dataset, count.variant, count.method
        if place == (key.model, key.dataset, key.variant, key.method) and count.answered:
            return count.chose_first / count.answered
    return None


def _with_interval(estimate: Estimate | None) -> Row:
    return wording.value(estimate), wording.interval(estimate)


def _ties(results: Results) -> str:
    return "count as half solved" if results.record.plan.ties == "half" else "count as failed"


def _intervals(results: Results) -> str:
    return (
        f"95 %: percentile bootstrap interval, {results.record.plan.resamples:,} resamples of whole"
        " clusters; Clopper–Pearson for shares of 0 and 1"
    )
