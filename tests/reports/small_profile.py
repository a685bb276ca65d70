"""A small profile for the tests of reports: own schemas, made-up answers, real measurements.

Two models and a baseline, two datasets, two perturbations, two modes, a control, dyads, an
undecided problem, a gap, and texts with every character that some writer must escape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO
from random import Random

from horsesense.evaluation.inference import Posed, PosedEntry, pose
from horsesense.perturbations import TRANSFORMATIONS, Perturbed, SkippedEntry, perturb_entry
from horsesense.results import (
    ORIGINAL,
    DatasetSubject,
    ModelSubject,
    Plan,
    ProblemRow,
    Record,
    ResultKey,
    Results,
    Skipped,
    TokenCosts,
    Variant,
)
from horsesense.schema import Entry, Mode
from horsesense.schema.notation import SchemaFile, parse_wrapper
from horsesense.scoring.outcome import DRIFT, EQUAL_LENGTH, Answer, AnswerSet, decide
from tests.results.measuring.made_up import measure

KITCHEN = """
[Nora] handed [Lena] the towel because <her's = Nora, Lena> hands were {dry, wet}.
    id: towel
    switchable: yes
    associative: yes
[Otto] gave [Emil] 50 % of the soup & bread because <he = Emil, Otto> was {hungry, full}.
    id: soup
    switchable: yes
    associative: yes
[The ladle] did not go into [the drawer] because <it = the ladle, the drawer> was too {long, short}.
    id: ladle
    switchable: no
    associative: no
[Ida] thanked [Ruth] for the "secret" recipe that <she = Ruth, Ida> had {given, received}.
    id: recipe
    switchable: yes
    associative: no
[The lid] did not fit [the pan], since <it = the lid, the pan> was too {wide, narrow}.
    id: lid
    switchable: no
    associative: no
[Karl] asked [Hugo] to wash up: <he = Hugo, Karl> had {rested, cooked} all day.
    id: dishes
    switchable: yes
    associative: no
[Anna] could not hear [Elsa] over the mixer, as <she = Elsa, Anna> was {whispering, deafened}.
    id: mixer
    switchable: yes
    associative: no
[The cork] stuck in [the bottle] because <it = the cork, the bottle> was too {thick, slim}.
    id: cork
    switchable: no
    associative: yes
"""

YARD = """
a boiling pot is <hotter, colder> than a {lukewarm, glowing} one
    id: pot
{roofs, cellars} <lie, do not lie> above {cellars, roofs}
    id: roofs
a gate that is {open, shut} <lets the goat out, keeps the goat in>
    id: gate
snow in the yard <melts, stays> when it gets {warm, colder}
    id: snow
