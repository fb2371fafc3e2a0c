"""Colours are told apart by eyes of all kinds, and by none of them alone."""

import itertools
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from knowact.core import palette

Numbers: TypeAlias = npt.NDArray[np.float64]

EYES: dict[str, Numbers] = {
    "usual": np.eye(3),
    # Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
    "without red cones": np.array(
        [
            *(
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ),
        ]
    ),
    "without green cones": np.array(
        [
            *(
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ),
        ]
    ),
    "without blue cones": np.array(
        [
            *(
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ),
        ]
    ),
}

LISTS = {"runs": palette.RUNS, "quadrants": palette.QUADRANTS, "kinds": palette.KINDS}


def lab(colour: str, eye: Numbers) -> Numbers:
    """A colour in CIELAB, as an eye sees it."""
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ np.clip(eye @ linear, 0, 1) / np.array([0.9505, 1.0, 1.089])
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(first: str, second: str, eye: str) -> float:
    return float(np.linalg.norm(lab(first, EYES[eye]) - lab(second, EYES[eye])))


def test_no_two_meanings_share_a_colour() -> None:
    every = [colour.upper() for colours in LISTS.values() for colour in colours] + [palette.NEUTRAL]
    assert len(every) == len(set(every))
    for first, second in itertools.combinations(LISTS.values(), 2):
        assert min(distance(a, b, "usual") for a in first for b in second) > 15


@pytest.mark.parametrize("eye", EYES)
def test_runs_and_quadrants_are_told_apart_by_every_kind_of_eye(eye: str) -> None:
    for colours in (palette.RUNS, palette.QUADRANTS):
        assert min(distance(a, b, eye) for a, b in itertools.combinations(colours, 2)) > 10


def test_neighbours_differ_in_grey_print() -> None:
    for colours in LISTS.values():
        grey = [lab(colour, EYES["usual"])[0] for colour in colours]
        assert min(abs(a - b) for a, b in itertools.pairwise(grey)) > 4
    assert sorted(palette.QUADRANTS, key=palette.luminance) == list(palette.QUADRANTS), "and in order"


def test_there_is_a_shape_for_each_colour_of_a_series() -> None:
    assert len(set(palette.SHAPES)) == len(palette.SHAPES) == len(palette.RUNS)


def test_text_on_a_colour_is_readable() -> None:
    for colour in (*palette.QUADRANTS, *palette.KINDS):
        light = palette.luminance(colour)
        contrast = 1.05 / (light + 0.05) if palette.dark(colour) else (light + 0.05) / 0.05
        assert contrast >= 4.5
