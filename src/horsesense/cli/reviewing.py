"""Review a perturbation in the terminal: show each entry, and store the judgement.

Every judgement is stored immediately, so that an interrupted review can be continued.
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
    ReviewVerdict,
    Store,
    StoredPerturbation,
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
a  accept: the sentences are good English and the correct answer is correct
e  edit: correct the notation in your editor; saving accepts the entry as edited
r  reject: the entry cannot be used; you can give a reason
s  skip: decide later
b  back: return to the previous entry
q  quit: your judgements are stored; you can continue later
"""
_COMMENT = """
# {how}
# The lines above are the schema in notation. Lines that start with # are ignored.
# Close the editor without saving to change nothing.
"""


class ReviewInterrupted(HorsesenseError):
    """A review was interrupted; all judgements so far are stored."""

    exit_code: ClassVar[int] = 130

    def __init__(self, judged: int, name: str) -> None:
        stored = f"{counted(judged, 'judgement')} stored"
        super().__init__(f"interrupted; {stored}; review {name} again to continue and freeze it")


@dataclass
class Review:
    """The review of a perturbation by one person; `drafts` are edits with errors."""

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
        """Judge the entries named in options; if an id or a notation is wrong, store nothing."""
        ids = [id for id, _ in edited]
        if twice := {id for id in ids if ids.count(id) > 1}:
            raise click.UsageError(f"{min(twice)} is judged twice; give each entry once")
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
        """Show one entry after the other, and ask for a judgement."""
        validities = () if every else (Validity.PROPOSED,)
        entries = list(load_ledger(self.store, self.perturbation, validities=validities))
        if not entries:
            note("nothing to review; use --all to see entries that have been judged")
        position = 0
        while position < len(entries):
            entry = entries[position]
            click.echo(f"\n{position + 1} of {len(entries)}")
            show_ledgered(entry, self.perturbation.mode)
            try:
                key = self._ask(entry)
            except WordingChanged as error:
                # Show the new wording, so that nobody accepts what they have not seen.
                note(str(error))
                entries[position] = reload_ledgered(self.store, self.perturbation, entry)
                continue
            if key == "q":
                break
            if key in ("a", "e", "r"):
                entries[position] = reload_ledgered(self.store, self.perturbation, entry)
            position = max(0, position - 1) if key == "b" else position + 1

    def _ask(self, ledgered: Ledgered) -> str:
        """Handle keys until one leads to another entry, and return it."""
        while True:
            click.echo(_MENU, nl=False, err=True)
            try:
                # getchar discards keys that were typed before the entry was shown.
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
        """Open the notation in an editor; keep an edit with errors as a draft."""
        shown = print_grid(ledgered.entry.grid)
        text = self.drafts.get(ledgered.entry.id, shown) + "\n" + _COMMENT.format(how=ledgered.how)
        try:
            saved = click.edit(text, extension=".schemas")
            lines = [] if saved is None else saved.splitlines()
            written = "\n".join(s for s in map(str.rstrip, lines) if s and not s.startswith("#"))
            if written in ("", shown):
                note("no changes")
                return False
            self.drafts[ledgered.entry.id] = written
            return self._judge(verdict_on(ledgered, Validity.EDITED, parse_grid(written)))
        except WordingChanged:
            raise
        except (HorsesenseError, click.ClickException) as error:
            message = error.message if isinstance(error, click.ClickException) else str(error)
            note(f"{message}\nnothing was stored; press e to edit it again")
            return False

    def _judge(self, *verdicts: ReviewVerdict) -> bool:
        """Store judgements, all or none."""
        judge_together(self.store, self.perturbation, verdicts, self.by)
        self.judged += len(verdicts)
        return True

    def finish(self) -> None:
        """Freeze the valid entries, and print how many have been judged."""
        saved = freeze(self.store, self.perturbation)
        counts = count_validity(self.store, self.perturbation)
        judged = counted(self.judged, "judgement")
        click.echo(f"{self.perturbation.name}: {judged} stored; {counted_judgements(counts)}")
        if saved:
            click.echo(f"dataset: {named(saved.dataset)}{'' if saved.is_new else ' (unchanged)'}")
        else:
            former = find_perturbation(self.store, self.perturbation.name).outdated
            outdated = f"; {named(former)} is outdated" if former else ""
            note(f"no entry is valid{'' if former else ' yet'}, so there is no dataset{outdated}")
