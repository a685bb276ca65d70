import pytest

from horsesense.datasets.exporters import Exported
from horsesense.datasets.exporters.exported import named_problems, source_names
from horsesense.schema import Dataset, Entry, Header, Mode, Problem, problems
from tests.datasets.exporters.folders import (
    BUS,
    FULL_FIELDS,
    LADLE,
    LORRY,
    STORM,
    dataset_of,
    entry,
)


def everything(problem: Problem) -> str:
    return ""


def names(what: Dataset) -> list[str]:
    found = named_problems(what, Exported(), misfit=everything)
    return [one.name for _, kept in found for one in kept]


def named(value: str, notation: str = LORRY) -> Entry:
    return entry("lorry", notation, extras=(("x-problems", value),))


@pytest.mark.parametrize("mode", [Mode.BY_ANSWER, Mode.BY_KEY])
def test_problems_have_the_names_of_their_source(mode: Mode) -> None:
    assert names(dataset_of(named("q7, q8"), mode=mode)) == ["q7", "q8"]


@pytest.mark.parametrize("value", ["q7", "q7, q8, q9", "q7,q8", ""])
def test_names_that_do_not_fit_are_replaced_and_counted(value: str) -> None:
    assert names(dataset_of(named(value))) == ["lorry-1", "lorry-2"]
    report = Exported()
    list(named_problems(dataset_of(named(value)), report, misfit=everything))
    assert report.left_out == {"entries whose problem names do not fit": 1}


def test_a_dyad_does_not_take_the_names_of_a_square() -> None:
    dyad = named("q7, q8", f"It is |true, false| that {LORRY}")
    assert names(dataset_of(dyad)) == [f"lorry-{number}" for number in (1, 2, 3, 4)]


def test_a_problem_without_a_twin_is_called_as_its_entry_is() -> None:
    assert names(dataset_of(entry("storm", STORM), entry("bus", BUS))) == [
        "storm",
        "bus-1",
        "bus-2",
    ]


def test_a_single_problem_may_have_a_name_too() -> None:
    assert source_names(named("q7", STORM), 1) == ("q7",)
    assert source_names(named("", STORM), 1) == ()


def test_grids_that_lack_the_mode_are_left_out_and_counted() -> None:
    report = Exported()
    what = dataset_of(entry("bus", BUS), entry("lorry"), entry("storm", STORM), mode=Mode.BY_KEY)
    assert [one.id for one, _ in named_problems(what, report, misfit=everything)] == ["lorry"]
    assert report.left_out == {"grids that cannot be solved by key": 2}
    assert (report.entries, report.problems) == (1, 2)


@pytest.mark.parametrize("flag, count", [(True, 2), (False, 0), (None, 2)])
def test_what_its_author_calls_not_invertible_is_not_solved_by_key(
    flag: bool | None, count: int
) -> None:
    flags = () if flag is None else (("invertible", flag),)
    lorry = entry("lorry", flags=flags)
    assert len(names(dataset_of(lorry, mode=Mode.BY_KEY))) == count
    assert len(names(dataset_of(lorry))) == 2


def test_misfits_are_counted_and_the_others_keep_their_numbers() -> None:
    report = Exported()

    def misfit(problem: Problem) -> str:
        return "high bridges" if "high" in problem.statement.text else ""

    ((_, kept),) = named_problems(dataset_of(entry("lorry")), report, misfit=misfit)
    assert [(one.number, one.name) for one in kept] == [(2, "lorry-2")]
    assert (report.problems, report.left_out) == (1, {"high bridges": 1})


def test_material_is_counted_unless_it_is_held() -> None:
    report = Exported()
    ladle = entry("ladle", LADLE, **FULL_FIELDS)
    list(named_problems(dataset_of(ladle), report, misfit=everything, held=("tags", "pronouns")))
    assert report.left_out == {
        "notes": 1,
        "flags": 2,
        "phrases for perturbations": 1,
        "fields of the author's own": 1,
        "marked candidates": 2,
    }


def test_the_material_of_an_entry_that_is_left_out_is_not_counted() -> None:
    report = Exported()
    ladle = entry("ladle", LADLE, **FULL_FIELDS)
    assert list(named_problems(dataset_of(ladle), report, misfit=lambda problem: "ladles")) == []
    assert (report.entries, report.left_out) == (0, {"ladles": 2})


def test_a_pronoun_that_nobody_recorded_is_no_loss() -> None:
    report = Exported()
    rope = entry(
        "rope", "The rope held the boat although <_ = the rope, the boat> was {thin, big}."
    )
    list(named_problems(dataset_of(rope), report, misfit=everything))
    assert not report.left_out


def test_what_is_loose_is_written_as_it_stands_in_a_dataset_that_declares_its_mode() -> None:
    report = Exported()
    entries = (entry("bus", BUS), entry("lorry"), entry("storm", STORM))
    what = dataset_of(*entries, header=Header("kitchen", mode=Mode.BY_KEY))
    found = {one.id: kept for one, kept in named_problems(what, report, misfit=everything)}
    assert list(found) == ["bus", "lorry", "storm"]
    assert (report.left_out["grids that cannot be solved by key"], report.problems) == (0, 5)
    assert report.as_they_stand == ["bus", "storm"]
    modes = {name: [one.mode for one in kept] for name, kept in found.items()}
    # One with three options cannot be by key.
    assert modes == {
        "bus": [Mode.BY_KEY] * 2,
        "lorry": [Mode.BY_KEY] * 2,
        "storm": [Mode.BY_ANSWER],
    }
    assert [one.problem for one in found["bus"]] == list(problems(entries[0].grid))
