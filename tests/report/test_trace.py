import pytest

from knowact.core.table import Estimate, Row
from knowact.report.trace import Facets

from .report_double import make_run

RUN = make_run("gpt-5", 0.8, size=12)
FACETS = Facets("fake", [RUN])


def where(keys: dict[str, str], measure: str = "KAS") -> dict[str, str]:
    return dict(FACETS.trace(Row(keys, measure, Estimate(0.5, 1))).where)


def test_a_key_narrows_to_what_the_records_carry() -> None:
    assert where({"model": "gpt-5", "boundary": "Internal", "condition": "clean"}) == {
        "model": "gpt-5",
        "label:boundary": "internal",
        "condition": "clean",
    }


def test_a_run_or_a_data_set_may_stand_under_any_key() -> None:
    assert where({"agent": RUN.id}) == {"run": RUN.id}
    assert where({"on": "everyday@1-A"}) == {"dataset": "everyday@1-A"}


def test_a_value_that_no_record_carries_narrows_nothing() -> None:
    assert where({"boundary": "average", "topology": "all", "condition": "none"}) == {}


@pytest.mark.parametrize("keys", [{}, {"quadrant": "Kc/Aw"}])
def test_a_quadrant_is_knowing_and_acting(keys: dict[str, str]) -> None:
    measure = "share" if keys else "Kc/Aw"
    assert where(keys, measure) == {"knew": "yes", "acted": "no"}
