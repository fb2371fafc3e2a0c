"""ict/everyday@2-A: dialogues and requests that were written one by one, and what is claimed of each pair.

Every claim that code can check; what readers say stands in the datasheet.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from knowact.core.proof import Possibility
from knowact.core.task import Dialogue, Query
from knowact.core.world import Call
from knowact.datasets.own import ITEMS
from knowact.forge.alike import neighbours
from knowact.forge.briefs import BriefAnswer
from knowact.forge.recipe import READINGS, TEXTS, hash_of
from knowact.suites.ict.asked import pair_facts
from knowact.suites.ict.cases import DATA, Level, Manipulation, Pair, Source, load_cases
from knowact.suites.ict.proving import prove_complete, prove_incomplete
from knowact.suites.ict.replacing import RANKS
from knowact.worlds.everyday.material import material
from knowact.worlds.plans import run_plan
from suites.classifying import beside_the_value, separable_by_figures, separable_by_words
from suites.remaking import assert_remade

FOLDER = DATA / "everyday@2-A"
SHIPPED = load_cases(FOLDER)
PAIRS = SHIPPED.pairs
WORLD = material()
REPLACED = [pair for pair in PAIRS if pair.gone]
REMOVED = [pair for pair in PAIRS if pair.lost]
IDS = [pair.id for pair in PAIRS]


class TestTheSet:
    @pytest.mark.slow
    def test_is_what_its_plans_and_texts_give_byte_for_byte(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        own = len(
            [line for line in (FOLDER / "plans.jsonl").read_text("utf-8").splitlines() if not _refused(line)]
        )
        assert_remade(FOLDER, "ict", size=own, seed=SHIPPED.seed, tmp_path=tmp_path, capsys=capsys)

    def test_has_the_papers_shares(self) -> None:
        """423, 477, 304 and 406 of 1,610; partly possible ones come on top."""
        cells = Counter(
            (pair.source, pair.manipulation) for pair in PAIRS if pair.possibility is Possibility.IMPOSSIBLE
        )
        assert cells.total() >= 400
        shares = {
            (Source.MULTI_TURN, Manipulation.REPLACEMENT): 423 / 1_610,
            (Source.SINGLE_REQUEST, Manipulation.REPLACEMENT): 477 / 1_610,
            (Source.MULTI_TURN, Manipulation.REMOVAL): 304 / 1_610,
            (Source.SINGLE_REQUEST, Manipulation.REMOVAL): 406 / 1_610,
        }
        for cell, share in shares.items():
            assert abs(cells[cell] / cells.total() - share) <= 0.05, cell

    def test_gives_a_fair_sample_of_the_parts_in_every_prefix(self) -> None:
        whole = Counter((pair.source, pair.manipulation, pair.possibility) for pair in PAIRS)
        for length in (40, 100, 250):
            seen = Counter((pair.source, pair.manipulation, pair.possibility) for pair in PAIRS[:length])
            assert all(abs(seen[one] - n * length / len(PAIRS)) <= 1 for one, n in whole.items())

    def test_each_dialogue_was_read_blind_by_somebody_else(self) -> None:
        answers = [one for one in map(BriefAnswer.model_validate_json, _lines(TEXTS)) if not one.refused]
        seen = {(one["brief"], one["text"]): one["reader"] for one in map(json.loads, _lines(READINGS))}
        used = {str(pair.task.provenance["brief"]) for pair in PAIRS}
        own = [answer for answer in answers if answer.brief in used]
        assert len(own) >= 200
        for answer in own:
            for name, written in answer.versions.items():
                assert seen[answer.brief, hash_of({name: written})] != answer.writer


def _lines(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


def _refused(line: str) -> bool:
    return bool(json.loads(line).get("refused"))


class TestEveryPair:
    def test_is_proven_in_both_versions(self) -> None:
        for pair in PAIRS:
            assert prove_complete(pair, WORLD.tools).possibility is Possibility.POSSIBLE, pair.id
            assert prove_incomplete(pair, WORLD.tools).possibility is pair.possibility, pair.id

    def test_comes_out_of_the_world(self) -> None:
        for pair in PAIRS:
            session = WORLD.open(pair.task.world.setup, SHIPPED.seed)
            for call in pair.past:
                seen = session.call(Call(call.tool, dict(call.arguments)))
                assert seen.value == call.result, pair.id
            results = run_plan(pair.task.plan, WORLD.open(pair.task.world.setup, SHIPPED.seed))
            for fact in pair.task.facts:
                step, _, field = fact.sources[0].partition(".")
                result = results[int(step)]
                assert isinstance(result, dict)
                assert result[field] == fact.value, pair.id

    def test_is_a_dialogue_or_a_request(self) -> None:
        for pair in PAIRS:
            if pair.source is Source.MULTI_TURN:
                assert isinstance(pair.task.opening, Dialogue)
                assert 4 <= len(pair.task.opening.utterances) <= 9
                assert pair.past
            else:
                assert isinstance(pair.task.opening, Query)


class TestReplacements:
    def test_come_in_couples_whose_tools_are_exchanged(self) -> None:
        couples: dict[str, list[Pair]] = {}
        for pair in REPLACED:
            couples.setdefault(pair.crossed, []).append(pair)
        for couple in couples.values():
            assert len(couple) <= 2
            if len(couple) == 2:
                one, other = couple
                assert set(one.complete_version.offered) == set(other.incomplete_version.offered)
                assert set(other.complete_version.offered) == set(one.incomplete_version.offered)
        # Only the last couple of a part may have lost its second half.
        assert sum(len(couple) == 1 for couple in couples.values()) <= 3

    def test_say_how_alike_the_tools_are(self) -> None:
        ranks = neighbours(list(WORLD.tools.values()))
        for pair in REPLACED:
            for gone in pair.gone:
                assert gone.rank == ranks.rank(gone.tool, gone.by)
                rank = ranks.rank(gone.tool, gone.by)
                assert gone.level is next((one for one, last in RANKS.items() if rank <= last), Level.FAR)

    def test_put_nothing_in_a_tools_place_that_was_called_before(self) -> None:
        for pair in REPLACED:
            assert not {call.tool for call in pair.past} & {gone.tool for gone in pair.gone}


class TestRemovals:
    def test_differ_in_one_message_alone(self) -> None:
        for pair in REMOVED:
            assert pair.lost is not None
            assert pair.incomplete is not None
            before, after = pair.task.opening.utterances, pair.incomplete.utterances
            changed = [n for n, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
            assert changed == [pair.lost.turn]

    def test_never_say_the_value_that_is_lost(self) -> None:
        for pair in REMOVED:
            assert pair.lost is not None
            if pair.lost.how != "two candidates" and isinstance(pair.lost.value, str):
                text = " ".join(one.text for one in (pair.incomplete or pair.task.opening).utterances)
                assert pair.lost.value.casefold() not in text.casefold(), pair.id

    def test_name_it_in_no_label(self) -> None:
        for pair in REMOVED:
            assert pair.lost is not None
            for fact in pair_facts(pair):
                assert pair.lost.words not in fact.label, pair.id
                assert str(pair.lost.value) not in fact.label.split(), pair.id

    def test_have_another_value_with_which_the_call_succeeds(self) -> None:
        for pair in REMOVED:
            lost = pair.lost
            assert lost is not None
            assert lost.step is not None
            step = pair.task.plan[lost.step]
            call = Call(step.tool, {**step.call_arguments, lost.parameter: lost.invented})
            assert WORLD.open(pair.task.world.setup, SHIPPED.seed).call(call).ok, pair.id


def test_at_least_a_quarter_is_crossed_by_tools_or_by_context() -> None:
    context = [pair for pair in REMOVED if pair.lost and pair.lost.how not in {"", "left out"}]
    assert len([pair for pair in REPLACED if pair.crossed]) + len(context) >= 0.25 * len(PAIRS)
    assert len(context) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("source", list(Source))
class TestGivesNothingAway:
    """Two standard errors of chance are allowed on so few texts."""

    def test_by_the_tools(self, source: Source) -> None:
        pairs = [pair for pair in REPLACED if pair.source is source]
        versions = [version for pair in pairs for version in pair.versions]
        groups = [number for number, _ in enumerate(pairs) for _ in range(2)]
        labels = [version.complete for version in versions]
        allowed = 0.60 + len(pairs) ** -0.5
        tools = [" ".join(version.offered) for version in versions]
        assert separable_by_words(tools, labels, groups) <= allowed
        numbers = [
            [len(version.offered), version.offered.index(_looked_at(version.pair, complete=version.complete))]
            for version in versions
        ]
        assert separable_by_figures(numbers, labels, groups) <= allowed

    def test_by_the_words_beside_what_is_left_out(self, source: Source) -> None:
        pairs = [
            pair for pair in REMOVED if pair.source is source and pair.lost and pair.lost.how == "left out"
        ]
        texts: list[str] = []
        for pair in pairs:
            assert pair.lost is not None
            texts += beside_the_value(pair.lost.before, pair.lost.words, pair.lost.after)
        groups = [number for number, _ in enumerate(pairs) for _ in range(2)]
        labels = [True, False] * len(pairs)
        assert separable_by_words(texts, labels, groups) <= 0.60 + len(pairs) ** -0.5


def _looked_at(pair: Pair, *, complete: bool) -> str:
    """The first tool that is exchanged, or what took its place."""
    return pair.gone[0].tool if complete else pair.gone[0].by


def test_the_file_is_plain_json_lines() -> None:
    rows = [json.loads(line) for line in _lines(ITEMS)]
    assert [row["id"] for row in rows] == IDS
