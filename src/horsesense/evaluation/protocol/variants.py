"""Make the variants of a dataset: the original, and what transformations make of it.

An entry is posed only if somebody vouches for it: its author, a rule that needs no judgement, or a
reviewer who accepted a proposal in the store. Nothing is proposed here, and no English is parsed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from horsesense.errors import HorsesenseError
from horsesense.evaluation.inference import Posed, pose
from horsesense.evaluation.protocol.sources import PROPOSAL, DatasetRef
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

# What a transformation makes of each entry: an entry, or the reason why it makes none.
Rewritten: TypeAlias = Sequence[Entry | str]


@dataclass(frozen=True, slots=True)
class PosedVariant:
    """A variant of a dataset, the entries that it is made of, and their problems."""

    subject: Variant
    entries: tuple[Entry, ...]
    posed: Posed


def pose_variant(
    subject: Variant,
    rewritten: Rewritten,
    compared_with: Mode | None = None,
    *,
    is_declared: bool = False,
) -> PosedVariant:
    """Make the problems of a variant, and count all entries that are left out by the reason.

    Where the dataset declares the mode of the variant, single problems are posed as they stand.
    """
    entries = tuple(entry for entry in rewritten if not isinstance(entry, str))
    left_out = Counter(reason for reason in rewritten if isinstance(reason, str))
    posed = pose(entries, Mode(subject.mode), compared_with=compared_with, is_declared=is_declared)
    for unposed in posed.left_out:
        left_out[unposed.reason] += len(unposed.ids)
    counted = replace(
        subject,
        entries=len(posed.entries),
        problems=len(posed.problems),
        left_out=tuple(left_out.most_common()),
    )
    return PosedVariant(counted, entries, posed)


# Which two problems make a schema, each by its entry and its number there.
Regrouped: TypeAlias = Sequence[tuple[tuple[str, int], tuple[str, int]]]


def dyad_variants(dataset: str, wrapped: Rewritten) -> list[PosedVariant]:
    """Pose wrapped schemas in all three modes; the other two are compared with those by answer."""
    by_answer = pose_variant(_dyad_subject(dataset, None), wrapped)
    return [by_answer] + [
        pose_variant(_dyad_subject(dataset, mode), _in_mode(mode, wrapped))
        for mode in (BY_KEY, BY_BOOLEAN)
    ]


def is_regrouped(mode: Mode, compared: Mode) -> bool:
    """Whether dyads in the compared mode make other schemas beside that mode than by themselves."""
    return fixed_axis(compared, mode) is not fixed_axis(compared)


def regrouped(variant: PosedVariant, compared: Mode) -> Regrouped:
    """Group the dyads in the compared mode into schemas as in the mode of the variant.

    Beside dyads by boolean, those by answer are grouped at a fixed key. They come in the order of
    the entries of the variant, so that each can be compared with its own.
    """
    posed = {entry.id for entry in variant.posed.entries}
    pairs = []
    for entry in variant.entries:
        if entry.id in posed:
            numbers = {
                problem: at for at, problem in enumerate(problems(entry.grid, compared), start=1)
            }
            faces = schemas(entry.grid, compared, compared_with=Mode(variant.subject.mode))
            pairs += [((entry.id, numbers[a]), (entry.id, numbers[b])) for a, b in faces]
    return pairs


def _in_mode(mode: Transformation, wrapped: Rewritten) -> Rewritten:
    """Put the dyads into another mode; those that cannot be solved in it are left out."""
    rewritten: list[Entry | str] = [reason for reason in wrapped if isinstance(reason, str)]
    for entry in wrapped:
        if not isinstance(entry, str):
            done = perturb_entry(entry, mode, mode.settings())
            rewritten.append(done.reason if isinstance(done, LeftOut) else done.entry)
    return rewritten


def _dyad_subject(dataset: str, mode: Transformation | None) -> Variant:
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


# Without material by the author, these transformations only make proposals.
_BY_PHRASES = frozenset({"adjectival", "unbalanced"} & PHRASES.keys())
# The variant by answer of a dataset that is itself solved by key or by boolean.
BY_ANSWER, _BY_ANSWER = "by-answer", "the answer is guessed"
_ONE_READING = "it is no schema, and is posed as in the file only"
_UNWRITTEN = "nothing by its author, and no proposal that anybody has accepted"


@dataclass(frozen=True, slots=True)
class PosedDataset:
    """A dataset in all its variants, the original first and controls last.

    `regrouped` has, by the name of a variant, the schemas of the variant that it is compared with,
    where they are grouped differently for the comparison.
    """

    subject: DatasetSubject
    variants: tuple[PosedVariant, ...]
    regrouped: dict[str, Regrouped]
    skipped: tuple[Skipped, ...]


def pose_dataset(source: DatasetRef, plan: Plan) -> PosedDataset:
    """Make all variants of a dataset that the plan requests, with their problems."""
    entries = first_schemas(source.dataset.entries, plan.limit)
    subject = Variant(dataset=source.name, name=ORIGINAL, mode=source.mode.value)
    is_declared = source.mode is not Mode.BY_ANSWER
    original = pose_variant(subject, entries, is_declared=is_declared)
    if not original.posed.entries:
        reasons = "; ".join(reason for reason, _ in original.subject.left_out)
        raise HorsesenseError(
            f"no problem can be posed {source.mode}: {reasons or 'there is none'}"
        )
    # True where most entries are Winograd schemas.
    is_winograd = 2 * sum(entry.grid.is_winograd for entry in entries) > len(entries)
    posing = _Posing(source, entries, plan, is_winograd)
    variants = [original]
    remarks = (*source.remarks, *source.dataset.remarks)
    skipped = [Skipped(source.name, remark) for remark in remarks]
    if is_declared:
        skipped.append(Skipped(source.name, f"the original is posed {source.mode}, as it declares"))
    if count := len(original.posed.as_they_stand):
        message = f"{count} of {len(original.posed.entries)} entries are posed as in the file"
        skipped.append(Skipped(source.name, f"{message}: no schemas {source.mode}"))
    skipped += posing.skipped_dyads()
    for transformation in posing.transformations():
        made = posing.variants(transformation)
        if posing.is_worth_posing(transformation, made[0].subject):
            variants += [variant for variant in made if variant.posed.entries]
        else:
            skipped.append(posing.skipped(transformation, made[0].subject))
    modes = {variant.subject.name: Mode(variant.subject.mode) for variant in variants}
    regroupings: dict[str, Regrouped] = {}
    for variant in variants:
        compared = modes.get(variant.subject.compared)
        if compared is not None and is_regrouped(modes[variant.subject.name], compared):
            regroupings[variant.subject.name] = regrouped(variant, compared)
    tags = {tag for entry in original.posed.entries for tags in entry.tags for tag in tags}
    dataset = DatasetSubject(
        name=source.name,
        version=source.number,
        id=source.dataset.version,
        title=source.dataset.header.title,
        licence=source.dataset.header.licence,
        is_winograd=is_winograd,
        entries=original.subject.entries,
        problems=original.subject.problems,
        schemas=sum(len(entry.pairs) for entry in original.posed.entries),
        tags=tuple(sorted(tag for tag in tags if not tag.startswith(CLUSTER))),
    )
    return PosedDataset(dataset, tuple(variants), regroupings, tuple(skipped))


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
    """The making of variants from the entries of one dataset, as the plan requests."""

    source: DatasetRef
    entries: tuple[Entry, ...]
    plan: Plan
    is_winograd: bool

    def transformations(self) -> list[Transformation]:
        """List the transformations that the plan requests, controls last."""
        chosen = self.plan.perturbations
        requested = [
            transformation
            for name, transformation in TRANSFORMATIONS.items()
            if name in chosen or (EVERY in chosen and not self._is_unusual(transformation))
        ]
        return sorted(requested, key=lambda each: each.purpose is Purpose.CONTROL)

    def skipped_dyads(self) -> list[Skipped]:
        """Report dyads as skipped if `all` does not include them."""
        chosen = self.plan.perturbations
        if EVERY not in chosen or DYADIC.name in chosen or not self._is_unusual(DYADIC):
            return []
        message = f"not posed: of Winograd data only if {DYADIC.name} is named"
        return [Skipped(f"{self.source.name}, {DYADIC.name}", message)]

    def _is_unusual(self, transformation: Transformation) -> bool:
        """True for dyads of Winograd schemas, which the thesis does not make."""
        return transformation is DYADIC and self.is_winograd

    def variants(self, transformation: Transformation) -> list[PosedVariant]:
        """Make the variants that a transformation gives; they may have no problems."""
        subject = self._subject(transformation)
        if subject.name == BY_ANSWER:
            both = [
                entry if isinstance(entry.grid, Schema) else _ONE_READING for entry in self.entries
            ]
            return [pose_variant(subject, both, self.source.mode)]
        if self._asks_for_answers(transformation):
            reason = f"it asks for answers, and the dataset is solved {self.source.mode}"
            return [pose_variant(subject, [reason] * len(self.entries))]
        rewritten = self._rewritten(transformation)
        if transformation is DYADIC:
            return dyad_variants(self.source.name, rewritten)
        mode = self.source.mode
        is_declared = mode is not Mode.BY_ANSWER and subject.mode == mode.value
        return [pose_variant(subject, rewritten, mode, is_declared=is_declared)]

    def _rewritten(self, transformation: Transformation) -> Rewritten:
        """Transform the entries, or take those of the stored perturbation if there is one."""
        stored = self.source.perturbations.get(transformation.name)
        if stored is None:
            chosen = {"wrapper": self.plan.wrapper} if transformation is DYADIC else {}
            settings = transformation.settings(chosen, seed=self.plan.seed)
            return [_vouched(entry, transformation, settings) for entry in self.entries]
        rewritten: list[Entry | str] = []
        for entry in self.entries:
            made = stored.get(entry.id, "not in the perturbation")
            rewritten.append(made if isinstance(made, str) else _with_marks(made, entry))
        return rewritten

    def _asks_for_answers(self, transformation: Transformation) -> bool:
        """True for what cannot be compared with an original that is solved in another mode."""
        is_other = (transformation.level, transformation.mode) == (Level.SCHEMA, Mode.BY_ANSWER)
        return is_other and self.source.mode is not Mode.BY_ANSWER

    def _subject(self, transformation: Transformation) -> Variant:
        """Describe the variant that a transformation gives.

        Rewritten problems are posed in the mode of the original. A transformation into that very
        mode gives the variant by answer instead.
        """
        variant = Variant(
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
            return variant
        return replace(variant, name=BY_ANSWER, title=_BY_ANSWER, mode=Mode.BY_ANSWER.value)

    def is_worth_posing(self, transformation: Transformation, variant: Variant) -> bool:
        """Whether to pose a variant; one with a single entry of many only if the plan names it."""
        is_single = variant.entries == 1 and len(self.entries) > 1
        is_named = transformation.name in self.plan.perturbations
        return variant.entries > 0 and (is_named or not is_single)

    def skipped(self, transformation: Transformation, variant: Variant) -> Skipped:
        """Say why a transformation is skipped.

        The reason is that of most entries, or that proposals were not reviewed, if there are any.
        """
        left_out = dict(variant.left_out)
        if variant.entries:
            message = f"not posed: it applies to 1 of {len(self.entries)} entries only"
            return Skipped(f"{self.source.name}, {transformation.name}", message)
        is_named = transformation.name in self.plan.perturbations
        reason = next(iter(left_out)) if is_named or PROPOSAL not in left_out else PROPOSAL
        message = f"not posed: {reason} ({left_out[reason]} of {len(self.entries)} entries)"
        return Skipped(f"{self.source.name}, {transformation.name}", message, is_named)


def _vouched(entry: Entry, transformation: Transformation, settings: Settings) -> Entry | str:
    """Transform an entry; give a reason where that fails or nobody vouches for the result."""
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


def _with_marks(frozen: Entry, entry: Entry) -> Entry:
    """Add the tags, flags and fields of the original entry to its stored perturbation."""
    return replace(
        frozen,
        tags=tuple(dict.fromkeys((*entry.tags, *frozen.tags))),
        flags=tuple((dict(frozen.flags) | dict(entry.flags)).items()),
        extras=tuple((dict(frozen.extras) | dict(extras_in(entry, frozen.grid))).items()),
    )
