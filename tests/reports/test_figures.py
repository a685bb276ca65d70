from __future__ import annotations

import re
import sys
from dataclasses import replace
from functools import cache
from io import BytesIO
from xml.etree import ElementTree

import pytest

from horsesense.errors import FileError
from horsesense.reports import DrawnFigure
from horsesense.results import DatasetSubject, Estimate, EstimateKind, Results
from tests.reports.built import figures
from tests.reports.small_profile import ANT, BEE, small_profile

NAMES = [
    "methods-kitchen",
    "methods-yard",
    "method-differences-kitchen",
    "method-differences-yard",
    "specification-ant-1-kitchen",
    "specification-ant-1-yard",
    "specification-bee-2-co-kitchen",
    "specification-bee-2-co-yard",
    "datasets",
    "plane-kitchen",
    "plane-yard",
    "perturbations-kitchen",
    "perturbations-yard",
    "consistency-kitchen",
    "consistency-yard",
    "controls-kitchen",
    "control-loss-kitchen",
    "dyads-yard",
]


@cache
def drawn() -> dict[str, DrawnFigure]:
    return {figure.name: figure for figure in figures(small_profile())}


@cache
def svg(name: str) -> str:
    return drawn()[name].svg()


def texts(name: str) -> list[str]:
    root = ElementTree.fromstring(svg(name))
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def without(profile: Results, *metrics: str) -> Results:
    kept = [one for one in profile.estimates if one.metric not in metrics]
    return replace(profile, estimates=tuple(kept))


def test_every_figure_of_the_protocol_is_there_in_its_order() -> None:
    assert [figure.name for figure in figures(small_profile())] == NAMES


def test_a_profile_without_numbers_has_no_figures() -> None:
    assert figures(replace(small_profile(), estimates=())) == ()


def test_a_figure_without_data_is_left_out() -> None:
    metrics = ("consistency", "schema-consistency", "consistent-schema-accuracy")
    left = [figure.name for figure in figures(without(small_profile(), *metrics))]
    assert left == [
        name for name in NAMES if name not in ("consistency-kitchen", "consistency-yard")
    ]


