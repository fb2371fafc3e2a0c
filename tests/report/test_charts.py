import json
import math
from typing import Any, cast

import pytest

from knowact.core import palette
from knowact.core.charts import (
    dots_per_run,
    grouped_bars,
    shift_bars,
    stacked_shares,
)
from knowact.core.rounding import interval_text, number_text
from knowact.core.scatter import Point, scatter_with_r, share_panels
from knowact.core.table import Estimate, Row

from .report_double import QUADRANTS


def row(model: str, boundary: str, value: float | None, measure: str = "KAS") -> Row:
    low, high = (None, None) if value is None else (value - 0.1, value + 0.1)
    return Row({"model": model, "boundary": boundary}, measure, Estimate(value, 20, low, high, "wilson"))


ROWS = [row(model, boundary, 0.5) for model in ("a", "b") for boundary in ("external", "internal")]


def tooltips(spec: object) -> list[list[str]]:
    """The titles of every tooltip in a specification."""
    if isinstance(spec, list):
        return [found for part in cast("list[object]", spec) for found in tooltips(part)]
    if not isinstance(spec, dict):
        return []
    fields = cast("dict[str, Any]", spec)
    own = [[str(field["title"]) for field in fields["tooltip"]]] if "tooltip" in fields else []
    return own + [found for part in fields.values() for found in tooltips(part)]


def specs() -> dict[str, dict[str, Any]]:
    shares = [row("a", "external", 0.25, part) for part in QUADRANTS]
    points = [
        Point("a", Estimate(0.5, 9, 0.4, 0.6), Estimate(1.5, 9)),
        Point("b", Estimate(1.0, 9), Estimate(1, 9)),
    ]
    return {
        "grouped_bars": grouped_bars(ROWS, "boundary", "model", value_title="KAS"),
        "shift_bars": shift_bars(ROWS, "boundary", "model"),
        "stacked_shares": stacked_shares(shares, "model", "measure", parts=QUADRANTS, facet="boundary"),
        "scatter_with_r": scatter_with_r(points, Estimate(-1, 2), x_title="KAS", y_title="Calls"),
        "share_panels": share_panels(points[1:], x_title="knew", y_title="acted"),
    }


@pytest.mark.parametrize("name", specs())
def test_every_chart_is_strict_json_and_tells_n_and_interval_on_hover(name: str) -> None:
    spec = specs()[name]
    json.dumps(spec, allow_nan=False)
    assert spec["$schema"].endswith("/v6.json")
    found = tooltips(spec)
    assert found
    assert all("n" in titles and "95 % interval" in titles for titles in found)


def test_what_was_not_measured_is_not_drawn() -> None:
    for value in (None, math.nan):
        hollow = [Row({"model": "a", "boundary": "external"}, "KAS", Estimate(value, 0))]
        nothing = Point("a", Estimate(value, 0), Estimate(1, 1))
        assert grouped_bars(hollow, "boundary", "model", value_title="KAS") == {}
        assert shift_bars(hollow, "boundary", "model") == {}
        assert stacked_shares(hollow, "model", "measure", parts=["KAS"]) == {}
        assert scatter_with_r([nothing], Estimate(None, 0), x_title="KAS", y_title="Calls") == {}
        assert share_panels([nothing], x_title="knew", y_title="acted") == {}


def test_bars_keep_the_order_in_which_the_suite_gave_them() -> None:
    rows = [row("zebra", "internal", 0.2), row("ape", "external", 0.4)]
    encoding = grouped_bars(rows, "boundary", "model", value_title="KAS")["layer"][0]["encoding"]
    assert encoding["x"]["sort"] == ["internal", "external"]
    assert encoding["color"]["scale"] == {"domain": ["zebra", "ape"], "range": list(palette.RUNS[:2])}


def test_more_series_than_colours_change_places_with_the_groups() -> None:
    rows = [row(f"model {place}", "internal", 0.5) for place in range(len(palette.RUNS) + 1)]
    for spec in (
        grouped_bars(rows, "boundary", "model", value_title="KAS"),
        shift_bars(rows, "boundary", "model"),
    ):
        encoding = spec["layer"][0]["encoding"]
        assert encoding["color"]["scale"]["domain"] == ["internal"]
        assert encoding["x"]["axis"]["labelAngle"] == -40
    few = grouped_bars(ROWS, "boundary", "model", value_title="KAS")["layer"][0]["encoding"]
    assert few["x"]["axis"]["labelAngle"] == 0


