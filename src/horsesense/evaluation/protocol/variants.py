"""From a dataset to its forms: the original, and what transformations make of it.

Only what somebody vouches for is posed: an author, a rule that needs no judgement, or whoever has
accepted a proposal in the store. So nothing is proposed here, and no English is parsed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from horsesense.errors import HorsesenseError
from horsesense.evaluation.inference import Posed, pose
from horsesense.evaluation.protocol.sources import PROPOSAL, DatasetRef, FrozenForm
from horsesense.perturbations import (
    TRANSFORMATIONS,
    LeftOut,
    Level,
    MissingEnglish,
    Purpose,
    Settings,
    Transformation,
    Voucher,
    perturb_entry,
)
from horsesense.perturbations.catalogue.modes import BY_BOOLEAN, BY_KEY, DYADIC, ONLY_MODES
from horsesense.perturbations.transformation import mode_after
from horsesense.results import EVERY, ORIGINAL, DatasetSubject, Plan, Skipped, Variant
from horsesense.schema import (
    CLUSTER,
    PHRASES,
    VERSIONS,
    Entry,
    Mode,
    Schema,
    extras_in,
    fixed_axis,
    problems,
    schemas,
)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What a transformation has made of the entries of a dataset, and why of some nothing."""

    entries: tuple[Entry, ...]
    left_out: Counter[str]


@dataclass(frozen=True, slots=True)
class PosedForm:
    """A form, the entries that it is made of, and the problems that these pose."""

    subject: Variant
    entries: tuple[Entry, ...]
    posed: Posed


def pose_form(
    subject: Variant,
    rewritten: Rewritten,
    compared_with: Mode | None = None,
    *,
    is_declared: bool = False,
) -> PosedForm:
    """The form with its problems, and with all that is left out counted.

    Where the mode of the form is the one that the dataset declares, what is loose is posed as it
    stands.
    """
    posed = pose(
        rewritten.entries,
        Mode(subject.mode),
        compared_with=compared_with,
        is_declared=is_declared,
    )
    left_out = Counter(rewritten.left_out)
    for one in posed.left_out:
        left_out[one.reason] += len(one.ids)
    counted = replace(
        subject,
        entries=len(posed.entries),
        problems=len(posed.problems),
        left_out=tuple(left_out.most_common()),
    )
    return PosedForm(counted, rewritten.entries, posed)


# Which two problems make a schema, each by its entry and its number there.
Regrouped: TypeAlias = Sequence[tuple[tuple[str, int], tuple[str, int]]]


def dyad_forms(dataset: str, wrapped: Rewritten) -> list[PosedForm]:
    """Wrapped schemas in all three modes; by answer they are what the others are compared with."""
    modes = [pose_form(_subject(dataset, None), wrapped)]
    return modes + [
        pose_form(_subject(dataset, mode), _read_in(mode, wrapped)) for mode in (BY_KEY, BY_BOOLEAN)
    ]


def is_regrouped(mode: Mode, compared: Mode) -> bool:
    """Whether dyads in the compared mode make other schemas beside that mode than by themselves."""
    return fixed_axis(compared, mode) is not fixed_axis(compared)


def regrouped(form: PosedForm, compared: Mode) -> Regrouped:
    """The schemas of dyads in the compared mode, grouped as they are in the mode of the form.

    Beside dyads by boolean, those by answer are grouped at a fixed key. They come in the order of
    the entries of the form, so that each can be set beside its own.
    """
    posed = {entry.id for entry in form.posed.entries}
    pairs = []
    for entry in form.entries:
        if entry.id in posed:
            numbers = {
                problem: at for at, problem in enumerate(problems(entry.grid, compared), start=1)
            }
            faces = schemas(entry.grid, compared, compared_with=Mode(form.subject.mode))
            pairs += [((entry.id, numbers[a]), (entry.id, numbers[b])) for a, b in faces]
    return pairs


