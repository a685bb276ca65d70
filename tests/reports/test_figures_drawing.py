from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from horsesense.reports.figures.drawing import INK, ChartValue, default_settings, styles, wrapped
from horsesense.reports.figures.rows import Chart, ChartRow, Panel, draw_rows


def lightness(colour: str) -> float:
    """How light a colour looks, from 0 to 100: what is left of it in grey (CIE L*)."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels]
    luminance = sum(part * one for part, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance


@pytest.mark.parametrize("count", range(1, 13))
def test_neighbouring_series_differ_in_grey_and_no_two_are_alike(count: int) -> None:
    looks = styles(count)
    assert len({(look.colour, look.marker) for look in looks}) == count
    for one, other in pairwise(looks):
        assert abs(lightness(one.colour) - lightness(other.colour)) >= 15
        assert one.marker != other.marker and one.hatch != other.hatch


@pytest.mark.parametrize("count", range(2, 5))
def test_few_series_go_from_dark_to_light(count: int) -> None:
    shades = [lightness(look.colour) for look in styles(count)]
    assert shades == sorted(shades)
    assert len({look.hatch for look in styles(count)}) == count


def test_no_series_has_the_colour_of_ink() -> None:
    assert INK not in {look.colour for look in styles(12)}


def test_long_names_break_where_they_can() -> None:
    lines = wrapped("some-organisation/a-model-with-a-very-long-name_instruct", 24).split("\n")
    assert max(map(len, lines)) <= 24
    assert "".join(lines) == "some-organisation/a-model-with-a-very-long-name_instruct"


def chart(*rows: ChartRow, series: tuple[str, ...] = ("one",), is_bars: bool = False) -> Chart:
    return Chart(panels=(Panel("Share", 0.5, "chance"),), series=series, rows=rows, is_bars=is_bars)


def texts_of(drawing: Chart) -> list[str]:
    with default_settings():
        return [text.get_text() for text in draw_rows(drawing).axes[0].texts]


@pytest.mark.parametrize("is_bars", [False, True])
def test_an_undefined_number_is_a_dash_and_no_mark(is_bars: bool) -> None:
    undefined, defined = (
        ChartRow("here", ((ChartValue(None),),)),
        ChartRow("there", ((ChartValue(0.25),),)),
    )
    assert texts_of(chart(undefined, defined, is_bars=is_bars)).count("–") == 1
    with default_settings():
        axes = draw_rows(chart(undefined, is_bars=is_bars)).axes[0]
    assert not axes.patches
    assert not [line for line in axes.lines if line.get_marker() not in ("None", "none", "")]


def test_what_was_not_measured_takes_no_room() -> None:
    both, one = (
        ChartRow("a", ((ChartValue(0.5), ChartValue(0.6)),)),
        ChartRow("a", ((ChartValue(0.5), None),)),
    )
    with default_settings():
        heights = [draw_rows(chart(row, series=("x", "y"))).get_figheight() for row in (both, one)]
    assert heights[0] > heights[1]
    assert ".600" not in texts_of(chart(one, series=("x", "y")))


def test_the_scale_goes_from_nothing_to_all() -> None:
    with default_settings():
        axes = draw_rows(chart(ChartRow("a", ((ChartValue(0.5, 0.4, 0.6),),)))).axes[0]
    assert axes.get_xlim() == (0, 1)
    assert [text.get_text() for text in axes.get_xticklabels()] == ["0", ".25", ".5", ".75", "1"]


def test_an_interval_is_drawn_from_end_to_end() -> None:
    with default_settings():
        axes = draw_rows(chart(ChartRow("a", ((ChartValue(0.5, 0.4, 0.75, expected=0.3),),)))).axes[
            0
        ]
    drawn = [np.asarray(line.get_xdata()).tolist() for line in axes.lines]
    assert any(xs[:2] == [0.4, 0.75] for xs in drawn)
    assert [0.3] in drawn and [0.5] in drawn