def test_an_axis_goes_from_nought_to_one_only_where_everything_lies_between() -> None:
    inside = grouped_bars(ROWS, "boundary", "model", value_title="KAS")
    outside = grouped_bars([row("a", "internal", -0.2)], "boundary", "model", value_title="DirGap")
    assert inside["layer"][0]["encoding"]["y"]["scale"] == {"domain": [0, 1]}
    assert outside["layer"][0]["encoding"]["y"]["scale"] == {}


def test_a_shift_has_a_zero_line_and_signed_numbers() -> None:
    spec = shift_bars([row("a", "internal", 0.05)], "boundary", "model")
    assert spec["layer"][-1]["data"] == {"values": [{"zero": 0}]}
    assert spec["data"]["values"][0]["value_text"] == "+5.0"


def test_shares_that_are_not_named_are_left_out_and_the_others_stay_in_order() -> None:
    rows = [row("a", "external", 0.5, part) for part in ("Kw/Aw", "Kc/Ac", "DirGap")]
    spec = stacked_shares(rows, "model", "measure", parts=QUADRANTS)
    assert [(datum["colour"], datum["place"]) for datum in spec["data"]["values"]] == [
        ("Kw/Aw", 3),
        ("Kc/Ac", 0),
    ]


def test_the_correlation_is_written_out_or_said_to_be_missing() -> None:
    points = [Point("a", Estimate(0.42, 9), Estimate(2, 9)), Point("b", Estimate(1.0, 9), Estimate(1, 9))]
    known = scatter_with_r(points, Estimate(-0.748, 18, -0.9, -0.43), x_title="KAS", y_title="Calls")
    unknown = scatter_with_r(points, Estimate(None, 2), x_title="KAS", y_title="Calls")
    assert known["title"]["text"] == "r = −0.75 (95 % interval −0.90 to −0.43), n = 18 runs"  # noqa: RUF001
    assert unknown["title"]["text"].startswith("r not given: 2 runs")
    assert len(known["layer"]) == len(unknown["layer"]) + 1, "a line is drawn only where there is an r"
    assert known["layer"][1]["encoding"]["x"]["scale"] == {"domain": [0.4, 1.0]}, "never beyond 100 %"


def test_numbers_are_written_as_people_read_them() -> None:
    assert number_text(0.5312, percent=True) == "53.1"
    assert number_text(0.5312, percent=True, places=2) == "53.12"
    assert number_text(-0.0001, percent=True, signed=True) == "+0.0"
    assert number_text(1.954, percent=False) == "1.95"
    assert number_text(12345.0, percent=False, counts=True) == "12,345"
    assert number_text(None, percent=True) == number_text(math.nan, percent=True) == "\N{EN DASH}"
    assert interval_text(Estimate(0.5, 9), percent=True) == "none given"
    assert interval_text(Estimate(0.5, 9, 0.4, 0.6), percent=True) == "40.0 to 60.0"
    change = Estimate(0.0, 9, -0.1, 0.1)
    assert interval_text(change, percent=True, signed=True) == "\N{MINUS SIGN}10.0 to +10.0"


class TestDots:
    def test_each_measured_row_is_one_dot_in_its_panel(self) -> None:
        rows = [row("a", "external", 0.5), row("b", "external", None), row("a", "internal", 0.2)]
        spec = dots_per_run(rows, "model", "measure", "boundary", value_title="KAS")
        data = cast("list[dict[str, Any]]", spec["data"]["values"])
        assert [(one["bar"], one["panel"], one["value"]) for one in data] == [
            ("a", "external", 0.5),
            ("a", "internal", 0.2),
        ]
        assert spec["facet"]["sort"] == ["external", "internal"]

    def test_nothing_measured_draws_nothing(self) -> None:
        rows = [row("a", "external", None)]
        assert dots_per_run(rows, "model", "measure", "boundary", value_title="KAS") == {}


