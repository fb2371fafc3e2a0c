"""Numbers over pairs rest on pairs that are scored on both sides."""

from knowact.core.record import Answer
from knowact.measures.confusion import both_scored


def test_a_request_without_a_scored_partner_is_left_out() -> None:
    whole = [Answer("a", complete, "yes", "a") for complete in (True, False)]
    alone = Answer("b", complete=False, said="no", cluster="b")
    half = [
        Answer("c", complete=True, said=None, cluster="c"),
        Answer("c", complete=False, said="no", cluster="c"),
    ]
    assert both_scored([*whole, alone, *half]) == whole