def _read_in(mode: Transformation, wrapped: Rewritten) -> Rewritten:
    """The dyads in another mode, less those that cannot be solved in it."""
    left_out = wrapped.left_out.copy()
    entries = []
    for entry in wrapped.entries:
        done = perturb_entry(entry, mode, mode.settings())
        if isinstance(done, LeftOut):
            left_out[done.reason] += 1
        else:
            entries.append(done.entry)
    return Rewritten(tuple(entries), left_out)


def _subject(dataset: str, mode: Transformation | None) -> Variant:
    by_answer = DYADIC.name
    return Variant(
        dataset=dataset,
        name=f"{by_answer}.{mode.name}" if mode else by_answer,
        title=f"{DYADIC.title}: {mode.title}" if mode else DYADIC.title,
        transformation=by_answer,
        purpose=DYADIC.purpose.value,
        level=(Level.SCHEMA if mode else Level.PROBLEM).value,
        mode=(mode.mode if mode else Mode.BY_ANSWER).value,
        compared=by_answer if mode else "",
    )


# Without material of the author's these have nothing but proposals.
_BY_PHRASES = frozenset({"adjectival", "unbalanced"} & PHRASES.keys())
# The form of a dataset that is itself solved by key or by boolean.
BY_ANSWER, _BY_ANSWER = "by-answer", "the answer is guessed"
_ONE_READING = "it is no schema, and is posed as in the file only"
_UNWRITTEN = "nothing by its author, and no proposal that anybody has accepted"


@dataclass(frozen=True, slots=True)
class PosedDataset:
    """A dataset in all its forms, the original first and controls last.

    `regrouped` has the schemas of a compared form as they are grouped beside a form, by its name.
    """

    subject: DatasetSubject
    forms: tuple[PosedForm, ...]
    regrouped: dict[str, Regrouped]
    skipped: tuple[Skipped, ...]


def pose_dataset(source: DatasetRef, plan: Plan) -> PosedDataset:
    """The dataset as the plan has it posed."""
    entries = first_schemas(source.dataset.entries, plan.limit)
    subject = Variant(dataset=source.name, name=ORIGINAL, mode=source.mode.value)
    is_declared = source.mode is not Mode.BY_ANSWER
    original = pose_form(subject, Rewritten(entries, Counter()), is_declared=is_declared)
    if not original.posed.entries:
        reasons = "; ".join(reason for reason, _ in original.subject.left_out)
        raise HorsesenseError(
            f"no problem can be posed {source.mode}: {reasons or 'there is none'}"
        )
    posing = _Posing(source, entries, plan, _is_winograd(entries))
    forms = [original]
    remarks = (*source.remarks, *source.dataset.remarks)
    skipped = [Skipped(source.name, remark) for remark in remarks]
    if is_declared:
        skipped.append(Skipped(source.name, f"the original is posed {source.mode}, as it declares"))
    if count := len(original.posed.as_they_stand):
        message = f"{count} of {len(original.posed.entries)} entries are posed as in the file"
        skipped.append(Skipped(source.name, f"{message}: no schemas {source.mode}"))
    skipped += posing.not_wanted()
    for transformation in posing.transformations():
        made = posing.forms(transformation)
        if posing.is_worth_posing(transformation, made[0].subject):
            forms += [form for form in made if form.posed.entries]
        else:
            skipped += posing.skipped(transformation, made[0].subject)
    beside = dict(_beside(forms))
    return PosedDataset(_subject_forms(posing, original), tuple(forms), beside, tuple(skipped))


def _beside(forms: Sequence[PosedForm]) -> Iterator[tuple[str, Regrouped]]:
    """The schemas of compared forms as they are grouped beside a form, by its name."""
    modes = {form.subject.name: Mode(form.subject.mode) for form in forms}
    for form in forms:
        subject = form.subject
        compared = modes.get(subject.compared)
        if compared is not None and is_regrouped(modes[subject.name], compared):
            yield subject.name, regrouped(form, compared)


def first_schemas(entries: Sequence[Entry], limit: int | None) -> tuple[Entry, ...]:
    """The first entries that have so many schemas; a problem without a twin counts as one."""
    if limit is None:
        return tuple(entries)
    taken: list[Entry] = []
    count = 0
    for entry in entries:
        if count >= limit:
            break
        taken.append(entry)
        count += len(schemas(entry.grid)) or 1
    return tuple(taken)


