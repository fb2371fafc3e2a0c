"""Which tools are alike, and who says so."""

from itertools import pairwise

import pytest

from knowact.core.errors import UnknownName
from knowact.forge.alike import Neighbours, neighbours, scorer, text_of
from knowact.worlds.everyday.catalogue import TOOLS

KNOWN = neighbours(TOOLS)


class Backwards:
    """An encoder by which texts are alike that come after the query, read from their ends."""

    def __init__(self, model: str) -> None:
        assert model == "some/model"

    def scores(self, query: str, texts: list[str]) -> list[float]:
        return [float(text[::-1] > query[::-1]) for text in texts]


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("knowact.retrieval.embeddings.Embedder", Backwards)
    return "embeddings:some/model"


def test_every_other_tool_of_the_world_is_ranked_once() -> None:
    names = sorted(tool.name for tool in TOOLS)
    for tool, others in KNOWN.ranked.items():
        assert sorted([tool, *others]) == names


def test_it_finds_what_a_person_would_find() -> None:
    assert KNOWN.rank("get_order", "cancel_order") <= 5
    assert KNOWN.rank("get_weather_alerts", "get_current_weather") <= 5


def test_ranks_are_places_from_one() -> None:
    found = Neighbours({"a": ("c", "b")})
    assert [found.rank("a", other) for other in ("c", "b")] == [1, 2]


def test_the_scores_of_names_and_descriptions_make_the_order() -> None:
    texts = {tool.name: text_of(tool) for tool in TOOLS}
    tool = TOOLS[0]
    assert texts[tool.name] == f"{tool.name}: {tool.description}"
    scores = dict(zip(texts, scorer("bm25")(texts[tool.name], list(texts.values())), strict=True))
    ranked = [scores[other] for other in KNOWN.ranked[tool.name]]
    assert ranked[0] > ranked[-1]
    assert all(one >= other - 1e-6 for one, other in pairwise(ranked))


def test_another_retriever_ranks_in_another_way(encoder: str) -> None:
    assert list(scorer(encoder)("b", ["ab", "ac", "aa"])) == [1.0, 1.0, 0.0]
    few = TOOLS[:20]
    assert neighbours(few, encoder).ranked != neighbours(few).ranked


def test_of_equal_scores_the_names_decide(encoder: str) -> None:
    ranked = neighbours(TOOLS[:20], encoder).ranked
    texts = {tool.name: text_of(tool)[::-1] for tool in TOOLS[:20]}
    for tool, others in ranked.items():
        later = [name for name in texts if name != tool and texts[name] > texts[tool]]
        rest = [name for name in texts if name != tool and name not in later]
        assert list(others) == [*sorted(later), *sorted(rest)]


@pytest.mark.parametrize("name", ["bm52", "tfidf", "some/model"])
def test_a_retriever_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(UnknownName, match="bm25") as told:
        scorer(name)
    assert told.value.kind == "retriever"
