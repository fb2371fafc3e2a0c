from collections.abc import Mapping, Sequence
from typing import Any

from knowact.core import palette
from knowact.core.charts import grouped_bars, stacked_shares
from knowact.core.table import Estimate, Row
from knowact.report.pictures import same_colours


def bars(names: Sequence[str]) -> dict[str, Any]:
    rows = [Row({"model": name, "part": "all"}, "KAS", Estimate(0.5, 9)) for name in names]
    return grouped_bars(rows, "part", "model", value_title="KAS")


def given(spec: Mapping[str, Any], channel: str) -> dict[str, str]:
    """Which name has which colour or shape, in the marks that have one."""
    scales = [one["encoding"][channel]["scale"] for one in spec["layer"] if channel in one["encoding"]]
    assert all(scale == scales[0] for scale in scales)
    return dict(zip(scales[0]["domain"], scales[0]["range"], strict=True))


def test_a_run_keeps_its_colour_and_shape_whatever_stands_beside_it() -> None:
    first, second = same_colours([bars(["a", "b"]), bars(["c", "b"])])
    for channel, choices in (("color", palette.RUNS), ("shape", palette.SHAPES)):
        one, two = given(first, channel), given(second, channel)
        assert one == {"a": choices[0], "b": choices[1]}
        assert two == {"c": choices[2], "b": choices[1]}


def test_more_runs_than_colours_share_some_but_never_within_a_figure() -> None:
    most = len(palette.RUNS)
    names = [f"run {place}" for place in range(2 * most)]
    figures = [bars(names[:most]), bars(names[most:]), bars([*names[:3], *names[most : most + 3]])]
    for spec in same_colours(figures):
        colours = given(spec, "color")
        assert len(set(colours.values())) == len(colours)


def test_other_meanings_keep_their_colours_and_nothing_given_is_changed() -> None:
    parts = ["Kc/Ac", "Kc/Aw", "Kw/Ac", "Kw/Aw"]
    rows = [Row({"model": "a"}, part, Estimate(0.25, 9)) for part in parts]
    spec, plain = stacked_shares(rows, "model", "measure", parts=parts), bars(["b"])
    before = repr((spec, plain))
    bare, shares, empty = same_colours([plain, spec, {}])
    assert shares == spec
    assert empty == {}
    assert given(bare, "color") == {"b": palette.RUNS[0]}
    assert repr((spec, plain)) == before
