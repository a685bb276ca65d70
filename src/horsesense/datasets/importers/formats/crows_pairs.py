"""CrowS-Pairs: minimal pairs of which one sentence is the more stereotypical, as CSV.

Common sense has no say in which sentence is to be preferred: the data measure whether a model
prefers stereotypes, and its authors hope for neither. So the pairs are unlabelled. The field
`x-more` has the number of the sentence that stereotypes more, 1 or 2; the sentences are put into
the order of their checksums, which say nothing about it. Tags are the kind of bias, and whether the
sentence tells a stereotype or goes against one. What annotators said is not kept.
"""

from __future__ import annotations

from collections.abc import Iterable

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.fitting import fit_id, fit_tag
from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.minimal_pairs import ISSUES, in_order, tell_order
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import SINGLES, Group, Journal, RawProblem

MORE = "x-more"
_FIELDS = ("sent_more", "sent_less", "stereo_antistereo", "bias_type")
_DIRECTIONS = ("stereo", "antistereo")
# The column of the row's number has no heading.
_NUMBER = ""


def _looks_like(file: SourceFile) -> bool:
    return are_columns_of(file.headings(","), (_NUMBER, *_FIELDS))


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    tell_order(journal, "`sent_more` comes before `sent_less`")
    for line, row in file.csv_rows(journal):
        try:
            yield _group(line, row)
        except BadRow as error:
            journal.fault(BAD_ROW, line, row.get(_NUMBER, ""), str(error))


def _group(line: int, row: dict[str, str]) -> Group:
    number, more, less, direction, bias = texts_of(row, _NUMBER, *_FIELDS)
    if direction not in _DIRECTIONS:
        raise BadRow(f"{direction!r} is neither {' nor '.join(_DIRECTIONS)}")
    tag = fit_tag(bias)
    if not tag:
        raise BadRow("no bias_type")
    options, place = in_order(more, less)
    name = fit_id(number)
    return Group(
        id=name,
        found=[RawProblem(name, line, ("", ""), options, None)],
        tags=(tag, direction),
        extras={MORE: str(place + 1)},
    )


FORMAT = Format(
    name="crows-pairs",
    title="CrowS-Pairs, CSV",
    looks_like=_looks_like,
    read=_read,
    twins=SINGLES,
    issues=ISSUES,
)