class TestTags:
    """Each dot says whose it is, and nothing that it says hides anything."""

    def data(self, *spots: tuple[str, float, float]) -> list[dict[str, Any]]:
        points = [Point(name, Estimate(x, 9), Estimate(y, 9)) for name, x, y in spots]
        spec = scatter_with_r(points, Estimate(None, len(spots)), x_title="x", y_title="y")
        self.keyed = "color" in spec["layer"][-2]["encoding"]
        return cast("list[dict[str, Any]]", spec["data"]["values"])

    def test_names_stand_at_their_dots_and_grow_towards_the_middle(self) -> None:
        found = self.data(("left", 0.0, 0.0), ("right", 1.0, 0.0))
        assert [(one["tag"], one["tag_align"]) for one in found] == [("left", "left"), ("right", "right")]
        assert found[0]["tag_dx"] > 0 > found[1]["tag_dx"]
        assert not self.keyed

    def test_runs_on_one_spot_share_a_tag(self) -> None:
        found = self.data(*((name, 1.0, 0.0) for name in "abcdef"), ("g", 0.0, 0.0))
        assert [one["tag"] for one in found] == ["a, b, c, d, e and 1 more", "", "", "", "", "", "g"]

    def test_names_that_find_no_room_are_numbers_and_a_key_lists_them(self) -> None:
        spots = [(f"provider/a-model-of-some-size-{place}", 0.3 + place / 9, 0.5) for place in range(4)]
        found = self.data(*spots)
        assert [one["tag"] for one in found] == ["1", "2", "3", "4"]
        assert self.keyed
        assert found[0]["key"] == f"1 {spots[0][0]}"

    def test_a_number_moves_aside_for_dots_and_for_other_numbers(self) -> None:
        spots = [
            (f"a-model-with-a-name-that-is-far-too-long-{place}", 0.1 * place, 1.0) for place in range(9)
        ]
        spots += [(f"{spots[4][0]}-again", 0.46, 1.0), ("corner", 0.0, 0.0), ("other corner", 1.0, 2.0)]
        found = self.data(*spots)
        assert {one["tag_align"] for one in found} >= {"left", "center"}
        assert all(one["tag"] for one in found), "each has a tag of its own"

    def test_where_even_numbers_find_no_room_near_dots_share_one(self) -> None:
        found = self.data(*((f"model {place}", 0.5 + place / 5000, 0.5) for place in range(40)), ("z", 0, 0))
        tags = [one["tag"] for one in found if one["tag"]]
        assert tags == ["1, 2, 3, 4, 5 and 35 more", "41"]


def test_panels_of_shares_have_a_line_of_equals_and_both_intervals() -> None:
    both = Estimate(0.5, 9, 0.4, 0.7), Estimate(0.25, 9, 0.1, 0.3)
    points = [Point(name, *both, place, suite) for suite in "pq" for place, name in ((2, "a"), (12, "b"))]
    spec = share_panels(points, x_title="knew, %", y_title="acted, %")
    line, across, up, dots, tags = spec["spec"]["layer"]
    assert line["data"]["values"] == [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
    assert (across["encoding"]["x"]["field"], across["encoding"]["x2"]["field"]) == ("x_low", "x_high")
    assert (up["encoding"]["y"]["field"], up["encoding"]["y2"]["field"]) == ("y_low", "y_high")
    assert dots["encoding"]["color"]["scale"]["domain"] == ["2 a", "12 b"], "in the order of their numbers"
    assert (tags["encoding"]["text"]["field"], spec["columns"]) == ("tag", 2)
    data = cast("list[dict[str, Any]]", spec["data"]["values"])
    assert [(one["panel"], one["tag"]) for one in data] == [
        ("p", "2, 12"),
        ("p", ""),
        ("q", "2, 12"),
        ("q", ""),
    ]
    assert data[1]["told"] == (
        "Suite: p; Run: b; knew, %: 50.0; 95 % interval: 40.0 to 70.0; "
        "acted, %: 25.0; 95 % interval of that: 10.0 to 30.0; n: 9"
    )