def test_accuracies_alone_make_no_figures_of_differences() -> None:
    profile = small_profile()
    values = [one for one in profile.estimates if one.kind is EstimateKind.VALUE]
    names = {figure.name for figure in figures(replace(profile, estimates=tuple(values)))}
    assert names == {
        name for name in NAMES if not name.startswith(("consistency", "control-loss", "method-d"))
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_says_what_it_is(name: str) -> None:
    figure = drawn()[name]
    assert figure.title and figure.caption.endswith(".") and re.search(r"\.\d{3}", figure.alt)
    root = ElementTree.fromstring(svg(name))
    assert root.get("role") == "img"
    namespace = "{http://www.w3.org/2000/svg}"
    title, desc = root[0], root[1]
    assert (title.tag, title.text) == (f"{namespace}title", figure.title)
    assert (desc.tag, desc.text) == (f"{namespace}desc", figure.alt)
    assert root.get("aria-labelledby") == title.get("id") == f"{name}-title"


@pytest.mark.parametrize("name", NAMES)
def test_an_svg_is_small_and_can_stand_in_any_page(name: str) -> None:
    code = svg(name)
    assert len(code.encode()) < 60_000
    assert code.startswith("<svg ")
    assert not re.search(r"<style|<metadata|<!DOCTYPE|<\?xml|<script|@import", code)
    links = re.findall(r"https?:[^\"]*", code)
    assert set(links) == {"http://www.w3.org/2000/svg"}
    ids = re.findall(r' id="([^"]*)"', code)
    assert len(ids) == len(set(ids))
    assert all(one.startswith(f"{name}-") for one in ids)
    referred = set(re.findall(r'(?:url\(#|href="#)([^)"]*)', code))
    assert referred <= set(ids) <= referred | {f"{name}-title", f"{name}-desc"}


@pytest.mark.parametrize("name", NAMES)
def test_text_and_axes_have_the_colour_of_the_page_and_no_background(name: str) -> None:
    code = svg(name)
    assert "currentColor" in code
    for white in ("#ffffff", "#000000", "#1b1c1f", "white"):
        assert white not in code
    text_styles = re.findall(r"<(?:text|g)[^>]*font-size[^>]*>", code)
    assert text_styles
    assert all("fill: currentColor" in style for style in text_styles)


@pytest.mark.parametrize("name", NAMES)
def test_no_text_is_smaller_than_seven_points_at_the_width_of_a_page(name: str) -> None:
    code = svg(name)
    sizes = [float(size) for size in re.findall(r"font-size: ([\d.]+)px", code)]
    assert sizes and min(sizes) >= 7
    width = re.search(r'width="([\d.]+)pt"', code)
    assert width is not None and float(width[1]) <= 6.5 * 72


@pytest.mark.parametrize("name", ["methods-kitchen", "specification-ant-1-yard", "plane-yard"])
def test_a_figure_is_always_the_same(name: str) -> None:
    again = {figure.name: figure for figure in figures(small_profile())}[name]
    assert again.svg() == svg(name)
    assert again.png(dpi=60) == drawn()[name].png(dpi=60)


def test_a_png_has_the_resolution_that_was_asked_for_and_no_date() -> None:
    picture = drawn()["plane-yard"].png(dpi=50)
    assert picture.startswith(b"\x89PNG")
    width = int.from_bytes(picture[16:20], "big")
    assert width == int((0.5 + 3.9 + 0.12) * 50)
    assert b"Software" not in picture and b"tIME" not in picture


def test_a_png_is_on_white_and_an_svg_on_nothing() -> None:
    from matplotlib.image import imread

    picture = imread(BytesIO(drawn()["plane-yard"].png(dpi=50)), format="png")
    assert picture[0, 0].tolist() == picture[-1, -1].tolist() == [1, 1, 1, 1]
    assert not re.search(r"<(path|rect)[^>]*fill: #f", svg("plane-yard"))


def test_drawing_leaves_the_settings_of_matplotlib_as_they_were() -> None:
    import matplotlib

    with matplotlib.rc_context({"font.size": 23.0, "svg.hashsalt": "mine"}):
        before = dict(matplotlib.rcParams)
        assert drawn()["plane-yard"].svg() == svg("plane-yard")
        assert dict(matplotlib.rcParams) == before


def test_names_with_other_characters_make_sound_pages() -> None:
    assert BEE in texts("datasets")
    assert "bee|2 &amp; co" in svg("datasets")


def test_datasets_with_names_alike_have_figures_of_their_own() -> None:
    profile = small_profile()

    def renamed(dataset: str) -> str:
        return "kit.chen" if dataset == "kitchen" else "kit chen"

    def moved(one: Estimate) -> Estimate:
        against = one.against and one.against.replace(dataset=renamed(one.against.dataset))
        return replace(one, key=one.key.replace(dataset=renamed(one.key.dataset)), against=against)

    def titled(one: DatasetSubject) -> DatasetSubject:
        return replace(one, name=renamed(one.name))

    alike = replace(
        profile,
        datasets=tuple(titled(one) for one in profile.datasets),
        models=tuple(
            replace(one, standard=tuple((renamed(name), way) for name, way in one.standard))
            for one in profile.models
        ),
        variants=tuple(replace(one, dataset=renamed(one.dataset)) for one in profile.variants),
        estimates=tuple(moved(one) for one in profile.estimates),
    )
    names = [figure.name for figure in figures(alike)]
    assert len(names) == len(set(names)) == len(NAMES)
    assert {"methods-kit-chen", "methods-kit-chen-2"} <= set(names)


def test_two_models_stand_side_by_side() -> None:
    assert {ANT, BEE} <= set(texts("perturbations-kitchen"))
    assert drawn()["dyads-yard"].alt.count("by boolean") == 3


def test_without_matplotlib_the_way_to_a_drawing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for draw in (drawn()["datasets"].svg, drawn()["datasets"].png):
        with pytest.raises(FileError, match=r"pip install 'horsesense\[figures\]'"):
            draw()
