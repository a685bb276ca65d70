"""Make the variants of a dataset: the original and its perturbations, with their problems.

A perturbed entry is posed only if its author, a rule that needs no judgement, or a reviewer
vouches for it. Nothing is proposed here, and no English is parsed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from horsesense.errors import HorsesenseError
from horsesense.evaluation.inference import Posed, pose
from horsesense.evaluation.protocol.sources import PROPOSAL, DatasetRef
from horsesense.perturbations import (
    TRANSFORMATIONS,
    Level,
    MissingEnglish,
    Purpose,
    Settings,
    SkippedEntry,
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
    first_schemas,
    fixed_axis,
    problems,
    sample_schemas,
    schemas,
)

# For each entry of a dataset: the transformed entry, or the reason why there is none.
Rewritten: TypeAlias = Sequence[Entry | str]


def pose_variant(
    variant: Variant,
    rewritten: Rewritten,
    compared_with: Mode | None = None,
    *,
    is_declared: bool = False,
) -> tuple[Variant, Posed]:
    """Make the problems of a variant, and count its entries, its problems and what is left out.

    If the dataset declares the mode of the variant, problems without a schema are posed as in the
    file.
    """
    entries = tuple(entry for entry in rewritten if not isinstance(entry, str))
    left_out = Counter(reason for reason in rewritten if isinstance(reason, str))
    posed = pose(entries, Mode(variant.mode), compared_with=compared_with, is_declared=is_declared)
    for unposed in posed.left_out:
        left_out[unposed.reason] += len(unposed.ids)
    counted = replace(
        variant,
        entries=len(posed.entries),
        problems=len(posed.problems),
        left_out=tuple(left_out.most_common()),
    )
    return counted, posed


# The pairs of problems that form schemas, each problem by its entry and its number in it.
Regrouped: TypeAlias = Sequence[tuple[tuple[str, int], tuple[str, int]]]


def dyad_variants(dataset: str, wrapped: Rewritten) -> list[tuple[Variant, Posed]]:
    """Pose wrapped schemas in all three modes; by answer is the one to compare the others with."""
    return [
        pose_variant(_dyad_variant(dataset, None), wrapped),
        *(
            pose_variant(_dyad_variant(dataset, mode), _in_mode(mode, wrapped))
            for mode in (BY_KEY, BY_BOOLEAN)
        ),
    ]


def is_regrouped(mode: Mode, compared: Mode) -> bool:
    """Return whether the schemas of dyads in the compared mode depend on that comparison."""
    return fixed_axis(compared, mode) is not fixed_axis(compared)


def regrouped(posed: Posed, compared: Mode) -> Regrouped:
    """Group the dyads in the compared mode into schemas as in the mode of the posed variant.

    Compared with dyads by boolean, those by answer are grouped at a fixed key. They come in the
    order of the entries of the variant, so that each can be compared with its own.
    """
    pairs = []
    for entry in posed.entries:
        grid = entry.entry.grid
        numbers = {problem: number for number, problem in enumerate(problems(grid, compared), 1)}
        faces = schemas(grid, compared, compared_with=posed.mode)
        pairs += [((entry.id, numbers[a]), (entry.id, numbers[b])) for a, b in faces]
    return pairs


def _in_mode(mode: Transformation, wrapped: Rewritten) -> Rewritten:
    """Change the mode of dyads; those that cannot be solved in it are left out."""
    rewritten: list[Entry | str] = [reason for reason in wrapped if isinstance(reason, str)]
    for entry in wrapped:
        if not isinstance(entry, str):
            done = perturb_entry(entry, mode, mode.settings())
            rewritten.append(done.reason if isinstance(done, SkippedEntry) else done.entry)
    return rewritten


def _dyad_variant(dataset: str, mode: Transformation | None) -> Variant:
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


# If the author gave no phrases for them, these transformations only make proposals.
_BY_PHRASES = frozenset({"adjectival", "unbalanced"} & PHRASES.keys())
# The variant by answer of a dataset whose own mode is by key or by boolean.
BY_ANSWER, _BY_ANSWER = "by-answer", "the answer is guessed"
_ONE_MODE = "it is not a schema, so it is posed only as it is in the file"
_UNWRITTEN = "no version by its author, and no accepted proposal"


@dataclass(frozen=True, slots=True)
class PosedDataset:
    """A dataset in all its variants, the original first and controls last.

    If the comparison of a variant needs other schemas of the variant it is compared with,
    `regrouped` has them by the name of the variant.
    """

    subject: DatasetSubject
    variants: Mapping[Variant, Posed]
    regrouped: dict[str, Regrouped]
    skipped: tuple[Skipped, ...]


def pose_dataset(source: DatasetRef, plan: Plan) -> PosedDataset:
    """Make all variants of a dataset that the plan requests, with their problems."""
    entries = _requested(source.dataset.entries, plan)
    is_declared = source.mode is not Mode.BY_ANSWER
    original, posed = pose_variant(
        Variant(dataset=source.name, name=ORIGINAL, mode=source.mode.value),
        entries,
        is_declared=is_declared,
    )
    if not posed.entries:
        reasons = "; ".join(reason for reason, _ in original.left_out)
        raise HorsesenseError(
            f"there are no problems {source.mode}: {reasons or 'the dataset is empty'}"
        )
    # True where most entries are Winograd schemas.
    is_winograd = 2 * sum(entry.grid.is_winograd for entry in entries) > len(entries)
    posing = _Posing(source, entries, plan, is_winograd)
    variants = {original: posed}
    remarks = (*source.remarks, *source.dataset.remarks)
    skipped = [Skipped(source.name, remark) for remark in remarks]
    if is_declared:
        skipped.append(Skipped(source.name, f"the original is posed {source.mode}, as it declares"))
    if count := len(posed.as_they_stand):
        message = f"{count} of {len(posed.entries)} entries are posed as in the file"
        skipped.append(Skipped(source.name, f"{message}: no schemas {source.mode}"))
    skipped += posing.skipped_dyads()
    for transformation in posing.transformations():
        made = posing.variants(transformation)
        first, _ = made[0]
        if posing.is_worth_posing(transformation, first):
            variants |= {variant: each for variant, each in made if each.entries}
        else:
            skipped.append(posing.skipped(transformation, first))
    modes = {variant.name: Mode(variant.mode) for variant in variants}
    regroupings: dict[str, Regrouped] = {}
    for variant, each in variants.items():
        compared = modes.get(variant.compared)
        if compared is not None and is_regrouped(each.mode, compared):
            regroupings[variant.name] = regrouped(each, compared)
    tags = {tag for entry in posed.entries for tags in entry.tags for tag in tags}
    dataset = DatasetSubject(
        name=source.name,
        version=source.number,
        id=source.dataset.version,
        title=source.dataset.header.title,
        licence=source.dataset.header.licence,
        is_winograd=is_winograd,
        entries=original.entries,
        problems=original.problems,
        schemas=sum(len(entry.pairs) for entry in posed.entries),
        tags=tuple(sorted(tag for tag in tags if not tag.startswith(CLUSTER))),
    )
    return PosedDataset(dataset, variants, regroupings, tuple(skipped))


def _requested(entries: Sequence[Entry], plan: Plan) -> tuple[Entry, ...]:
    """Return the entries that the plan requests: a sample, the first ones, or all."""
    if plan.sample is not None:
        return sample_schemas(entries, plan.sample, plan.seed)
    return tuple(entries) if plan.first is None else first_schemas(entries, plan.first)


@dataclass(frozen=True, slots=True)
class _Posing:
    """Makes the variants of one dataset that the plan requests."""

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
        message = f"not evaluated: for Winograd data, request {DYADIC.name} by name"
        return [Skipped(f"{self.source.name}, {DYADIC.name}", message)]

    def _is_unusual(self, transformation: Transformation) -> bool:
        """Return True for dyads of Winograd schemas, which are not in the thesis."""
        return transformation is DYADIC and self.is_winograd

    def variants(self, transformation: Transformation) -> list[tuple[Variant, Posed]]:
        """Make the variants of a transformation; they may have no problems."""
        variant = self._variant(transformation)
        if variant.name == BY_ANSWER:
            schemas_only = [
                entry if isinstance(entry.grid, Schema) else _ONE_MODE for entry in self.entries
            ]
            return [pose_variant(variant, schemas_only, self.source.mode)]
        if self._requires_answers(transformation):
            reason = f"it needs problems by answer, but the dataset is {self.source.mode}"
            return [pose_variant(variant, [reason] * len(self.entries))]
        rewritten = self._rewritten(transformation)
        if transformation is DYADIC:
            return dyad_variants(self.source.name, rewritten)
        mode = self.source.mode
        is_declared = mode is not Mode.BY_ANSWER and variant.mode == mode.value
        return [pose_variant(variant, rewritten, mode, is_declared=is_declared)]

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

    def _requires_answers(self, transformation: Transformation) -> bool:
        """Return True if its problems by answer cannot be compared with the original's mode."""
        is_other = (transformation.level, transformation.mode) == (Level.SCHEMA, Mode.BY_ANSWER)
        return is_other and self.source.mode is not Mode.BY_ANSWER

    def _variant(self, transformation: Transformation) -> Variant:
        """Describe the variant of a transformation.

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
        """Return whether to pose a variant; one with a single entry only if the plan names it."""
        is_single = variant.entries == 1 and len(self.entries) > 1
        is_named = transformation.name in self.plan.perturbations
        return variant.entries > 0 and (is_named or not is_single)

    def skipped(self, transformation: Transformation, variant: Variant) -> Skipped:
        """Say why a transformation is skipped.

        The reason is that of most entries, or that proposals were not reviewed, if there are any.
        """
        left_out = dict(variant.left_out)
        if variant.entries:
            message = f"not evaluated: it applies to 1 of {len(self.entries)} entries only"
            return Skipped(f"{self.source.name}, {transformation.name}", message)
        is_named = transformation.name in self.plan.perturbations
        reason = next(iter(left_out)) if is_named or PROPOSAL not in left_out else PROPOSAL
        message = f"not evaluated: {reason} ({left_out[reason]} of {len(self.entries)} entries)"
        return Skipped(f"{self.source.name}, {transformation.name}", message, is_named)


def _vouched(entry: Entry, transformation: Transformation, settings: Settings) -> Entry | str:
    """Transform an entry; give a reason where that fails, or if nobody vouches for the result."""
    name = transformation.name
    if name in VERSIONS and name not in dict(entry.versions):
        return _UNWRITTEN
    if name in _BY_PHRASES and name not in dict(entry.phrases):
        return _UNWRITTEN
    try:
        done = perturb_entry(entry, transformation, settings)
    except MissingEnglish as error:  # only from plug-ins; ours propose nothing here
        return str(error)
    if isinstance(done, SkippedEntry):
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