"""

ANT, BEE, FIRST = "ant_1", "bee|2 & co", "first"
TITLES = {
    "kitchen": 'Kitchen & "scullery", 100 % <own> #1',
    "yard": "Yard_2 | ~everyday^ facts {in} $braces$ \\ more",
}
FORMS = {"kitchen": ("switched", "by-key", "no-candidate"), "yard": ("by-key",)}
DYADS = {
    "dyadic": Mode.BY_ANSWER,
    "dyadic.by-key": Mode.BY_KEY,
    "dyadic.by-boolean": Mode.BY_BOOLEAN,
}
# How likely a model is right, by the form; what is not named is like the original.
SKILLS = {
    ANT: {ORIGINAL: 0.55, "no-candidate": 0.5},
    BEE: {ORIGINAL: 0.85, "no-candidate": 0.55, "dyadic.by-boolean": 0.5},
}
METHODS = {
    ANT: ("partial", "mean-partial", "smart@1", "mean-smart@1"),
    BEE: ("multi-mask", "loss", "statement", "mean-statement"),
    FIRST: ("choice",),
}
STANDARD = {ANT: "smart@1", BEE: "mean-statement", FIRST: "choice"}


GAP = Skipped("kitchen.gender", 'no name has a gender: <none> | "100 %" & #_sure', is_named=True)


@cache
def small_profile() -> Results:
    """The profile, always the same."""
    posings = tuple(_posings())
    forms = tuple(form for form, _ in posings)
    answer_sets = dict(_answer_sets(posings))
    # Beside by boolean, the dyads by answer are grouped at a fixed key.
    at_key = [((one.id, at), (one.id, at + 1)) for one in _entries()["yard"] for at in (1, 3)]
    found = measure(
        answer_sets=answer_sets,
        models=models(),
        datasets=datasets(),
        variants=forms,
        regrouped={("yard", "dyadic.by-boolean"): at_key},
        resamples=record().plan.resamples,
    )
    return Results(
        record(),
        models(),
        datasets(),
        forms,
        found.estimates,
        found.options,
        tuple(_problems(posings)),
        answer_sets,
        tokens(),
        (GAP, *found.skipped),
    )


def record() -> Record:
    """What the run was."""
    return Record(
        id="0123456789ab",
        key="0123456789ab" + "c" * 52,
        plan=Plan(models=(ANT, BEE), data=("kitchen", "yard"), resamples=1000),
        horsesense="0.1.0",
        program="d" * 64,
        versions=(("numpy", "2.0.0"), ("python", "3.11.7")),
        machine=(("cores", "2"), ("system", "Linux")),
        started_at="2026-01-02T03:04:05+00:00",
        finished_at="2026-01-02T03:05:05+00:00",
        seconds=60.0,
        queries=400,
        asked=300,
    )


def models() -> tuple[ModelSubject, ...]:
    """A causal model, a masked one, and a baseline."""
    return tuple(
        ModelSubject(
            name=name,
            family=family,
            architecture=architecture,
            parameters=parameters,
            dtype="float32" if parameters else "",
            device="cpu" if parameters else "",
            fingerprint=f"{parameters:016x}",
            is_baseline=not parameters,
            methods=METHODS[name],
            standard=tuple((dataset, STANDARD[name]) for dataset in TITLES),
        )
        for name, family, architecture, parameters in (
            (ANT, "causal", "AntForCausalLM", 134_515_008),
            (BEE, "masked", "BeeForMaskedLM", 1_557_611_200),
            (FIRST, "baseline", "first", 0),
        )
    )


def datasets() -> tuple[DatasetSubject, ...]:
    """Winograd schemas, some of them associative, and other schemas."""
    found = []
    for name, entries in _entries().items():
        posed = pose(entries)
        tags = {tag for entry in posed.entries for each in entry.tags for tag in each}
        found.append(
            DatasetSubject(
                name=name,
                version=1,
                id=f"{name}-content",
                title=TITLES[name],
                licence="CC BY 4.0",
                is_winograd=name == "kitchen",
                entries=len(entries),
                problems=len(posed.problems),
                schemas=sum(len(entry.pairs) for entry in posed.entries),
                tags=tuple(sorted(tags)),
            )
        )
    return tuple(found)


def tokens() -> tuple[TokenCosts, ...]:
    """What a model said about both options of a problem."""
    return tuple(
        TokenCosts(
            ANT, "kitchen", ORIGINAL, "soup", 1, option, ("Otto", " &", f" {name}", " <was>", "."),
            ("prefix", "prefix", "blank", "suffix", "suffix"), (None, 2.5, 1.25, 3.0 + option, 0.5),
        )
        for option, name in enumerate(("Emil", "Otto"))
    )  # fmt: skip


def _entries() -> Mapping[str, tuple[Entry, ...]]:
    texts = {"kitchen": KITCHEN, "yard": YARD}
    return {
        name: tuple(SchemaFile(BytesIO(text.encode()), name, name)) for name, text in texts.items()
    }


def _posings() -> Iterator[tuple[Variant, Posed]]:
    for dataset, entries in _entries().items():
        posed = pose(entries)
        yield Variant(dataset=dataset, name=ORIGINAL, entries=len(entries),
                          problems=len(posed.problems)), posed  # fmt: skip
        for name in FORMS[dataset]:
            yield _perturbed(dataset, entries, name)
    for name, mode in DYADS.items():
        posed = pose(_entries()["yard"], mode, wrapper=parse_wrapper("true"))
        form = Variant(
            dataset="yard",
            name=name,
            title="the schema in a boolean wrapper",
            transformation="dyadic",
            purpose="consistency test",
            level="problem" if name == "dyadic" else "schema",
            mode=str(mode),
            compared="" if name == "dyadic" else "dyadic",
            entries=len(posed.entries),
            problems=len(posed.problems),
        )
        yield form, posed


def _perturbed(dataset: str, entries: tuple[Entry, ...], name: str) -> tuple[Variant, Posed]:
    chosen = TRANSFORMATIONS[name]
    results = [perturb_entry(entry, chosen, chosen.settings()) for entry in entries]
    posed = pose([one.entry for one in results if isinstance(one, Perturbed)], chosen.mode)
    left_out = Counter(one.reason for one in results if isinstance(one, SkippedEntry))
    form = Variant(
        dataset=dataset,
        name=name,
        title=chosen.title,
        transformation=name,
        purpose=str(chosen.purpose),
        level=str(chosen.level),
        mode=str(chosen.mode),
        compared=ORIGINAL,
        entries=len(posed.entries),
        problems=len(posed.problems),
        left_out=tuple(left_out.most_common()),
    )
    return form, posed


def _problems(posings: tuple[tuple[Variant, Posed], ...]) -> Iterator[ProblemRow]:
    for form, posed in posings:
        for entry in posed.entries:
            for number, one in enumerate(entry.problems, 1):
                yield ProblemRow(
                    form.dataset,
                    form.name,
                    entry.id,
                    number,
                    one.statement.text,
                    tuple(" / ".join(option) for option in one.options),
                    one.right,
                    tuple(sentence.text for sentence in one.sentences),
                )


def _answer_sets(
    posings: tuple[tuple[Variant, Posed], ...],
) -> Iterator[tuple[ResultKey, AnswerSet]]:
    for model in models():
        for form, posed in posings:
            for method in model.methods:
                address = ResultKey(model.name, form.dataset, form.name, method=method)
                yield address, _answer_set(address, posed)


def _answer_set(address: ResultKey, posed: Posed) -> AnswerSet:
    answers: list[Answer] = []
    schemas: list[tuple[int, int]] = []
    for entry in posed.entries:
        schemas += [(len(answers) + one, len(answers) + two) for one, two in entry.pairs]
        answers += _answers(address, entry)
    marks = frozenset() if address.model == FIRST else frozenset([EQUAL_LENGTH])
    return AnswerSet(address.method, tuple(answers), tuple(schemas), marks=marks)


def _answers(address: ResultKey, entry: PosedEntry) -> Iterator[Answer]:
    """Made-up answers: methods of a model mostly agree; some answers are of equal length."""
    for at, one in enumerate(entry.problems):
        assert one.right is not None
        skills = SKILLS.get(address.model, {})
        skill = skills.get(address.variant, skills.get(ORIGINAL, 0.5))
        place = f"{address.model}/{address.dataset}/{address.variant}/{entry.id}/{at}"
        is_right = Random(place).random() < skill
        noise = Random(f"{place}/{address.method}").random()
        chosen = one.right if is_right is (noise < 0.9) else 1 - one.right
        if address.model == FIRST:
            chosen = 0
        margin = 0.5 + noise
        if (address.model, address.variant, entry.id, at) == (ANT, ORIGINAL, "cork", 1):
            margin = DRIFT / 2
        costs = tuple(3.0 + margin * (option != chosen) for option in range(len(one.options)))
        options = tuple(" / ".join(option) for option in one.options)
        is_even = len(entry.id) % 2 == 0 and address.model != FIRST
        tags = entry.tags[at] | ({EQUAL_LENGTH} if is_even else set())
        yield Answer(entry.id, at + 1, decide(costs, one.right), options, tags)
