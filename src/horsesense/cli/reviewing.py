"""Review a perturbation in the terminal: show each entry, and store the judgement.

Every judgement is stored at once, so that a review that was interrupted can be continued.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import click

from horsesense.cli.output import counted, note
from horsesense.cli.perturb_views import counted_judgements, named, show_ledgered
from horsesense.errors import HorsesenseError
from horsesense.perturbations import Ledgered, Validity
from horsesense.schema.notation import parse_grid, print_grid
from horsesense.store import (
    Store,
    StoredPerturbation,
    Verdict,
    WordingChanged,
    count_validity,
    find_perturbation,
    freeze,
    judge_entries,
    judge_together,
    load_ledger,
    reload_ledgered,
    verdict_on,
)

_MENU = "a accept, e edit, r reject, s skip, b back, q quit, ? help: "
_HELP = """\
a  accept: the sentences are good English and the right answer is right
e  edit: put the notation right in your editor, which accepts it as edited
r  reject: it cannot be used; you are asked for a reason, which may be empty
s  skip: leave it as it is and go on
b  back: to the entry before
q  quit: what you have judged is stored, the rest can wait
"""
_COMMENT = """
# {how}
# The lines above are the schema in notation. Lines that begin with # are not read.
# Leave without saving to change nothing.
"""


class ReviewInterrupted(HorsesenseError):
    """A review was interrupted; the judgements before that are stored."""

    exit_code: ClassVar[int] = 130

    def __init__(self, judged: int, name: str) -> None:
        stored = f"{counted(judged, 'judgement')} stored"
        super().__init__(f"interrupted; {stored}; review {name} again to go on and freeze")


@dataclass
class Reviewing:
    """The review of a perturbation by one person; drafts are edits that could not be used yet."""

    store: Store
    perturbation: StoredPerturbation
    by: str
    judged: int = 0
    drafts: dict[str, str] = field(default_factory=dict)

    def judge_named(
        self,
        accepted: Sequence[str],
        rejected: Sequence[str],
        edited: Sequence[tuple[str, str]],
        *,
        accept_all: bool,
    ) -> None:
        """Judge as the options say; if an id or a notation is wrong, nothing is stored."""
        twice = {id for id, _ in edited if [each for each, _ in edited].count(id) > 1}
        if twice:
            raise click.UsageError(f"{min(twice)} is judged twice")
        self.judged += judge_entries(
            self.store,
            self.perturbation,
            self.by,
            accepted=accepted,
            rejected=rejected,
            edited=dict(edited),
            accept_all=accept_all,
        )

    def walk(self, *, every: bool) -> None:
        """Ask about one entry after the other."""
        validities = () if every else (Validity.PROPOSED,)
        found = list(load_ledger(self.store, self.perturbation, validities=validities))
        if not found:
            note("there is nothing to review; --all shows what has been judged")
        position = 0
        while position < len(found):
            click.echo(f"\n{position + 1} of {len(found)}")
            show_ledgered(found[position], self.perturbation.mode)
            try:
                key = self._ask(found[position])
            except WordingChanged as error:
                # Nobody accepts what they have not seen: it is shown once more.
                note(str(error))
                found[position] = reload_ledgered(self.store, self.perturbation, found[position])
                continue
            if key == "q":
                break
            if key in ("a", "e", "r"):
                found[position] = reload_ledgered(self.store, self.perturbation, found[position])
            position = max(0, position - 1) if key == "b" else position + 1

    def _ask(self, ledgered: Ledgered) -> str:
        """Wait for a key that moves on, and do what it says."""
        while True:
            click.echo(_MENU, nl=False, err=True)
            try:
                # What was typed ahead is no judgement of an entry that nobody had seen.
                key = click.getchar()[:1].lower() or "q"
            except EOFError:
                key = "q"
            click.echo(key if key.isprintable() else "", err=True)
            if key == "?":
                click.echo(_HELP, nl=False, err=True)
            elif (
                key in ("s", "b", "q")
                or (key == "a" and self._judge(verdict_on(ledgered, Validity.ACCEPTED)))
                or (key == "r" and self._reject(ledgered))
                or (key == "e" and self._edit(ledgered))
            ):
                return key

    def _reject(self, ledgered: Ledgered) -> bool:
        try:
            reason = click.prompt("reason", default="", show_default=False, err=True)
        except click.Abort:
            note("")
            return False
        return self._judge(verdict_on(ledgered, Validity.REJECTED, note=" ".join(reason.split())))

    def _edit(self, ledgered: Ledgered) -> bool:
        """Open the notation in an editor; what cannot be used is kept as a draft."""
        shown = print_grid(ledgered.entry.grid)
        text = self.drafts.get(ledgered.entry.id, shown) + "\n" + _COMMENT.format(how=ledgered.how)
        try:
            saved = click.edit(text, extension=".schemas")
            lines = [] if saved is None else saved.splitlines()
            written = "\n".join(s for s in map(str.rstrip, lines) if s and not s.startswith("#"))
            if written in ("", shown):
                note("nothing was changed")
                return False
            self.drafts[ledgered.entry.id] = written
            return self._judge(verdict_on(ledgered, Validity.EDITED, parse_grid(written)))
        except WordingChanged:
            raise
        except (HorsesenseError, click.ClickException) as error:
            message = error.message if isinstance(error, click.ClickException) else str(error)
            note(f"{message}\nnothing was stored; e opens it again")
            return False

    def _judge(self, *verdicts: Verdict) -> bool:
        """Store judgements, all or none."""
        judge_together(self.store, self.perturbation, verdicts, self.by)
        self.judged += len(verdicts)
        return True

    def finish(self) -> None:
        """Freeze what is valid, and say how far the perturbation is judged."""
        saved = freeze(self.store, self.perturbation)
        counts = count_validity(self.store, self.perturbation)
        judged = counted(self.judged, "judgement")
        click.echo(f"{self.perturbation.name}: {judged} stored; {counted_judgements(counts)}")
        if saved:
            click.echo(f"dataset: {named(saved.dataset)}{'' if saved.is_new else ', as before'}")
        else:
            former = find_perturbation(self.store, self.perturbation.name).outdated
            outdated = f"; {named(former)} is outdated" if former else ""
            note(f"nothing is valid{'' if former else ' yet'}, so there is no dataset{outdated}")
