"""ict/everyday@1-A: every pair is proven to be what it claims, and its complete version is solvable.

One test per claim over all pairs; what a failing one prints are the pairs that break it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

import pytest

from knowact.core.condition import Hide, Replace
from knowact.core.proof import Possibility, prove_task
from knowact.core.task import Dialogue, Query
from knowact.core.world import Call
from knowact.suites.ict.cases import DATA, DEFAULT_DATA, Level, Lost, Manipulation, Pair, Source, load_cases
from knowact.suites.ict.proving import prove_complete, prove_incomplete
from knowact.worlds.everyday import EverydayWorld
from knowact.worlds.everyday.catalogue import OPERATIONS
from knowact.worlds.overlay import offered_under
from version_1 import proofs
from version_1.draw import Said
from version_1.ict import build, reject
from version_1.ict.lexical import best_threshold, lexical
from version_1.ict.masking import mentions
from version_1.ict.recipe import SIZES
from version_1.ict.requests import rivals, worldly
from version_1.ict.similar import RANKS, neighbours
from version_1.ict.talk import talk
from version_1.vague import vague

FOLDER = DATA / DEFAULT_DATA
SHIPPED = load_cases(FOLDER)
PAIRS = SHIPPED.pairs
REPLACED = [pair for pair in PAIRS if pair.gone]
REMOVED = [pair for pair in PAIRS if pair.lost]
DIALOGUES = [pair for pair in PAIRS if pair.source is Source.MULTI_TURN]


def broken(claim: Callable[[Pair], str], pairs: Iterable[Pair] = PAIRS) -> list[str]:
    """Return what stands against a claim, a line per pair, the first twenty."""
    found = (f"{pair.id}: {why}" for pair in pairs if (why := claim(pair)))
    return [line for line, _ in zip(found, range(20), strict=False)]


def lost_of(pair: Pair) -> Lost:
    assert pair.lost is not None
    return pair.lost


class TestTheSet:
    def test_has_the_papers_sizes_and_a_hundred_partly_possible_pairs(self) -> None:
        found = Counter((pair.source, pair.manipulation, pair.possibility) for pair in PAIRS)
        assert found == Counter({tuple(cell): size for cell, size in SIZES.items()})
        assert list(SIZES.values()) == [423, 477, 304, 406, 26, 26, 24, 24]

    @pytest.mark.slow
    def test_is_what_the_generator_writes_byte_for_byte(self) -> None:
        for name, text in build.files().items():
            assert (FOLDER / name).read_bytes() == text.encode(), name

    def test_gives_a_fair_sample_of_kinds_in_every_prefix(self) -> None:
        for length in (40, 100, 333, 1_000):
            seen = Counter((pair.source, pair.manipulation, pair.possibility) for pair in PAIRS[:length])
            for cell, size in SIZES.items():
                assert (
                    abs(seen[cell.source, cell.manipulation, cell.possibility] - size * length / len(PAIRS))
                    <= 1
                )

    def test_gives_a_fair_sample_of_levels_in_every_prefix_of_a_kind(self) -> None:
        for source in Source:
            pairs = SHIPPED.of(source, Manipulation.REPLACEMENT)
            whole, seen = Counter(p.level for p in pairs), Counter(p.level for p in pairs[:100])
            assert all(abs(seen[level] - whole[level] * 100 / len(pairs)) <= 1.5 for level in Level)

    def test_has_many_replacements_of_every_level_in_both_sources(self) -> None:
        for source in Source:
            counts = Counter(pair.level for pair in SHIPPED.of(source, Manipulation.REPLACEMENT))
            assert all(counts[level] >= 60 for level in Level)

    def test_loses_requests_and_values_in_both_sources(self) -> None:
        for source in Source:
            counts = Counter(lost_of(pair).what for pair in SHIPPED.of(source, Manipulation.REMOVAL))
            assert counts["request"] >= 0.15 * counts.total()
            assert counts["value"] >= 0.6 * counts.total()

    def test_has_no_opening_twice(self) -> None:
        shown = [one for pair in PAIRS for one in pair.versions if one.complete or pair.lost]
        openings = Counter(version.task.opening.text for version in shown)
        assert openings.most_common(1)[0][1] == 1

    def test_says_its_size_and_seed_in_the_datasheet(self) -> None:
        text = (FOLDER / "README.md").read_text(encoding="utf-8")
        assert "1,710 pairs (3,420 versions)" in text
        assert f"--seed {build.SEED}" in text
        assert "{" not in text

    def test_prints_the_lexical_agents_score_per_level_in_the_datasheet(self) -> None:
        text = (FOLDER / "README.md").read_text(encoding="utf-8")
        for source in Source:
            pairs = SHIPPED.of(source, Manipulation.REPLACEMENT)
            threshold = best_threshold(pairs)
            for level in Level:
                at = [pair for pair in pairs if pair.level is level]
                found = lexical(at, threshold)
                row = f"| {level.value} | {len(at)} | {found.accuracy:.2f} | {found.both:.2f} |"
                assert row in text
                assert found.both < 0.85


class TestEveryCompleteVersion:
    @pytest.mark.slow
    def test_is_solvable_and_not_possible_without_any_tool_that_it_needs(self) -> None:
        def unproven(pair: Pair) -> str:
            # The names of earlier calls stand in a dialogue by right.
            plain = pair.task.model_copy(update={"opening": Query(text=pair.plain)})
            return proofs.unproven(plain, SHIPPED.seed)

        assert broken(unproven) == []

    def test_is_possible_with_all_that_the_dialogue_tells(self) -> None:
        def impossible(pair: Pair) -> str:
            proof = prove_complete(pair, proofs.BY_NAME)
            return "" if proof.possibility is Possibility.POSSIBLE else "not possible"

        assert broken(impossible) == []

    def test_offers_what_the_plan_needs_and_about_two_or_five_tools_in_all(self) -> None:
        for source, mean in ((Source.MULTI_TURN, 2.3), (Source.SINGLE_REQUEST, 5.3)):
            counts = [len(pair.task.offered) for pair in PAIRS if pair.source is source]
            assert sum(counts) / len(counts) == pytest.approx(mean, abs=0.3)
        assert all({step.tool for step in pair.task.plan} <= set(pair.task.offered) for pair in PAIRS)

    def test_needs_one_to_three_tools(self) -> None:
        counts = Counter(len(pair.task.required) for pair in PAIRS)
        assert set(counts) == {1, 2, 3}
        pairs = SHIPPED.of(Source.SINGLE_REQUEST, Manipulation.REPLACEMENT)
        singles = Counter(len(pair.task.required) for pair in pairs)
        assert all(singles[count] >= 40 for count in (1, 2, 3))


class TestEveryIncompleteVersion:
    def test_is_proven_to_be_what_it_claims(self) -> None:
        def otherwise(pair: Pair) -> str:
            possibility = prove_incomplete(pair, proofs.BY_NAME).possibility
            return (
                ""
                if possibility is pair.possibility
                else f"is {possibility.value}, not {pair.possibility.value}"
            )

        assert broken(otherwise) == []

    @pytest.mark.slow
    def test_passes_the_papers_two_lists_of_reasons_to_reject_it(self) -> None:
        for check in (*reject.COMMON, *reject.REPLACEMENT):
            assert broken(check, REPLACED) == [], check.__name__
        for check in (*reject.COMMON, *reject.REMOVAL):
            assert broken(check, REMOVED) == [], check.__name__


class TestDialogues:
    def test_have_five_to_seven_messages_and_the_user_has_the_last_word(self) -> None:
        lengths = Counter(len(pair.task.opening.utterances) for pair in DIALOGUES)
        assert set(lengths) == {5, 6, 7}
        assert sum(n * count for n, count in lengths.items()) / len(DIALOGUES) == pytest.approx(6.18, abs=0.1)
        assert all(pair.task.opening.utterances[-1].role == "user" for pair in DIALOGUES)

    def test_have_one_or_two_earlier_calls_of_offered_tools_that_change_nothing(self) -> None:
        for pair in DIALOGUES:
            assert len(pair.past) in (1, 2)
            for version in pair.versions:
                assert {call.tool for call in pair.past} <= set(version.offered)
            assert not any(OPERATIONS[call.tool].writes for call in pair.past)

    def test_show_the_true_results_of_the_world(self) -> None:
        session = EverydayWorld().open({}, SHIPPED.seed)
        for pair in DIALOGUES:
            for call in pair.past:
                assert session.call(Call(call.tool, dict(call.arguments))).value == call.result, pair.id

    def test_never_have_made_the_call_that_is_asked_for(self) -> None:
        for pair in DIALOGUES:
            asked = [(step.tool, step.call_arguments) for step in pair.task.plan]
            assert all((call.tool, dict(call.arguments)) not in asked for call in pair.past)

    def test_are_the_only_ones_with_more_than_one_message(self) -> None:
        for pair in PAIRS:
            kind = Dialogue if pair.source is Source.MULTI_TURN else Query
            assert all(isinstance(version.task.opening, kind) for version in pair.versions)


class TestReplacements:
    def test_leave_the_opening_as_it_is(self) -> None:
        for pair in REPLACED:
            one, other = pair.versions
            assert one.task.opening == other.task.opening
            assert one.task.opening.utterances[-1].text.endswith(pair.plain)

    def test_are_not_possible_by_the_plain_prover_either(self) -> None:
        def otherwise(pair: Pair) -> str:
            possibility = prove_task(pair.task, proofs.BY_NAME, pair.condition).possibility
            return "" if possibility is pair.possibility else possibility.value

        assert broken(otherwise, REPLACED) == []

    def test_put_the_substitute_in_the_same_place_or_nothing(self) -> None:
        for pair in REPLACED:
            instead = {gone.tool: gone.by for gone in pair.gone}
            shown = tuple(found for name in pair.task.offered if (found := instead.get(name, name)))
            assert shown == pair.incomplete_version.offered
            world = offered_under(pair.task.offered, proofs.BY_NAME, pair.condition)
            assert shown == tuple(tool.name for tool in world)
            kinds = {type(change) for change in pair.condition.changes}
            assert kinds == {Hide if pair.level is Level.ABSENT else Replace}

    def test_take_every_required_tool_or_one_of_two(self) -> None:
        for pair in REPLACED:
            gone = {one.tool for one in pair.gone}
            if pair.possibility is Possibility.PARTLY:
                assert len(gone) == 1
                assert len(pair.task.required) == 2
            else:
                assert gone == pair.task.required

    def test_carry_the_rank_and_level_of_the_substitute(self) -> None:
        ranked = neighbours().ranked
        for pair in REPLACED:
            for gone in pair.gone:
                if gone.level is Level.ABSENT:
                    continue
                assert gone.rank is not None
                assert ranked[gone.tool][gone.rank - 1] == gone.by
                first, last = RANKS[gone.level]
                assert first <= gone.rank <= last
                back_first, back_last = RANKS[gone.level]
                assert back_first <= ranked[gone.by].index(gone.tool) + 1 <= back_last

    def test_take_only_tools_that_no_model_can_do_without(self) -> None:
        for pair in REPLACED:
            assert {one.tool for one in pair.gone} <= set(worldly())
            for step in pair.task.plan:
                if OPERATIONS[step.tool].within is not None:
                    assert step.call_arguments["source"] != "text"

    def test_leave_no_tool_that_does_the_job_in_a_way_that_the_prover_does_not_see(self) -> None:
        for pair in REPLACED:
            for gone in pair.gone:
                assert not any(rivals(gone.tool, name) for name in pair.incomplete_version.offered), pair.id

    def test_cross_so_that_what_is_too_little_for_one_request_is_enough_for_another(self) -> None:
        groups: defaultdict[str, list[Pair]] = defaultdict(list)
        for pair in REPLACED:
            groups[pair.crossed].append(pair)
        for pairs in groups.values():
            enough = Counter(frozenset(pair.task.offered) for pair in pairs)
            too_little = Counter(frozenset(pair.incomplete_version.offered) for pair in pairs)
            # A row where tools are merely gone has one set at either end that nothing crosses.
            apart = 1 if pairs[0].level is Level.ABSENT else 0
            assert (enough - too_little).total() == (too_little - enough).total() == apart
            assert len(pairs) == (len(pairs) if apart else 2) >= 2


class TestRemovals:
    def test_leave_the_tools_as_they_are(self) -> None:
        for pair in REMOVED:
            assert pair.incomplete_version.offered == pair.complete_version.offered == pair.task.offered
            assert not pair.condition.changes

    def test_change_one_message_as_the_record_says_and_nothing_else(self) -> None:
        for pair in REMOVED:
            assert pair.incomplete is not None
            lost = lost_of(pair)
            before, after = pair.task.opening.utterances, pair.incomplete.utterances
            changed = [n for n, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
            assert changed == [lost.turn]
            assert before[lost.turn].text.count(lost.before) == 1
            assert before[lost.turn].text.replace(lost.before, lost.after) == after[lost.turn].text

    def test_are_told_in_the_complete_version_and_nowhere_in_the_other(self) -> None:
        for pair in REMOVED:
            assert pair.incomplete is not None
            lost = lost_of(pair)
            if lost.what == "request":
                continue
            said = Said(lost.value, lost.words, lost.words)
            assert mentions(lost.before, said), pair.id
            assert not mentions(pair.incomplete.text, said), pair.id

    def test_of_requests_say_the_request_on_another_slip(self) -> None:
        slips = {thing: other for one, two in talk().slips for thing, other in ((one, two), (two, one))}
        for pair in REMOVED:
            lost = lost_of(pair)
            if lost.what == "request":
                assert lost.words == pair.plain
                assert lost.words in lost.before
                assert lost.words in lost.after
                swapped = lost.before.casefold().replace(lost.phrase, "\0")
                swapped = swapped.replace(slips[lost.phrase], lost.phrase).replace("\0", slips[lost.phrase])
                assert swapped == lost.after.casefold()

    def test_of_values_take_an_argument_without_a_default_that_only_the_user_can_tell(self) -> None:
        for pair in REMOVED:
            lost = lost_of(pair)
            if lost.step is None:
                continue
            argument = pair.task.plan[lost.step].arguments[lost.parameter]
            assert argument.origin in ("query", "context")
            assert argument.value == lost.value
            assert lost.parameter in proofs.BY_NAME[lost.tool].required
            assert lost.phrase in vague()[lost.tool, lost.parameter].phrases
            assert lost.value not in lost.beside

    def test_have_an_invented_value_with_which_the_call_succeeds(self) -> None:
        for pair in REMOVED:
            lost = lost_of(pair)
            if lost.step is None:
                continue
            assert lost.invented not in (None, lost.value, *lost.beside)
            arguments = {**pair.task.plan[lost.step].call_arguments, lost.parameter: lost.invented}
            assert EverydayWorld().open({}, SHIPPED.seed).call(Call(lost.tool, arguments)).ok, pair.id

    def test_often_have_the_same_last_message_in_both_versions_of_a_dialogue(self) -> None:
        pairs = SHIPPED.of(Source.MULTI_TURN, Manipulation.REMOVAL)
        same = sum(lost_of(pair).turn < len(pair.task.opening.utterances) - 1 for pair in pairs)
        assert same >= 0.4 * len(pairs)

    def test_are_not_shorter_as_a_class_and_often_say_more(self) -> None:
        grown = [len(p.incomplete.text) - len(p.task.opening.text) for p in REMOVED if p.incomplete]
        longer, shorter = sum(one > 0 for one in grown), sum(one < 0 for one in grown)
        assert 0.4 <= longer / (longer + shorter) <= 0.65
        assert abs(sum(grown) / len(grown)) <= 10