@dataclass(frozen=True, slots=True)
class _Posing:
    """What is posed, and how."""

    source: DatasetRef
    entries: tuple[Entry, ...]
    plan: Plan
    is_winograd: bool

    def transformations(self) -> list[Transformation]:
        """Those that the plan asks for, controls last."""
        chosen = self.plan.perturbations
        wanted = [
            one
            for name, one in TRANSFORMATIONS.items()
            if name in chosen or (EVERY in chosen and not self._is_unusual(one))
        ]
        return sorted(wanted, key=lambda one: one.purpose is Purpose.CONTROL)

    def not_wanted(self) -> list[Skipped]:
        """What to say of those that apply, and that `all` does not mean."""
        chosen = self.plan.perturbations
        if EVERY not in chosen or DYADIC.name in chosen or not self._is_unusual(DYADIC):
            return []
        message = f"not posed: of Winograd data only if {DYADIC.name} is named"
        return [Skipped(f"{self.source.name}, {DYADIC.name}", message)]

    def _is_unusual(self, transformation: Transformation) -> bool:
        """True for dyads of Winograd schemas, which the thesis does not make."""
        return transformation is DYADIC and self.is_winograd

    def forms(self, transformation: Transformation) -> list[PosedForm]:
        """The forms that a transformation gives; nothing need be posed in them."""
        subject = self._subject(transformation)
        if subject.name == BY_ANSWER:
            return [pose_form(subject, _two_readings(self.entries), self.source.mode)]
        if self._asks_for_answers(transformation):
            reason = f"it asks for answers, and the dataset is solved {self.source.mode}"
            return [pose_form(subject, Rewritten((), Counter({reason: len(self.entries)})))]
        frozen = self.source.perturbations.get(transformation.name)
        if frozen is None:
            rewritten = _rewritten(self.entries, transformation, self._settings(transformation))
        else:
            rewritten = _frozen(self.entries, frozen)
        if transformation is DYADIC:
            return dyad_forms(self.source.name, rewritten)
        mode = self.source.mode
        is_declared = mode is not Mode.BY_ANSWER and subject.mode == mode.value
        return [pose_form(subject, rewritten, mode, is_declared=is_declared)]

    def _asks_for_answers(self, transformation: Transformation) -> bool:
        """True for what cannot be compared with an original that is solved in another mode."""
        is_other = (transformation.level, transformation.mode) == (Level.SCHEMA, Mode.BY_ANSWER)
        return is_other and self.source.mode is not Mode.BY_ANSWER

    def _subject(self, transformation: Transformation) -> Variant:
        """The form that a transformation gives.

        Rewritten problems are posed in the mode of the original. A transformation into that very
        mode gives the form by answer, which is the other one then.
        """
        form = Variant(
            dataset=self.source.name,
            name=transformation.name,
            title=transformation.title,
            transformation=transformation.name,
            purpose=transformation.purpose.value,
            level=transformation.level.value,
            mode=mode_after(self.source.mode, transformation.level, transformation.mode).value,
            compared=ORIGINAL,
        )
        if transformation.name not in ONLY_MODES or transformation.mode is not self.source.mode:
            return form
        return replace(form, name=BY_ANSWER, title=_BY_ANSWER, mode=Mode.BY_ANSWER.value)

    def is_worth_posing(self, transformation: Transformation, form: Variant) -> bool:
        """A form of a single entry of many says nothing, and is posed only if it was named."""
        is_single = form.entries == 1 and len(self.entries) > 1
        is_named = transformation.name in self.plan.perturbations
        return form.entries > 0 and (is_named or not is_single)

    def skipped(self, transformation: Transformation, form: Variant) -> list[Skipped]:
        """What to say of a transformation of which nothing is posed.

        The reason is that of most entries; but if one applies, and nobody vouches for it, that.
        """
        left_out = dict(form.left_out)
        if form.entries:
            message = f"not posed: it applies to 1 of {len(self.entries)} entries only"
            return [Skipped(f"{self.source.name}, {transformation.name}", message)]
        is_named = transformation.name in self.plan.perturbations
        reason = next(iter(left_out)) if is_named or PROPOSAL not in left_out else PROPOSAL
        message = f"not posed: {reason} ({left_out[reason]} of {len(self.entries)} entries)"
        return [Skipped(f"{self.source.name}, {transformation.name}", message, is_named)]

    def _settings(self, transformation: Transformation) -> Settings:
        given = {"wrapper": self.plan.wrapper} if transformation is DYADIC else {}
        return transformation.settings(given, seed=self.plan.seed)


