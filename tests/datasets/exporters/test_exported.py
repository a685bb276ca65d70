from horsesense.datasets.exporters import Exported, wrapped
from horsesense.datasets.exporters.exported import count_header
from horsesense.schema import Header
from horsesense.schema.notation import parse_grid, parse_wrapper, print_grid
from tests.datasets.exporters.folders import BUS, LORRY, STORM, dataset_of, entry

WRAPPER = parse_wrapper("It is |true, false| that …")


def test_a_schema_is_replaced_by_its_dyad_and_keeps_its_fields() -> None:
    lorry = entry("lorry", LORRY, tags=("roads",), note="mind the roof")
    (dyad,) = wrapped(dataset_of(lorry), WRAPPER, Exported())
    assert print_grid(dyad.grid) == f"It is |true, false| that {LORRY}"
    assert (dyad.id, dyad.tags, dyad.note) == ("lorry", ("roads",), "mind the roof")


def test_both_problems_that_a_wrapper_makes_of_one_have_its_tags() -> None:
    lorry = entry("lorry", LORRY, extras=(("x-problems", "q1, q2"), ("x-tags.2", "sunk")))
    (dyad,) = wrapped(dataset_of(lorry), WRAPPER, Exported())
    assert dyad.extras == (("x-tags.3", "sunk"), ("x-tags.4", "sunk"))


def test_what_cannot_be_wrapped_is_left_out_and_counted() -> None:
    report = Exported()
    two_sentences = entry("two", "The gate {opened, shut}. Ida <left, stayed>.")
    dyad = entry("dyad", f"It is |true, false| that {LORRY}")
    loose = (entry("storm", STORM), entry("bus", BUS))
    kept = wrapped(dataset_of(two_sentences, entry("lorry"), dyad, *loose), WRAPPER, report)
    assert [one.id for one in kept] == ["lorry"]
    assert report.left_out == {"grids that cannot be wrapped": 4}


def test_versions_are_wrapped_with_their_schema_or_counted() -> None:
    report = Exported()
    past = parse_grid("a lorry <could, could not> pass under a {high, low} bridge")
    halved = parse_grid("A lorry stopped. It <can, cannot> pass under a {high, low} bridge.")
    lorry = entry("lorry", LORRY, versions=(("tense", past), ("voice", halved)))
    (dyad,) = wrapped(dataset_of(lorry), WRAPPER, report)
    ((name, version),) = dyad.versions
    assert (name, version.is_dyad) == ("tense", True)
    assert report.left_out == {"versions that cannot be wrapped": 1}


def test_what_a_dataset_says_of_itself_is_counted_unless_it_is_held() -> None:
    report = Exported()
    header = Header("roads", title="Roads", licence="CC0", note="so far")
    count_header(header, report, held=("note",))
    assert report.left_out == {"titles of the dataset": 1, "licences of the dataset": 1}


def test_nothing_left_out_is_not_counted() -> None:
    report = Exported()
    report.leave_out("notes", 0)
    assert not report.left_out
