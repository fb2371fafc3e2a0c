"""What is proven of a pair: what the dialogue tells counts, and what is not said does not."""

from pathlib import Path
from typing import Any

from ict_trials import BY_HAND
from knowact.core.proof import Possibility
from knowact.core.world import Call
from knowact.suites.ict.cases import Pair, load_cases
from knowact.suites.ict.proving import prove_complete, prove_incomplete
from knowact.worlds.everyday.material import material

WORLD = material()
PAIRS = {pair.id: pair for pair in load_cases(Path(BY_HAND)).pairs}


def changed(pair: Pair, **task: Any) -> Pair:
    return pair.model_copy(update={"task": pair.task.model_copy(update=task)})


def test_each_pair_is_possible_as_it_stands_and_impossible_with_something_missing() -> None:
    for pair in PAIRS.values():
        assert prove_complete(pair, WORLD.tools).possibility is Possibility.POSSIBLE, pair.id
        assert prove_incomplete(pair, WORLD.tools).possibility is Possibility.IMPOSSIBLE, pair.id


def test_without_its_tool_the_complete_version_is_impossible_too() -> None:
    for name in ("replacement", "absent"):
        pair = PAIRS[name]
        left = tuple(tool for tool in pair.task.offered if tool not in pair.task.required)
        proof = prove_complete(changed(pair, offered=left), WORLD.tools)
        assert proof.possibility is Possibility.IMPOSSIBLE, name


def test_a_lost_value_is_found_where_it_is_said_besides() -> None:
    pair = PAIRS["removal"]
    assert pair.lost is not None
    told = pair.lost.model_copy(update={"beside": (*pair.lost.beside, pair.lost.value)})
    proof = prove_incomplete(pair.model_copy(update={"lost": told}), WORLD.tools)
    assert proof.possibility is Possibility.POSSIBLE


def test_an_earlier_call_that_gave_the_answer_makes_it_possible() -> None:
    pair = PAIRS["replacement"]
    step = pair.task.plan[0]
    result = WORLD.open({}, 0).call(Call(step.tool, step.call_arguments)).value
    row = pair.model_dump(mode="json")
    call = {"tool": step.tool, "arguments": step.call_arguments, "result": result}
    row["task"]["opening"]["utterances"].insert(0, {"role": "assistant", "calls": [call]})
    proof = prove_incomplete(Pair.model_validate(row), WORLD.tools)
    assert proof.possibility is Possibility.POSSIBLE


def test_a_lost_request_is_impossible_whatever_tools_there_are() -> None:
    everything = changed(PAIRS["request"], offered=tuple(WORLD.tools))
    assert prove_incomplete(everything, WORLD.tools).possibility is Possibility.IMPOSSIBLE
    assert prove_complete(everything, WORLD.tools).possibility is Possibility.POSSIBLE