def _two_readings(entries: Iterable[Entry]) -> Rewritten:
    """The entries that can be read in another mode than the one they are declared to be in."""
    listed = tuple(entries)
    kept = tuple(entry for entry in listed if isinstance(entry.grid, Schema))
    return Rewritten(
        kept, Counter({_ONE_READING: len(listed) - len(kept)} if kept != listed else {})
    )


def _rewritten(
    entries: Iterable[Entry], transformation: Transformation, settings: Settings
) -> Rewritten:
    found: list[Entry] = []
    left_out: Counter[str] = Counter()
    for entry in entries:
        made = _vouched(entry, transformation, settings)
        if isinstance(made, str):
            left_out[made] += 1
        else:
            found.append(made)
    return Rewritten(tuple(found), left_out)


def _vouched(entry: Entry, transformation: Transformation, settings: Settings) -> Entry | str:
    """The entry after the transformation if anybody vouches for it, or the reason against it."""
    name = transformation.name
    if name in VERSIONS and name not in dict(entry.versions):
        return _UNWRITTEN
    if name in _BY_PHRASES and name not in dict(entry.phrases):
        return _UNWRITTEN
    try:
        done = perturb_entry(entry, transformation, settings)
    except MissingEnglish as error:  # of a package's own; ours propose nothing here
        return str(error)
    if isinstance(done, LeftOut):
        return done.reason
    return PROPOSAL if done.voucher is Voucher.NOBODY else done.entry


def _frozen(entries: Iterable[Entry], frozen: FrozenForm) -> Rewritten:
    """What is frozen of these entries."""
    posed = {entry.id: entry for entry in frozen.entries}
    reasons = dict(frozen.left_out)
    found: list[Entry] = []
    left_out: Counter[str] = Counter()
    for entry in entries:
        if entry.id in posed:
            found.append(_with_marks(posed[entry.id], entry))
        else:
            left_out[reasons.get(entry.id, "not in the perturbation")] += 1
    return Rewritten(tuple(found), left_out)


def _with_marks(frozen: Entry, entry: Entry) -> Entry:
    """What was frozen, with all that is said of the entry that it was made from."""
    return replace(
        frozen,
        tags=tuple(dict.fromkeys((*entry.tags, *frozen.tags))),
        flags=tuple((dict(frozen.flags) | dict(entry.flags)).items()),
        extras=tuple((dict(frozen.extras) | dict(extras_in(entry, frozen.grid))).items()),
    )


def _is_winograd(entries: Sequence[Entry]) -> bool:
    """True where most are Winograd schemas."""
    return 2 * sum(entry.grid.is_winograd for entry in entries) > len(entries)


def _subject_forms(posing: _Posing, original: PosedForm) -> DatasetSubject:
    source, entries = posing.source, original.posed.entries
    marked = {tag for entry in entries for tags in entry.tags for tag in tags}
    marked = {tag for tag in marked if not tag.startswith(CLUSTER)}
    return DatasetSubject(
        name=source.name,
        version=source.number,
        id=source.dataset.version,
        title=source.dataset.header.title,
        licence=source.dataset.header.licence,
        is_winograd=posing.is_winograd,
        entries=original.subject.entries,
        problems=original.subject.problems,
        schemas=sum(len(entry.pairs) for entry in entries),
        tags=tuple(sorted(marked)),
    )
