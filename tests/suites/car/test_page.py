"""docs/suites/car.md says what the code does."""

from pathlib import Path

from knowact.suites.car.errors import ErrorClass
from knowact.suites.car.scoring import METRICS
from knowact.worlds.car.defects import Defect

PAGE = (Path(__file__).parents[3] / "docs" / "suites" / "car.md").read_text(encoding="utf-8")


def test_the_faults_are_counted() -> None:
    assert f"{len(Defect)} known faults" in PAGE


def test_every_sub_metric_and_error_class_is_explained() -> None:
    assert [name for name in METRICS if f"`{name}`" not in PAGE] == []
    assert [one.value for one in ErrorClass if one.value not in PAGE] == []
